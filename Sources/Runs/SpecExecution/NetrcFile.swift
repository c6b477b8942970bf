import HTTPSemantics
import OperatingSystem
import RequestSpecs

/// The file that `auth: netrc` takes credentials from.
struct NetrcFile: Sendable {
  let netrc: Netrc
  let path: String
  /// Whether curl would read it by itself.
  let isDefault: Bool

  /// - Parameter path: of `--netrc-file`; else the environment tells.
  init(path given: String?) throws(DecodingProblem) {
    guard let path = netrcPath(given) else {
      throw DecodingProblem(
        "there is no .netrc file: HOME is not set", help: "set NETRC, or give --netrc-file FILE")
    }
    self.path = path
    isDefault = path == homeNetrcPath
    switch readFile(path, limit: 1 << 20) {
    case .failure(let problem):
      throw DecodingProblem(
        "the netrc file \(path) cannot be read: \(problem.reason)",
        help: "NETRC or --netrc-file names another file")
    case .success(let bytes):
      do {
        netrc = try Netrc(parsing: String(decoding: bytes, as: UTF8.self))
      } catch {
        throw DecodingProblem("the netrc file \(path) cannot be read: \(error.message) in line \(error.line)")
      }
    }
  }
}

/// Where credentials for hosts are looked for: the file given, `NETRC`, `.netrc` at home; nil where there is no home.
package func netrcPath(_ given: String?) -> String? {
  given ?? environmentSetting("NETRC") ?? homeNetrcPath
}

private var homeNetrcPath: String? { environmentSetting("HOME").map { $0 + "/.netrc" } }
