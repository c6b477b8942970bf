import Values
import HTTPSemantics
import OperatingSystem

/// The jar that all files of a run share, and its file.
struct CookieJarFile {
  /// The maximum number of problems shown, since the file may be of another kind.
  private let shownProblems = 5
  private let path: String
  let jar = CookieJar()

  /// Reads the file if it exists.
  init(_ path: String, into bag: inout DiagnosticBag) {
    self.path = path
    do throws(SystemProblem) {
      try ReplacementFile.prepare(path)
    } catch {
      bag.error("the cookie jar \(path) cannot be written: \(error.reason)", at: nil)
      return
    }
    switch pathKind(path) {
    // A path that isn't a regular file, such as /dev/stdout, is only written.
    case .nothing, .directory, .other: break
    case .file where isStandardOutput(path): break
    case .file: read(path, into: &bag)
    }
  }

  private func read(_ path: String, into bag: inout DiagnosticBag) {
    switch readFile(path, limit: 16 << 20) {
    case .failure(let problem):
      bag.error("the cookie jar \(path) cannot be read: \(problem.reason)", at: nil)
    case .success(let bytes):
      let file = CookieFile(parsing: bytes, now: .now)
      for problem in file.problems.prefix(shownProblems) {
        let message = "\(path):\(problem.line): \(problem.message)"
        if problem.isBroken {
          bag.error(message, at: nil, help: problem.help)
        } else {
          bag.warning(message, at: nil, help: problem.help)
        }
      }
      if file.problems.count > shownProblems {
        bag.error(
          "\(path): \(file.problems.count - shownProblems) more lines are not right", at: nil,
          help: "is it a cookie file of curl's or Netscape's form?")
      }
      for cookie in file.cookies { jar.insert(cookie) }
    }
  }

  /// Writes the jar to a temporary file and renames it; cookies that the format can't express are reported.
  func write(into bag: inout DiagnosticBag) {
    let (octets, leftOut) = CookieFile.octets(of: jar.unexpired(at: .now))
    do throws(SystemProblem) {
      let file = try ReplacementFile(of: path, isPrivate: true, isNamedByUser: true)
      file.write(octets)
      try file.commit()
    } catch {
      bag.error("the cookie jar \(path) cannot be written: \(error.reason)", at: nil)
    }
    for cookie in leftOut {
      bag.warning(
        "a cookie of \(cookie.domain) is not in the cookie jar: it has no name, or a tab in its name, value or path",
        at: nil)
    }
  }
}
