import CommandLineOptions
import Foundation
import TestSupport
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

  @Test(
    "mandoc finds nothing wrong with the format's page", .enabled(if: isInstalled("mandoc"), "mandoc is not installed"))
  func mandocOfTheFormat() throws {
    let page = table.formatPage()
    let (status, output) = try run(["mandoc", "-T", "lint", "-W", "warning"], input: page)
    #expect(output.isEmpty)
    #expect(status == 0)
    let (_, text) = try run(["mandoc", "-T", "utf8", "-O", "width=200"], input: page)
    for expected in ["`continue_on_failure`", "REQRUN-FORMAT(5)", "from_json", "multipart:"] {
      #expect(text.contains(expected), "\(expected)")
    }
  }

  @Test("the changelog begins with this version, whose date is the manual's") func date() throws {
    let changelog = try String(contentsOf: Repository.root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    let title = try #require(changelog.split(separator: "\n").first { $0.hasPrefix("## ") })
    let version = try #require(title.firstMatch(of: /^## (\S+) \(([A-Z][a-z]+ \d{1,2}, \d{4})\)/))
    #expect(version.1 == table.version)
    for page in [table.manPage(), table.formatPage()] { #expect(page.hasPrefix(".Dd \(version.2)\n")) }
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
}
