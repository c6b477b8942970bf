import CommandLineOptions
import CurlTransport
import HTTPSemantics
import LocalServer
import MockServer
import OperatingSystem
import RecordingProxy
import ReqrunKit
import Synchronization
import Values

/// `reqrun mock`: a server whose sources may change.
struct MockCommand {
  private let command: ParsedCommand
  private var options = MockOptions()
  private var sources: RunOptions
  private var forward: (@Sendable (ServerRequest) -> ServerResponse)?
  private var identity: ServerIdentity?
  private var recording: (recorder: ExchangeRecorder, proxy: ReverseProxy)?

  init(_ command: ParsedCommand) throws(UsageError) {
    self.command = command
    sources = try runOptions(command)
    options.isStateful = command.flag("stateful")
    options.isStrict = command.flag("reject")
    options.seed = sources.seed
    if let text = command.value(of: "latency") {
      guard let latency = MockOptions.latency(text) else {
        throw UsageError("--latency \(text) is not a duration", help: "write 50ms, 50ms..200ms, or recorded")
      }
      options.latency = latency
    }
    if let text = command.value(of: "fault") {
      guard let fault = MockOptions.fault(text) else {
        throw UsageError(
          "--fault \(text) is not a fault", help: "write 503:5%, or empty, reset, truncated or slow: reset:1%")
      }
      options.fault = fault
    }
    for origin in command.values(of: "cors") {
      guard let url = try? HTTPURL(parsing: origin), origin == "\(url.scheme)://\(url.authority)" else {
        throw UsageError(
          "--cors \(sanitizedForTerminal(origin)) is not an origin",
          help: "write scheme, host and port: http://localhost:5173")
      }
      options.origins.insert(origin)
    }
    if let path = sources.connection.cert {
      identity = ServerIdentity(
        certificate: try pem(path), key: try sources.connection.key.map { path throws(UsageError) in try pem(path) },
        passphrase: sources.connection.certPassphrase)
    }
    if command.flag("target") {
      let recorder =
        command.flag("save")
        ? ExchangeRecorder(version: Runner.version) { [output] in
          if let problem = $1 { output.write("  \($0.dropLast())\(problem.dropFirst())") }
        } : nil
      let proxy = ReverseProxy(to: try Command.targetServer(command), by: LibcurlTransport(parallel: 64)) {
        recorder?.record($0)
      }
      forward = { proxy.forward($0) }
      if let recorder { recording = (recorder, proxy) }
    }
  }

  private func pem(_ path: String) throws(UsageError) -> String {
    switch readFile(path, limit: 1 << 20) {
    case .success(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .failure(let problem):
      throw UsageError("the file \(path) cannot be read: \(problem.reason)", help: "name a PEM file")
    }
  }

  func run() async -> Int32 {
    var changes: SpecChanges?
    if command.flag("watch") {
      do throws(WatchProblem) {
        changes = try SpecChanges(sources)
      } catch {
        StandardStream.error.write("error: \(error.message)\n")
        return 2
      }
    }
    if recording != nil, !Command.isConverterInstalled { return 2 }
    guard let reports = CallReports(sources, report) else { return 5 }
    guard let mock = await load(changes, before: nil) else { return 2 }
    let current = CurrentMock(mock)
    if let changes { Task.detached { await follow(changes, current) } }
    var isServed = false
    let status = await Command.serve(command, as: "the mock of \(mock.contents)", output: output) {
      port throws(ServerError) in
      try HTTPServer.start("the mock", port: port, identity: identity) { current.mock.respond($0) }
    } status: { signal in
      isServed = true
      guard command.flag("verify") else { return 128 + signal }
      let complaint = current.mock.complaint
      StandardStream.error.write(complaint ?? "")
      return complaint == nil ? 0 : 1
    }
    guard isServed else { return status }
    // First: the import goes on as another program.
    guard reports.write(current.mock, isVerified: command.flag("verify"), exitCode: status, report) else { return 5 }
    guard let (recorder, proxy) = recording, status > 128 else { return status }
    return await Command.importRecording(of: recorder, by: proxy)
  }

  private func report(_ problem: Values.Diagnostic) {
    StandardStream.error.write([Diagnostic(problem)].drawn())
  }

  /// The stream for calls: not standard output if a report is written there.
  private var output: StandardStream { consoleStream(of: sources) }

  /// Reads the sources; nil if they have errors, which are reported.
  ///
  /// - Parameter earlier: the mock whose calls are kept.
  private func load(_ changes: SpecChanges?, before earlier: MockServer?) async -> MockServer? {
    var sources = sources
    if let changes {
      for file in changes.specFiles().keys { changes.used.restart(file) }
      sources.usedFiles = changes.used
    }
    let read = await MockSources(reading: sources, keepsDelays: options.latency.isRecorded)
    if !read.diagnostics.isEmpty { StandardStream.error.write(read.diagnostics.map { Diagnostic($0) }.drawn()) }
    if read.diagnostics.contains(where: { $0.severity == .error }) { return nil }
    let isQuiet = command.flag("quiet")
    let mock = MockServer(read, options, after: earlier, forward: forward) { [output] in
      if !isQuiet { output.write($0) }
    }
    let severity = options.isStrict ? "error" : "warning"
    let check = Task.detached { [mock] in
      let problems = mock.problems.map { "\(severity): \(sanitizedForTerminal($0))\n" }
      StandardStream.error.write(problems.joined())
      return problems.isEmpty
    }
    // Otherwise it is there at once, however large the contract is.
    if options.isStrict, await !check.value { return nil }
    return mock
  }

  /// Serves the sources as they change; what can't be read leaves the mock as it was.
  private func follow(_ changes: SpecChanges, _ current: CurrentMock) async {
    var known = changes.specFiles()
    while let changed = await changes.next(known: known) {
      known = changes.specFiles()
      guard let mock = await load(changes, before: current.mock) else {
        changes.used.accept(changed)
        continue
      }
      current.replace(by: mock)
      output.write("changed: the mock of \(mock.contents)\n")
    }
  }
}

/// The mock that serves now.
private final class CurrentMock: Sendable {
  private let value: Mutex<MockServer>

  init(_ mock: MockServer) { value = Mutex(mock) }

  var mock: MockServer { value.withLock(\.self) }

  func replace(by mock: MockServer) { value.withLock { $0 = mock } }
}
