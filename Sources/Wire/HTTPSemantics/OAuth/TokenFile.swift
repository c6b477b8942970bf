import Cryptography
import DocumentQueries
import OperatingSystem
import Values

/// A token that a file keeps, with the time of its end.
package struct KeptToken: Sendable, Hashable {
  package let token: IssuedToken
  /// Nil if it has none.
  package let end: Timestamp?

  package init(_ token: IssuedToken, end: Timestamp?) {
    self.token = token
    self.end = end
  }
}

/// A file with the tokens of earlier runs, which only its owner may read.
///
/// The name of a token is a digest of all that decides it. That includes passwords, so the digest is slow: whoever reads
/// the file can't guess them quickly. Its salt is in the same file, which thus serves on another machine, too.
package struct TokenFile: Sendable {
  private static let sizeLimit = 16 << 20
  private static let saltName = "salt"
  private static let rounds: Int32 = 20_000
  private let path: String

  package init(path: String) {
    self.path = path
  }

  /// The token of an identity.
  package func token(_ identity: String) throws(TokenProblem) -> KeptToken? {
    let all = try contents()
    guard let salt = knownSalt(in: all), case .mapping(let members)? = all[name(of: identity, salt)],
      case .text(let accessToken)? = members["access_token"]
    else { return nil }
    var refreshToken: String?
    if case .text(let text)? = members["refresh_token"] { refreshToken = text.string }
    var end: Timestamp?
    if case .number(let number)? = members["expires_at"], let seconds = number.int {
      end = Timestamp(seconds: Int64(seconds))
    }
    return KeptToken(
      IssuedToken(accessToken: accessToken.string, lifetime: nil, refreshToken: refreshToken), end: end)
  }

  private func knownSalt(in members: Mapping) -> String? {
    if case .text(let salt)? = members[TokenFile.saltName] { salt.string } else { nil }
  }

  private func name(of identity: String, _ salt: String) -> String {
    hexEncoded(DigestAlgorithm.sha256.slowDigest(of: identity, salt: Array(salt.utf8), rounds: TokenFile.rounds))
  }

  /// Stores the token of an identity; all others stay, but for those of a file without a salt, which nobody finds.
  package func store(_ kept: KeptToken, as identity: String) throws(TokenProblem) {
    let lock: ReplacementLock
    do throws(SystemProblem) { lock = try ReplacementLock(of: path) } catch { throw unwritten(error) }
    defer { lock.release() }
    var members = try contents()
    let known = knownSalt(in: members)
    let salt = known ?? hexEncoded((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    if known == nil { members = Mapping([(TokenFile.saltName, .text(Text(salt)))]) }
    var content: [(String, Value)] = [("access_token", .text(Text(kept.token.accessToken)))]
    if let refreshToken = kept.token.refreshToken { content.append(("refresh_token", .text(Text(refreshToken)))) }
    if let end = kept.end { content.append(("expires_at", .number(Number(end.seconds)))) }
    members[name(of: identity, salt)] = .mapping(Mapping(content))
    do throws(SystemProblem) {
      let file = try ReplacementFile(of: path, isPrivate: true)
      file.write(Array((Value.mapping(members).jsonText(.pretty).string + "\n").utf8))
      try file.commit()
    } catch {
      throw unwritten(error)
    }
  }

  private func unwritten(_ problem: SystemProblem) -> TokenProblem {
    TokenProblem("the token cache \(path) cannot be written: \(problem.reason)", part: .cache, isFinal: false)
  }

  private func contents() throws(TokenProblem) -> Mapping {
    switch pathKind(path) {
    case .nothing: return Mapping()
    case .file: break
    case .directory, .other: throw TokenProblem("the token cache \(path) is not a regular file", part: .cache)
    }
    guard !isReadableByOthers(path) else {
      throw TokenProblem(
        "others may read the tokens in \(path)", help: "allow only yourself: chmod 600 \(path)", part: .cache)
    }
    switch readFile(path, limit: TokenFile.sizeLimit) {
    case .failure(let problem):
      throw TokenProblem("the token cache \(path) cannot be read: \(problem.reason)", part: .cache)
    case .success(let bytes):
      if bytes.isEmpty { return Mapping() }
      guard case .mapping(let members)? = (try? JSONDocument(parsing: bytes))?.root.value else {
        throw TokenProblem(
          "the token cache \(path) is not what reqrun wrote", help: "name another file, or delete it", part: .cache)
      }
      return members
    }
  }
}
