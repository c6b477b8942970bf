import Foundation
import TestSupport
import Testing

/// Responses and templates that would be evaluated for minutes.
@Suite("Evaluation is interrupted", .timeLimit(.minutes(10)))
struct InterruptedEvaluationTests {
  private struct Subject {
    let name: String
    var body = "1"
    var repeated = ""
    var end = ""
    let request: String
  }

  /// Each takes half a minute and more.
  private static let subjects = [
    Subject(
      name: "patterns", body: "[1", repeated: #",\"\#(String(repeating: "a", count: 50))!\""#, end: "]",
      request: #"expect: {json: {"$[1:]": {every: {matches: "(a+)+$"}}}}"#),
    Subject(
      name: "patterns of a schema", body: "[1", repeated: #",\"\#(String(repeating: "a", count: 50))!\""#, end: "]",
      request: #"expect: {schema: {items: {anyOf: [{type: integer}, {pattern: "(a+)+$"}]}}}"#),
  ]

  private static func server(_ subject: Subject) throws -> FaultServer {
    try FaultServer.start(
      """
      send "HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nConnection: close\\r\\n\\r\\n\(subject.body)"
      repeat 20000 "\(subject.repeated)"
      send "\(subject.end)"
      close
      """)
  }

  private static func spec(_ subject: Subject, _ server: FaultServer) -> String {
    """
    requests:
      - {name: "\(subject.name)", url: "\(server.address)/", \(subject.request)}
      - {name: after, url: "\(server.address)/"}
    teardown:
      - {name: teardown, url: "\(server.address)/", expect: {status: 200}}
    """
  }

  /// - Parameter needs: the files that the spec needs.
  private static func run(
    _ arguments: [String], _ spec: String, needs: [String: String] = [:]
  ) async throws -> (output: String, ending: ProcessRun.Ending) {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(needs.merging(["spec.yaml": spec]) { $1 })
    var run = ProcessRun(try builtExecutable("reqrun"), arguments + ["spec.yaml"], in: folder.path)
    // Uninterrupted, each takes longer than that.
    run.limits.cpuSeconds = 20
    let result = try await run.run()
    return (String(decoding: result.output, as: UTF8.self), result.ending)
  }

  @Test("by --max-time, while requests are read")
  func expiredAtLoading() async throws {
    let requests = (1...20_000).map { "  - {url: \"http://127.0.0.1:9/\($0)\"}\n" }.joined()
    let (output, ending) = try await Self.run(["--max-time", "1ms"], "requests:\n\(requests)")
    #expect(ending == .exited(1), "\(output)")
    #expect(output.contains("0 requests in 0 files: nothing was sent"), "\(output)")
    #expect(output.contains("the run was ended after 1.0 ms (--max-time)"), "\(output)")
  }

  @Test("by --max-time: the teardown runs, reports are written", arguments: subjects.indices)
  func expired(_ index: Int) async throws {
    let subject = Self.subjects[index]
    let server = try Self.server(subject)
    defer { server.stop() }
    let (output, ending) = try await Self.run(["--max-time", "3s"], Self.spec(subject, server))
    #expect(ending == .exited(1), "\(output)")
    #expect(output.contains("error: cut short: the run's time (--max-time) was up"), "\(output)")
    #expect(output.contains("✓ [teardown] teardown"), "\(output)")
    #expect(output.contains("the run was ended after 3.00 s (--max-time)"), "\(output)")
  }

  @Test("by --max-time, while the runs of needs are planned")
  func planning() async throws {
    // Each needs the next one twice, with other values: 65,534 runs in all.
    let layers = 15
    func file(_ index: Int) -> String {
      let need = ["a", "b"].map { "\($0): {use: layer\(index + 1).yaml, with: {v: \"${{ v }}\($0)\"}}" }
      return """
        variables: {v: x}
        \(index < layers ? "needs: {\(need.joined(separator: ", "))}" : "")
        requests: [{url: "http://127.0.0.1:9/"}]
        """
    }
    let needs = Dictionary(uniqueKeysWithValues: (1...layers).map { ("layer\($0).yaml", file($0)) })
    let (output, ending) = try await Self.run(["--dry-run", "--max-time", "100ms"], file(0), needs: needs)
    #expect(ending == .exited(1), "\(output)")
    // While they are planned, or behind that.
    let ends = ["0 requests in 0 files: nothing was sent", "1 request in 1 file: 1 skipped"]
    #expect(ends.contains(where: output.contains), "\(output)")
    #expect(output.contains("the run was ended after 100 ms (--max-time)"), "\(output)")
  }

  @Test("by the request's own time")
  func late() async throws {
    let subject = Self.subjects[0]
    let server = try Self.server(subject)
    defer { server.stop() }
    let (output, ending) = try await Self.run(["--timeout", "3s"], Self.spec(subject, server))
    #expect(ending == .exited(1), "\(output)")
    #expect(
      output.contains("error: evaluating the response took longer than 3s (it was at: json $[1:])"), "\(output)")
    #expect(output.split(separator: "\n").count { $0.contains("error: ") } == 1, "\(output)")
  }

  @Test("templates end with the run's time")
  func templates() async throws {
    let server = try FaultServer.start(#"send "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n""#)
    defer { server.stop() }
    // A text of 4 MiB, and a thousand looks at it.
    let text = String(repeating: "a", count: 1 << 16)
    let looks = String(repeating: "${{ length(upper(c)) }}", count: 1000)
    let spec = """
      variables: {a: "\(text)", c: "\(String(repeating: "${{ a }}", count: 64))"}
      requests:
        - {name: templates, url: "\(server.address)/", body: "\(looks)"}
      """
    let (output, ending) = try await Self.run(["--max-time", "3s"], spec)
    #expect(ending == .exited(1), "\(output)")
    #expect(output.contains("the run's time (--max-time) was up"), "\(output)")
    #expect(server.requests.isEmpty)
  }

  @Test("by two signals, with every thread of the pool evaluating")
  func signals() async throws {
    let subject = Self.subjects[0]
    let server = try Self.server(subject)
    defer { server.stop() }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let files = (0..<6).map { "spec\($0).yaml" }
    for file in files { try folder.write([file: Self.spec(subject, server)]) }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: try builtExecutable("reqrun"))
    process.arguments = ["-j", "6"] + files.map { "\(folder.path)/\($0)" }
    process.environment = [:]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, server.requests.count < 2 { try await Task.sleep(for: .milliseconds(10)) }
    try await Task.sleep(for: .milliseconds(100))
    process.interrupt()
    try await Task.sleep(for: .milliseconds(20))
    #expect(process.isRunning, "what is in flight has its grace")
    let start = ContinuousClock.now
    process.terminate()
    let text = String(decoding: try #require(try output.fileHandleForReading.readToEnd()), as: UTF8.self)
    process.waitUntilExit()
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(process.terminationStatus == 130, "\(text)")
    #expect(text.contains("cut short: the run was aborted"), "\(text)")
    #expect(!text.contains("✓"), "\(text)")
  }
}
