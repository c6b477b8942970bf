import HTTPSemantics
import OperatingSystem
import Values

/// The jar that all files of a run share, and its file.
struct CookieJarFile {
  /// The maximum number of problems shown, since the file may be of another kind.
  private static let shownProblems = 5
  private let path: String
  let jar: CookieJar

  /// Reads the file if it exists.
  init(_ path: String, into bag: inout DiagnosticBag) {
    self.path = path
    var known = CookieJar()
    do throws(SystemProblem) {
      try ReplacementFile.prepare(path)
      do throws(SystemProblem) {
        let file = try CookieJarFile.content(of: path)
        CookieJarFile.report(file.problems, of: path, into: &bag)
        known = CookieJar(file.cookies)
      } catch {
        bag.error(.unreadableFile, "the cookie jar \(path) cannot be read: \(error.reason)", at: nil)
      }
    } catch {
      bag.error(.unwritableFile, "the cookie jar \(path) cannot be written: \(error.reason)", at: nil)
    }
    jar = CookieJar(copying: known)
  }

  /// The cookies in a file. A path that isn't a regular file, such as /dev/stdout, is only written.
  private static func content(of path: String) throws(SystemProblem) -> CookieFile {
    guard pathKind(path) == .file, !isStandardOutput(path) else { return CookieFile(parsing: [], now: .now) }
    return CookieFile(parsing: try readFile(path, limit: 16 << 20).get(), now: .now)
  }

  private static func report(_ problems: [CookieFile.Problem], of path: String, into bag: inout DiagnosticBag) {
    for problem in problems.prefix(shownProblems) {
      let message = "\(path):\(problem.line): \(problem.message)"
      if problem.isBroken {
        bag.error(.invalidFile, message, at: nil, help: problem.help)
      } else {
        bag.warning(.invalidFile, message, at: nil, help: problem.help)
      }
    }
    if problems.count > shownProblems {
      bag.error(
        .invalidFile, "\(path): \(problems.count - shownProblems) more lines are not right", at: nil,
        help: "is it a cookie file of curl's or Netscape's form?")
    }
  }

  /// Writes what the run changed into the file as it is by now, since other runs may share it. Cookies that the format
  /// can't express are reported.
  func write(into bag: inout DiagnosticBag) {
    var leftOut: [Cookie] = []
    do throws(SystemProblem) {
      let lock = try ReplacementLock(of: path)
      defer { lock.release() }
      let current = CookieJar(try CookieJarFile.content(of: path).cookies)
      current.merge(jar)
      let octets: [UInt8]
      (octets, leftOut) = CookieFile.octets(of: current.unexpired(at: .now))
      let file = try ReplacementFile(of: path, isPrivate: true, isNamedByUser: true)
      file.write(octets)
      try file.commit()
    } catch {
      bag.error(.unwritableFile, "the cookie jar \(path) cannot be written: \(error.reason)", at: nil)
    }
    for cookie in leftOut {
      bag.warning(
        .invalidFile,
        "a cookie of \(cookie.domain) is not in the cookie jar: it has no name, or a tab in its name, value or path",
        at: nil)
    }
  }
}
