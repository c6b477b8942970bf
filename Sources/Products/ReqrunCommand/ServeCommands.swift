import CommandLineOptions
import CurlTransport
import LocalServer
import MockServer
import RecordingProxy
import ReqrunKit
import Values

extension Command {
  /// Serves until a signal ends it.
  ///
  /// - Parameter status: the exit code then; nil is that of the signal.
  static func serve(
    _ command: ParsedCommand, as name: String, start: (_ port: UInt16) throws(ServerError) -> HTTPServer,
    status: () -> Int32? = { nil }
  ) async -> Int32 {
    do throws(ServerError) {
      let server = try start(UInt16(command.integer(of: "port") ?? 0))
      let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
      signalHandler.set { continuation.yield($0) }
      let text = "\(name) listens at \(server.address); Ctrl-C ends it\n"
      if let problem = StandardStream.output.write(text) { return StandardStream.output.report(problem) }
      for await signal in stream {
        server.stop()
        return status() ?? 128 + signal
      }
      return 0
    } catch {
      StandardStream.error.write("error: \(error.message)\n\(error.help.map { "  = help: \($0)\n" } ?? "")")
      return 2
    }
  }

  static func serveMock(_ command: ParsedCommand) async throws(UsageError) -> Int32 {
    var options = MockOptions()
    options.isStateful = command.flag("stateful")
    options.isStrict = command.flag("reject")
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
    let isQuiet = command.flag("quiet")
    let sources = await MockSources(
      reading: try runOptions(command), keepsDelays: options.latency.isRecorded)
    StandardStream.error.write(sources.diagnostics.map { Diagnostic($0) }.drawn())
    if sources.diagnostics.contains(where: { $0.severity == .error }) { return 2 }
    var forward: (@Sendable (ServerRequest) -> ServerResponse)?
    if command.flag("target") {
      let proxy = ReverseProxy(to: try targetServer(command), by: LibcurlTransport(parallel: 64)) { _ in }
      forward = { proxy.forward($0) }
    }
    let mock = MockServer(sources, options, forward: forward) { if !isQuiet { StandardStream.output.write($0) } }
    let severity = options.isStrict ? "error" : "warning"
    let check = Task.detached { [mock] in
      let problems = mock.problems.map { "\(severity): \(sanitizedForTerminal($0))\n" }
      StandardStream.error.write(problems.joined())
      return problems.isEmpty
    }
    // Otherwise it is there at once, however large the contract is.
    if options.isStrict, await !check.value { return 2 }
    let name = "the mock of \(mock.contents)"
    return await serve(command, as: name) { port throws(ServerError) in
      try HTTPServer.start("the mock", port: port) { mock.respond($0) }
    } status: {
      guard command.flag("verify") else { return nil }
      let complaint = mock.complaint
      StandardStream.error.write(complaint ?? "")
      return complaint == nil ? 0 : 1
    }
  }
}
