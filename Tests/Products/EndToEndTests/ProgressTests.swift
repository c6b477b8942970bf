import Foundation
import TestSupport
import Testing

private let isScriptHere = FileManager.default.isExecutableFile(atPath: "/usr/bin/script")

/// What the line at the end of a terminal says while bodies come and go.
@Suite("Progress", .timeLimit(.minutes(10)))
struct ProgressTests {
  /// A body of 4 KiB that takes half a second, with and without its length.
  private static let script = """
    /known
    send "HTTP/1.1 200 OK\\r\\nContent-Length: 4096\\r\\n\\r\\n"
    repeat 1024 "x"
    wait 300ms
    repeat 1024 "x"
    wait 300ms
    repeat 2048 "x"
    /unknown
    send "HTTP/1.1 200 OK\\r\\n\\r\\n"
    repeat 1024 "x"
    wait 300ms
    repeat 1024 "x"
    wait 300ms
    close
    /short
    send "HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\nx"
    """

  private static let spec = """
    requests:
      - {name: "known \\e[31m日本", url: "${{ server }}/known"}
      - {name: unknown, url: "${{ server }}/unknown"}
      - {name: short, url: "${{ server }}/short"}
    """

  private func run(_ arguments: [String], inTerminal columns: Int? = nil) async throws -> (out: String, error: String) {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["spec.yaml": Self.spec])
    let program = try builtExecutable("reqrun")
    let words = arguments + ["--var", "server=\(server.address)", "spec.yaml"]
    var process = ProcessRun(program, words, in: folder.path)
    if let columns {
      let line = "stty cols \(columns) && exec '\(program)' \(words.joined(separator: " "))"
      process = ProcessRun("/usr/bin/script", ["-qefc", line, "/dev/null"], in: folder.path)
      process.environment = ["PATH": "/usr/bin:/bin"]
    }
    let result = try await process.run()
    #expect(result.ending == .exited(0), "\(String(decoding: result.output + result.errorOutput, as: UTF8.self))")
    return (String(decoding: result.output, as: UTF8.self), String(decoding: result.errorOutput, as: UTF8.self))
  }

  /// What was drawn over and over in one line.
  private func lines(_ text: String) -> [Substring] {
    text.replacingOccurrences(of: "\r\n", with: "\n").split(separator: "\n")
      .flatMap { $0.components(separatedBy: "\r\u{1B}[K") }.filter { $0.hasPrefix("…") }.map { $0[...] }
  }

  @Test(
    "In a terminal: bytes, share, rate and time left, in as many columns as there are",
    .enabled(if: isScriptHere, "needs script, of util-linux")) func terminal() async throws
  {
    let (out, _) = try await run([], inTerminal: 70)
    let lines = lines(out)
    #expect(lines.contains { $0.contains(/↓ known ␛\[31m日本 (█████░░░░░ )?2 KiB of 4 KiB \(50 %\), .*KiB\/s/) })
    #expect(lines.contains { $0.contains(" s left") })
    #expect(lines.contains { $0.contains("↓ unknown 2 KiB, ") && !$0.contains("left") })
    #expect(!lines.contains { $0.contains("↓ short") })
    #expect(lines.allSatisfy { $0.count < 70 })
    // What a run writes stands alone, and nothing of the line is left.
    for name in ["known", "unknown"] {
      #expect(out.contains("\r\u{1B}[K  \u{1B}[32m✓\u{1B}[0m \(name)"))
    }
    #expect(!out.contains("\u{1B}[31m日"))
    #expect(out.hasSuffix("\r\n"))
  }

  @Test(
    "In a terminal with fewer lines than requests: a line per file, unless a line per request is asked for",
    .enabled(if: isScriptHere, "needs script, of util-linux"),
    arguments: [("24", "", 0), ("60", "", 50), ("24", "--output full", 50)])
  func layout(_ rows: String, _ option: String, _ listed: Int) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let request = "  - {name: same, url: \"http://127.0.0.1:1/\", expect: {error: connection}}\n"
    try folder.write(["spec.yaml": "requests:\n" + String(repeating: request, count: 50)])
    let line = "stty cols 80 rows \(rows) && exec '\(try builtExecutable("reqrun"))' \(option) spec.yaml"
    var process = ProcessRun("/usr/bin/script", ["-qefc", line, "/dev/null"], in: folder.path)
    process.environment = ["PATH": "/usr/bin:/bin", "TERM": "dumb"]
    let text = String(decoding: try await process.run().output, as: UTF8.self)
    #expect(text.contains("spec.yaml"))
    #expect(text.split(whereSeparator: \.isNewline).count { $0.contains("✓ same") } == listed, "\(text)")
  }

  @Test("A download of send", .enabled(if: isScriptHere, "needs script, of util-linux")) func download() async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let line = "stty cols 70 && exec '\(try builtExecutable("reqrun"))' send -d \(server.address)/unknown"
    var process = ProcessRun("/usr/bin/script", ["-qefc", line, "/dev/null"], in: folder.path)
    process.environment = ["PATH": "/usr/bin:/bin"]
    let text = String(decoding: try await process.run().output, as: UTF8.self)
    #expect(text.contains(#/\r\u{1B}\[K… ↓ GET http://127.0… 2 KiB, /#), "\(text)")
    #expect(text.hasSuffix("→ ./unknown (2 KiB)\r\n"), "\(text)")
  }

  @Test("Elsewhere only where it is asked for") func elsewhere() async throws {
    let (out, error) = try await run([])
    #expect(error == "")
    #expect(!out.contains("↓"))
    let asked = try await run(["--progress", "always"])
    #expect(asked.error.contains("2 KiB of 4 KiB (50 %)"))
    #expect(asked.error.hasSuffix("\r\u{1B}[K"))
    #expect(!asked.out.contains("↓"))
  }
}
