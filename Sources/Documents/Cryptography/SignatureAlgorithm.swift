import Values

/// The signature algorithms of JSON Web Tokens (RFC 7518, section 3.1; RFC 8037).
package enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
  case hs256 = "HS256"
  case hs384 = "HS384"
  case hs512 = "HS512"
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case ps256 = "PS256"
  case ps384 = "PS384"
  case ps512 = "PS512"
  case es256 = "ES256"
  case es384 = "ES384"
  case es512 = "ES512"
  case edDSA = "EdDSA"

  /// Reads a name as `alg` of a header has it.
  package init(named name: String) throws(SignatureProblem) {
    if let algorithm = SignatureAlgorithm(rawValue: name) {
      self = algorithm
      return
    }
    let known = SignatureAlgorithm.allCases.map(\.rawValue)
    if name.lowercased() == "none" {
      throw SignatureProblem(
        .algorithm, "`none` is not a signature", help: "write one of \(known.joined(separator: ", "))")
    }
    let sameButCase = known.first { $0.lowercased() == name.lowercased() }
    throw SignatureProblem(
      .algorithm, "there is no signature algorithm `\(name)`",
      help: sameButCase.map { "write `\($0)`" } ?? nearestWord(to: name, among: known).map { "did you mean `\($0)`?" }
        ?? "write one of \(known.joined(separator: ", "))")
  }

  /// The hash function of the message; nil for EdDSA, which has its own.
  var digest: DigestAlgorithm? {
    switch self {
    case .hs256, .rs256, .ps256, .es256: .sha256
    case .hs384, .rs384, .ps384, .es384: .sha384
    case .hs512, .rs512, .ps512, .es512: .sha512
    case .edDSA: nil
    }
  }

  var isPSS: Bool { self == .ps256 || self == .ps384 || self == .ps512 }
}

/// The error in a key, an algorithm or a signed text.
package struct SignatureProblem: Error, Sendable, Hashable {
  package enum Part: Sendable, Hashable { case text, key, algorithm }

  package let part: Part
  package let message: String
  package let help: String?

  package init(_ part: Part, _ message: String, help: String? = nil) {
    self.part = part
    self.message = message
    self.help = help
  }
}
