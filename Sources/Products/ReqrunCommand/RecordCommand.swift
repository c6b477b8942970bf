import CommandLineOptions
import CurlTransport
import LocalServer
import RecordingProxy
import ReqrunKit
import Values

extension Command {
  /// Records what passes through a proxy until a signal ends it; then goes on as the program that imports it.
  static func record(_ command: ParsedCommand) async throws(UsageError) -> Int32 {
    let target = try targetServer(command)
    if command.value(of: "directory") == nil {
      throw UsageError("`reqrun record` needs a directory for the specs", help: "give it with -o DIRECTORY")
    }
    // Nothing is recorded in vain.
    let converter = InstalledConverter()
    if converter.path == nil {
      StandardStream.error.write("error: \(converter.problem)\n  = help: \(InstalledConverter.help)\n")
      return 2
    }
    let isQuiet = command.flag("quiet")
    let recorder = ExchangeRecorder(
      version: Runner.version, report: { if !isQuiet { StandardStream.output.write($0) } })
    let proxy = ReverseProxy(to: target, by: LibcurlTransport(parallel: 64)) { recorder.record($0) }
    let status = await serve(command, as: "the recorder of \(target.authority)") { port throws(ServerError) in
      try HTTPServer.start("the recorder", port: port) { proxy.forward($0) }
    }
    guard status > 128 else { return status }
    // Exchanges whose clients are gone with the server end soon.
    for _ in 0..<200 where proxy.count > 0 { try? await Task.sleep(for: .milliseconds(10)) }
    if recorder.count == 0 {
      StandardStream.error.write("nothing was recorded\n")
      return 4
    }
    guard recorder.becomeStandardInput() else {
      StandardStream.error.write("error: the temporary file of the recording cannot be read\n")
      return 5
    }
    return startConverter()
  }

  static func targetServer(_ command: ParsedCommand) throws(UsageError) -> HTTPURL {
    guard let text = command.value(of: "target") else {
      throw UsageError("`reqrun record` needs a server", help: "name it: --target https://api.example.org")
    }
    guard let url = try? HTTPURL(parsing: text.contains("://") ? text : "http://\(text)"), url.userinfo == nil else {
      throw UsageError(
        "--target is not the URL of a server",
        help: "write https://api.example.org")
    }
    guard ["", "/"].contains(url.path), url.query == nil else {
      throw UsageError(
        "--target \(sanitizedForTerminal(text)) has a path",
        help: "name the server alone: a request to \(url.path) of the recorder is one to that path")
    }
    return url
  }
}
