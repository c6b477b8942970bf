import CommandLineOptions
import LocalServer
import ReqrunKit
import Values

extension Command {
  /// Serves until a signal ends it.
  ///
  /// - Parameters:
  ///   - output: the stream for the line that says where.
  ///   - status: the exit code then.
  static func serve(
    _ command: ParsedCommand, as name: String, output: StandardStream = .output,
    start: (_ port: UInt16) throws(ServerError) -> HTTPServer,
    status: (_ signal: Int32) -> Int32 = { 128 + $0 }
  ) async -> Int32 {
    do throws(ServerError) {
      let server = try start(UInt16(command.integer(of: "port") ?? 0))
      let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
      signalHandler.set { continuation.yield($0) }
      let text = "\(name) listens at \(server.address); Ctrl-C ends it\n"
      if let problem = output.write(text) { return output.report(problem) }
      for await signal in stream {
        server.stop()
        return status(signal)
      }
      return 0
    } catch {
      StandardStream.error.write("error: \(error.message)\n\(error.help.map { "  = help: \($0)\n" } ?? "")")
      return 2
    }
  }
}
