import DocumentQueries
import Values

/// A signed text in compact form (JWS, RFC 7515), such as a JSON Web Token (RFC 7519).
package struct JSONWebSignature: Sendable {
  /// The members of its header.
  package let header: Mapping
  package let payload: [UInt8]
  /// The part that is signed: header and payload as written.
  private let signedBytes: [UInt8]
  private let signature: [UInt8]

  /// Reads a text without verifying it.
  package init(reading text: String) throws(SignatureProblem) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      let problem = parts.count == 5 ? "this token is encrypted" : "this text is not a token"
      throw SignatureProblem(
        .text, problem, help: "a signed token has three parts, and two dots between them; this has \(parts.count)")
    }
    guard let headerBytes = base64URLDecoded(parts[0]), let payload = base64URLDecoded(parts[1]),
      let signature = base64URLDecoded(parts[2])
    else { throw SignatureProblem(.text, "the parts of a token are base64url without padding, and these are not") }
    guard let document = try? JSONDocument(parsing: headerBytes), case .mapping(let header) = document.root.value else {
      throw SignatureProblem(.text, "the first part of this token is not a JSON object in base64url")
    }
    guard Set(header.keys).count == header.count else {
      throw SignatureProblem(.text, "the header of this token has a member twice")
    }
    self.header = header
    self.payload = payload
    self.signature = signature
    signedBytes = Array((parts[0] + "." + parts[1]).utf8)
  }

  /// Verifies the signature; an algorithm other than those given, or not for the key, is refused.
  ///
  /// - Parameter algorithms: those that the token's header may have; nil means all for the key.
  package func verify(with key: SigningKey, algorithms: [SignatureAlgorithm]? = nil) throws(SignatureProblem) {
    guard case .text(let name)? = header["alg"] else {
      throw SignatureProblem(.text, "the header of this token has no `alg`")
    }
    guard let algorithm = SignatureAlgorithm(rawValue: name.string) else {
      throw SignatureProblem(
        .text,
        name.string.lowercased() == "none"
          ? "this token is not signed: its `alg` is `\(name.string)`"
          : "this token has an unknown `alg`: `\(name.string)`")
    }
    if let algorithms, !algorithms.contains(algorithm) {
      throw SignatureProblem(
        .text, "this token is signed with \(algorithm.rawValue), which is not allowed here",
        help: "allowed: \(listed(algorithms))")
    }
    try key.require(algorithm)
    guard header["crit"] == nil else {
      throw SignatureProblem(.text, "the header of this token has `crit`: extensions that must be understood")
    }
    guard try key.isSignature(signature, of: signedBytes, by: algorithm) else {
      throw SignatureProblem(.text, "the signature of this token is not that of the key")
    }
  }

  /// Signs a payload; the header has `alg`, `typ` and `kid`.
  ///
  /// - Parameters:
  ///   - algorithm: nil means the usual one for the key.
  ///   - identifier: the `kid`; nil means the key's own, if it has one.
  ///   - type: the `typ`, if there is to be one.
  package static func sign(
    _ payload: [UInt8], with key: SigningKey, algorithm: SignatureAlgorithm? = nil, identifier: String? = nil,
    type: String? = "JWT"
  ) throws(SignatureProblem) -> String {
    let algorithm = algorithm ?? key.algorithms[0]
    try key.require(algorithm)
    var header = Mapping([("alg", .text(algorithm.rawValue))])
    if let type { header["typ"] = .text(type) }
    if let identifier = identifier ?? key.identifier { header["kid"] = .text(identifier) }
    let headerBytes = Array(Value.mapping(header).jsonText().string.utf8)
    let signed = base64URLEncoded(headerBytes) + "." + base64URLEncoded(payload)
    return signed + "." + base64URLEncoded(try key.signature(of: Array(signed.utf8), by: algorithm))
  }
}
