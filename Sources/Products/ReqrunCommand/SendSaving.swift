import CommandLineOptions
import OperatingSystem
import ReqrunKit
import RunReports
import Values
import YAMLNodes

/// The spec to which `send --save` adds its request.
struct SendSaving {
  let path: String
  private let expects: Bool
  private var line: SendArguments
  private var files: SendArguments.Files
  /// Gets the response.
  let response = LastResponse()

  init(_ path: String, _ line: SendArguments, _ files: SendArguments.Files, _ options: RunOptions, expects: Bool) {
    (self.path, self.line, self.files, self.expects) = (path, line, files, expects)
    self.line.isSaved = true
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    self.files.written = { ReqrunCommand.path($0, from: directory) }
    self.line.variables = options.variables.sorted { $0.key < $1.key }.map { name, value in
      switch value {
      case .text(let text): (name, variableNode(text: text, isJSON: false))
      case .json(let text): (name, variableNode(text: text, isJSON: true))
      }
    }
  }

  /// Saves the request, and returns the message about it, with the exit code.
  ///
  /// - Parameter isSent: false if nothing was to be sent.
  func save(isSent: Bool, style: DiagnosticRenderer) -> (text: String, exitCode: Int32) {
    let last = response.value
    if isSent, last == nil { return ("not saved: there is no response\n", 0) }
    let type = last?.headers.first { $0.name.lowercased() == "content-type" }?.value
    let received = last.map { SavedResponse(status: $0.status, contentType: type, body: $0.body?.bytes()) }
    func unwritten(_ problem: SystemProblem) -> (text: String, exitCode: Int32) {
      ("error: \(path) cannot be written: \(problem.reason)\n", 5)
    }
    let lock: ReplacementLock
    do throws(SystemProblem) { lock = try ReplacementLock(of: path) } catch { return unwritten(error) }
    defer { lock.release() }
    var old: [UInt8]?
    if pathKind(path) != .nothing {
      switch readFile(path, limit: 256 << 20) {
      case .success(let bytes): old = bytes
      case .failure(let problem): return ("error: \(path) cannot be read: \(problem.reason)\n", 5)
      }
    }
    let request: SendRequest
    do throws(SendProblem) {
      request = try self.request(besides: old)
    } catch {
      return (UsageError(error.message, help: error.help).text, 2)
    }
    var bag = DiagnosticBag()
    let text = request.saved(
      in: old, path: path, response: received, expects: expects, into: &bag)
    guard let text else { return (style.render(bag.diagnostics) + "\n", 2) }
    do throws(SystemProblem) {
      let file = try ReplacementFile(of: path, isNamedByUser: true)
      file.write(text)
      try file.commit()
    } catch {
      return unwritten(error)
    }
    let secrets = request.secrets.map(\.name).joined(separator: ", ")
    let advice = secrets.isEmpty ? "" : "; it reads \(secrets) from the environment, or --secret"
    return ("saved in \(sanitizedForTerminal(path))\(advice)\n", 0)
  }
}

extension SendSaving {
  /// The request with names for its secrets that stand for nothing else in the file.
  private func request(besides old: [UInt8]?) throws(SendProblem) -> SendRequest {
    var line = line
    line.avoidNames(in: old ?? []) { environmentSetting($0) }
    return try line.request(files)
  }
}

/// The path of a file, as it is seen from another directory.
func path(_ path: String, from directory: String) -> String {
  guard let here = canonicalPath("."), let base = canonicalPath(directory) else { return path }
  let target = components(path.hasPrefix("/") ? path : "\(here)/\(path)")
  let start = components(base)
  let common = zip(target, start).prefix { $0 == $1 }.count
  return (Array(repeating: "..", count: start.count - common) + target[common...]).joined(separator: "/")
}

private func components(_ path: String) -> [String] {
  var result: [String] = []
  for part in path.split(separator: "/") where part != "." {
    if part == "..", !result.isEmpty { result.removeLast() } else { result.append(String(part)) }
  }
  return result
}
