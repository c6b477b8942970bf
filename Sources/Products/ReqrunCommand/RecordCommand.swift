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
    if !isConverterInstalled { return 2 }
    let isQuiet = command.flag("quiet")
    let recorder = ExchangeRecorder(
      version: Runner.version, report: { if !isQuiet { StandardStream.output.write($0 + ($1 ?? "")) } })
    let proxy = ReverseProxy(to: target, by: LibcurlTransport(parallel: 64)) { recorder.record($0) }
    let status = await serve(command, as: "the recorder of \(target.authority)") { port throws(ServerError) in
      try HTTPServer.start("the recorder", port: port, storesBodies: true) { proxy.forward($0) }
    }
    return status > 128 ? await importRecording(of: recorder, by: proxy) : status
  }

  /// Indicates whether what is recorded can be imported; reports it otherwise, so that nothing is recorded in vain.
  static var isConverterInstalled: Bool {
    let converter = InstalledConverter()
    if converter.path != nil { return true }
    StandardStream.error.write("error: \(converter.problem)\n  = help: \(InstalledConverter.help)\n")
    return false
  }

  /// Goes on as the program that imports a recording; returns if there is none, or if that fails.
  static func importRecording(of recorder: ExchangeRecorder, by proxy: ReverseProxy) async -> Int32 {
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
