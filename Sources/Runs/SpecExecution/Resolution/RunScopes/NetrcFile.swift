import HTTPSemantics
import OperatingSystem
import RequestSpecs

/// The file with the credentials for `auth: netrc`.
package struct NetrcFile: Sendable {
  package let netrc: Netrc
  package let path: String
  /// Indicates whether curl would read it by default.
  package let isDefault: Bool

  /// - Parameter path: the value of `--netrc-file`; nil uses the environment.
  package init(path given: String?) throws(DecodingProblem) {
    guard let path = netrcPath(given) else {
      throw DecodingProblem(
        .missingFile, "there is no .netrc file: HOME is not set", help: "set NETRC, or give --netrc-file FILE")
    }
    self.path = path
    isDefault = path == homeNetrcPath
    switch readFile(path, limit: 1 << 20) {
    case .failure(let problem):
      throw DecodingProblem(
        .unreadableFile, "the netrc file \(path) cannot be read: \(problem.reason)",
        help: "NETRC or --netrc-file names another file")
    case .success(let bytes):
      do {
        netrc = try Netrc(parsing: String(decoding: bytes, as: UTF8.self))
      } catch {
        throw DecodingProblem(
          .unreadableFile, "the netrc file \(path) cannot be read: \(error.message) in line \(error.line)")
      }
    }
  }
}

/// The path of the netrc file: the given one, `NETRC`, or `.netrc` at home; nil without a home.
package func netrcPath(_ given: String?) -> String? {
  given ?? environmentSetting("NETRC") ?? homeNetrcPath
}

private var homeNetrcPath: String? { environmentSetting("HOME").map { $0 + "/.netrc" } }
