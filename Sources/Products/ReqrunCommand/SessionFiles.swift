import CommandLineOptions
import OperatingSystem

/// The files of a session: one for headers and credentials, one for cookies, which only their owner can read.
struct SessionFiles {
  private let path: String
  /// The path of the cookies.
  let cookiePath: String

  /// - Parameters:
  ///   - name: a name, or a path with a slash.
  ///   - line: the request.
  init(_ name: String, of line: SendArguments) throws(SendProblem) {
    if name.contains("/") {
      path = name
    } else {
      guard !name.isEmpty, !name.hasPrefix(".") else {
        throw SendProblem("--session \(name) is not a name", help: "write a word, or a path with a slash")
      }
      guard let server = line.server else {
        throw SendProblem(
          "--session \(name) has no host: the URL begins without one, or with a template",
          help: "write the host, or the path of a file for the session: ./\(name).json")
      }
      let state = environmentSetting("XDG_STATE_HOME") ?? environmentSetting("HOME").map { "\($0)/.local/state" }
      guard let state else {
        throw SendProblem("--session \(name) has no place: HOME is not set", help: "give a path: ./\(name).json")
      }
      let sessions = "\(state)/reqrun/sessions"
      let folder = "\(sessions)/\(server.origin)"
      path = "\(folder)/\(name).json"
      // Earlier versions had one folder for both schemes, and `a_1` was that of `a:1`, too.
      if server.isSecure, !server.host.contains("_"), pathKind(folder) == .nothing {
        try? moveFile("\(sessions)/\(server.authority.replacing(":", with: "_"))", to: folder)
      }
    }
    cookiePath = (path.hasSuffix(".json") ? String(path.dropLast(5)) : path) + ".cookies"
  }

  /// The warning if others can read what the files keep.
  var warning: String? {
    guard isReadableByOthers(path) else { return nil }
    return "warning: others may read the session \(path)\n  = help: allow only yourself: chmod 600 \(path)\n"
  }

  func read() throws(SendProblem) -> SavedSession {
    if pathKind(path) == .nothing { return SavedSession() }
    switch readFile(path, limit: 1 << 20) {
    case .failure(let problem): throw SendProblem("the session \(path) cannot be read: \(problem.reason)")
    case .success(let bytes):
      do throws(SendProblem) {
        return try SavedSession(json: bytes)
      } catch {
        throw SendProblem(
          "the session \(path) cannot be read: \(error.message)", help: "remove the file, or name another one")
      }
    }
  }

  /// Makes the directories, and adds cookies to the file that the run reads.
  func prepare(cookies: [(name: String, value: String)], from server: SendArguments.Server?) throws(SendProblem) {
    do throws(SystemProblem) {
      var folder = path.hasPrefix("/") ? "/" : ""
      for part in path.split(separator: "/").dropLast() {
        folder += part
        if pathKind(folder) == .nothing { try makeDirectory(folder, isPrivate: true) }
        folder += "/"
      }
      guard !cookies.isEmpty, let server else { return }
      let lock = try ReplacementLock(of: cookiePath)
      defer { lock.release() }
      var bytes: [UInt8] = []
      if case .success(let old) = readFile(cookiePath, limit: 16 << 20) { bytes = old }
      for cookie in cookies {
        let isSecure = server.isSecure ? "TRUE" : "FALSE"
        bytes += Array("\(server.host)\tFALSE\t/\t\(isSecure)\t0\t\(cookie.name)\t\(cookie.value)\n".utf8)
      }
      try write(bytes, to: cookiePath)
    } catch {
      throw unwritten(error)
    }
  }

  /// Takes over what the line sets into the session as it is by now, after requests that were sent meanwhile.
  func update(by line: SendArguments, _ files: SendArguments.Files) throws(SendProblem) {
    let lock: ReplacementLock
    do throws(SystemProblem) { lock = try ReplacementLock(of: path) } catch { throw unwritten(error) }
    defer { lock.release() }
    var line = line
    line.session = try read()
    guard let session = try line.session(files) else { return }
    do throws(SystemProblem) { try write(session.json, to: path) } catch { throw unwritten(error) }
  }

  private func unwritten(_ problem: SystemProblem) -> SendProblem {
    SendProblem("the session \(path) cannot be written: \(problem.reason)")
  }

  private func write(_ bytes: [UInt8], to path: String) throws(SystemProblem) {
    let file = try ReplacementFile(of: path, isPrivate: true, isNamedByUser: true)
    file.write(bytes)
    try file.commit()
  }
}
