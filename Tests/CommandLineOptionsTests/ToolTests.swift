import CommandLineOptions
import Foundation
import Testing

private let table = CommandTable.reqrun

/// Runs a program with that input; its status, and what it printed on both outputs.
private func run(_ arguments: [String], input: String) throws -> (status: Int32, output: String) {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("reqrun-\(UUID().uuidString)")
  try Data(input.utf8).write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = arguments + [file.path]
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return (process.terminationStatus, output)
}

private func isInstalled(_ program: String) -> Bool {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
  return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
}

/// What other programs say about our scripts and our manual.
@Suite struct ToolTests {
  @Test("mandoc finds nothing wrong", .enabled(if: isInstalled("mandoc"), "mandoc is not installed"))
  func mandoc() throws {
    let (status, output) = try run(["mandoc", "-T", "lint", "-W", "warning"], input: table.manPage())
    #expect(output.isEmpty)
    #expect(status == 0)
  }

  @Test("the manual reads as meant", .enabled(if: isInstalled("mandoc"), "mandoc is not installed"))
  func rendered() throws {
    let (_, output) = try run(["mandoc", "-T", "ascii", "-O", "width=200"], input: table.manPage())
    // Bold and underlined characters are overstruck.
    let text = output.replacingOccurrences(of: ".\u{08}", with: "", options: .regularExpression)
    for expected in [
      "-j, --jobs N", "--var name=text", "--report KIND=PATH", "REQRUN_DRY_RUN", "reqrun demo --port 8080",
      "reqrun man | man -l -",
    ] {
      #expect(text.contains(expected), "\(expected)")
    }
  }

  @Test("bash reads its script", .enabled(if: isInstalled("bash"), "bash is not installed"))
  func bashSyntax() throws {
    let (status, output) = try run(["bash", "-n"], input: table.completion(for: .bash))
    #expect(output.isEmpty)
    #expect(status == 0)
  }

  @Test("zsh reads its script", .enabled(if: isInstalled("zsh"), "zsh is not installed"))
  func zshSyntax() throws {
    let (status, output) = try run(["zsh", "-n"], input: table.completion(for: .zsh))
    #expect(output.isEmpty)
    #expect(status == 0)
  }

  @Test("fish reads its script", .enabled(if: isInstalled("fish"), "fish is not installed"))
  func fishSyntax() throws {
    let (status, output) = try run(["fish", "-n"], input: table.completion(for: .fish))
    #expect(output.isEmpty)
    #expect(status == 0)
  }

  @Test(
    "bash completes",
    .enabled(if: isInstalled("bash"), "bash is not installed"),
    arguments: [
      ("reqrun che", "check"), ("reqrun --dr", "--dry-run"), ("reqrun check --fi", "--file-root"),
      ("reqrun demo --p", "--port"), ("reqrun demo --fail", ""), ("reqrun --transport c", "curl"),
      ("reqrun --transport = c", "curl"), ("reqrun --color =", "auto always never"), ("reqrun completions f", "fish"),
      ("reqrun help comp", "completions"), ("reqrun --seed c", ""),
    ])
  func bash(_ line: String, _ expected: String) throws {
    let words = line.split(separator: " ").map { "'\($0)'" }
    let script = """
      \(table.completion(for: .bash))
      COMP_WORDS=(\(words.joined(separator: " "))) COMP_CWORD=\(words.count - 1)
      _reqrun
      echo "${COMPREPLY[*]}"
      """
    let (_, output) = try run(["bash"], input: script)
    #expect(output == expected + "\n")
  }
}
