import Foundation
import SpecExecution
import Testing

@Suite("Words for a shell")
struct ShellQuotingTests {
  @Test(
    "bash reads back what was quoted",
    arguments: [
      "plain", "", "two words", "it's", "'", "''", "\"double\" $HOME `id` \\ !", "@file", "line\nbreak\ttab", "~/x",
      "a;b|c&d",
      "\u{1B}[31mred", "\r\n", "\u{7F}", "\u{9B}2J", "\u{202E}reversed", "naïve 日本 👩‍💻", "x'\u{1}y\\z", "*?[a]{b,c}",
      "#no", "##[group]x", "a\n::set-output name=x::y\nb", "\u{FEFF}\u{200B}\u{2028}\u{61C}", "###[",
    ])
  func roundTrip(_ text: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "printf %s " + quotedForShell(text)]
    process.environment = ["LC_ALL": "C.UTF-8"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(Array(output) == Array(text.utf8))
  }

  @Test(
    "what a terminal would obey is never written as it is",
    arguments: [
      "\u{1B}[2J", "\u{9B}1m", "\u{202E}x", "\u{0}", "a\n::error::b", "\t", "\r", "\u{2028}", "\u{85}", "\u{FEFF}",
      "\u{61C}", "\u{AD}",
    ])
  func controls(_ text: String) {
    #expect(!quotedForShell("##[x").contains("##["))
    #expect(quotedForShell(text).unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
  }
}
