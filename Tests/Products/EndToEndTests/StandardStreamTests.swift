import Foundation
import TestSupport
import Testing

/// What the command does with its three standard streams, and on a terminal.
@Suite("Standard streams", .timeLimit(.minutes(10)))
struct StandardStreamTests {
  private static let spec = "requests: [{name: one, url: \"http://127.0.0.1:9/\", tags: [a]}]\n"

  private func shell(
    _ command: String, files: [String: String] = [:], environment: [String: String] = [:]
  ) async throws -> (out: String, error: String, ending: ProcessRun.Ending) {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(files.merging(["spec.yaml": Self.spec]) { own, _ in own })
    let program = try builtExecutable("reqrun")
    var process = ProcessRun("/bin/sh", ["-c", "R='\(program)'; \(command)"], in: folder.path)
    process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
    let result = try await process.run()
    return (
      String(decoding: result.output, as: UTF8.self), String(decoding: result.errorOutput, as: UTF8.self), result.ending
    )
  }

  @Test("`-` is a spec on standard input, whose messages name it so")
  func standardInput() async throws {
    let sound = try await shell("$R check - < spec.yaml")
    #expect(sound.out == "1 file with 1 request: no errors\n")
    let line = try await shell("$R list -:1:11 - < spec.yaml")
    #expect(line.out == "-:1: one  GET http://127.0.0.1:9/  #a\n")
    let broken = try await shell("echo 'ulr: /' | $R -")
    #expect(broken.error.contains("  --> -:1:1\n"))
    #expect(broken.ending == .exited(2))
    let beside = try await shell(
      "echo '{url: \"http://a.test/\", method: POST, body: {file: sub/x}}' | $R check -", files: ["sub/x": ""])
    #expect(beside.out.hasSuffix("no errors\n"))
  }

  @Test("`--stdin-path` reads standard input as if it lay there")
  func inputAsFile() async throws {
    let files = [
      "reqrun.yaml": "variables: {host: \"http://127.0.0.1:9\"}\n",
      "a/login.yaml": "requests: [{url: \"${{ host }}/login\"}]\n",
      "a/saved.yaml": "requests: [{url: broken",
    ]
    let text = "requests: [{use: login.yaml}, {url: \"${{ host }}/\"}]"
    let sound = try await shell("echo '\(text)' | $R check - --stdin-path a/saved.yaml", files: files)
    #expect(sound.out == "1 file with 2 requests: no errors\n" && sound.error == "")
    let list = try await shell("echo '\(text)' | $R list --stdin-path a/new.yaml -:1 --output json", files: files)
    #expect(list.error.hasPrefix("error: --stdin-path goes with - as a file\n"))
    let broken = try await shell(
      "echo 'ulr: /' | $R check --output json - --stdin-path a/new.yaml", files: files)
    #expect(broken.out.contains(#""place":{"file":"a/new.yaml","start":{"line":1,"column":1,"#))
    let invalid = try await shell(
      "printf 'url: \\377' | $R check - --stdin-path a/new.yaml", files: files)
    #expect(invalid.error == "error: standard input is not UTF-8\n")
    #expect(invalid.ending == .exited(2))
  }

  @Test(
    "output that cannot be written is told, and exit code 5",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
    arguments: [
      "--help", "--version", "help units", "man", "completions bash", "list spec.yaml", "check spec.yaml", "demo",
    ])
  func fullDisk(_ words: String) async throws {
    let result = try await shell("$R \(words) > /dev/full")
    #expect(result.error == "error: standard output cannot be written: no space left on device\n")
    #expect(result.ending == .exited(5))
  }

  @Test("a run's own status is worth more, and a reader that goes away is not an error")
  func otherStatus() async throws {
    let failed = try await shell("$R spec.yaml > /dev/full")
    #expect(failed.ending == .exited(3))
    #expect(failed.error.contains("standard output cannot be written"))
    let piped = try await shell("{ $R list spec.yaml; echo $? >&2; } | true")
    #expect(piped.error == "0\n")
  }

  @Test("Ctrl-C says what is waited for, and that a second one ends it")
  func interruption() async throws {
    let server = try FaultServer.start(
      #"wait 3s"# + "\n" + #"send "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx""# + "\n")
    defer { server.stop() }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["slow.yaml": "requests: [{name: slow one, url: \"\(server.address)/\"}]\n"])
    let process = Process()
    let (output, errorOutput) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: try builtExecutable("reqrun"))
    process.arguments = ["\(folder.path)/slow.yaml"]
    process.environment = [:]
    process.standardOutput = output
    process.standardError = errorOutput
    try process.run()
    while process.isRunning, server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    process.interrupt()
    let error = try errorOutput.fileHandleForReading.readToEnd() ?? Data()
    let out = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(
      String(decoding: error, as: UTF8.self)
        == "interrupted: waits up to 5 s for slow one, then for teardowns; Ctrl-C again ends it at once\n")
    #expect(String(decoding: out, as: UTF8.self).contains("✓ slow one"))
    #expect(process.terminationStatus == 130)
  }

  @Test("a dumb terminal gets no escape sequence, another one colours and a progress line that stays")
  func terminals() async throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/script") else { return }
    let server = try FaultServer.start(
      """
      /quick
      send "HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\nx"
      /slow
      wait 600ms
      send "HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\nx"
      """)
    defer { server.stop() }
    let spec = """
      requests:
        - {name: quick one, url: "\(server.address)/quick"}
        - {name: slow one, url: "\(server.address)/slow"}
      """
    let command = "stty cols 80; script -qefc \"$R slow.yaml\" /dev/null"
    let dumb = try await shell(command, files: ["slow.yaml": spec], environment: ["TERM": "dumb"])
    #expect(dumb.out.contains("✓ slow one"))
    #expect(!dumb.out.contains("\u{1B}"))
    let other = try await shell(command, files: ["slow.yaml": spec], environment: ["TERM": "xterm"])
    // The result of the first has been drawn, and the line comes back while nothing happens.
    let rest = try #require(other.out.components(separatedBy: "✓\u{1B}[0m quick one").last)
    #expect(rest.contains("… 0 of 1 file, 1 request · slow one\r\u{1B}[K"))
  }
}
