internal import CLibCrypto
import DocumentQueries
import Values

/// A key that signs or verifies; its kind decides the algorithms, so that a public key is never used as a secret.
///
/// `@unchecked Sendable`: libcrypto lets threads share a key that doesn't change.
package final class SigningKey: @unchecked Sendable {
  enum Kind: Sendable, Hashable {
    case secret, rsa, rsaPSS, p256, p384, p521, edwards
  }

  enum Material {
    case secret([UInt8])
    /// An `EVP_PKEY` of libcrypto, which the key owns.
    case pair(OpaquePointer)
  }

  let material: Material
  let kind: Kind
  /// Indicates whether the key can sign.
  package let isPrivate: Bool
  /// The key's own `kid`.
  package let identifier: String?
  /// The algorithms for the key; the first is the usual one.
  package let algorithms: [SignatureAlgorithm]

  /// A shared secret.
  package init(
    secret: [UInt8], identifier: String? = nil, algorithm: SignatureAlgorithm? = nil
  ) throws(SignatureProblem) {
    guard !secret.isEmpty else { throw SignatureProblem(.key, "the key is empty") }
    material = .secret(secret)
    kind = .secret
    isPrivate = true
    self.identifier = identifier
    algorithms = try SigningKey.algorithms(of: .secret, restrictedTo: algorithm)
  }

  /// - Parameter pair: an `EVP_PKEY` of libcrypto, which the key then owns.
  init(
    owning pair: OpaquePointer, isPrivate: Bool, identifier: String? = nil, algorithm: SignatureAlgorithm? = nil
  ) throws(SignatureProblem) {
    do throws(SignatureProblem) {
      let kind = try SigningKey.kind(of: pair)
      algorithms = try SigningKey.algorithms(of: kind, restrictedTo: algorithm)
      self.kind = kind
    } catch {
      EVP_PKEY_free(pair)
      throw error
    }
    material = .pair(pair)
    self.isPrivate = isPrivate
    self.identifier = identifier
  }

  deinit {
    if case .pair(let pair) = material { EVP_PKEY_free(pair) }
  }

  /// Reads a key: a mapping is a JWK (RFC 7517); text or data is PEM, DER (also in base64), or a JWK in JSON, and
  /// otherwise a shared secret.
  package static func reading(_ value: Value) throws(SignatureProblem) -> SigningKey {
    switch value {
    case .mapping(let mapping): return try jwk(mapping)
    case .text(let text): return try reading(Array(text.string.utf8))
    case .data(let data): return try reading(data.bytes)
    case .null, .bool, .number, .date, .list:
      throw SignatureProblem(
        .key, "a key is a text, data or a JWK, not \(value.kind.phrase)",
        help: value.kind == .list ? "choose one key of the list" : nil)
    }
  }

  /// Reads a key in PEM, DER or JSON, and anything else as a shared secret.
  package static func reading(_ bytes: [UInt8]) throws(SignatureProblem) -> SigningKey {
    if isPEM(bytes) { return try pem(bytes) }
    let text = bytes.drop { isSpace($0) }
    if text.first == UInt8(ascii: "{") {
      if let document = try? JSONDocument(parsing: Array(text)), case .mapping(let mapping) = document.root.value {
        return try jwk(mapping)
      }
      if String(decoding: text, as: UTF8.self).contains("\"kty\"") {
        throw SignatureProblem(.key, "this key looks like a JWK, but it is not JSON")
      }
    }
    for prefix in ["ssh-", "ecdsa-sha2-"] where text.starts(with: prefix.utf8) {
      throw SignatureProblem(
        .key, "this is a public key of SSH", help: "convert it: `ssh-keygen -e -m PKCS8 -f key.pub` writes PEM")
    }
    if bytes.first == derSequence, let key = try der(bytes) { return key }
    // The base64 of DER begins with M: some servers publish their key so, without the lines of PEM.
    if text.first == UInt8(ascii: "M"), let decoded = base64Decoded(String(decoding: text, as: UTF8.self)),
      decoded.first == derSequence, let key = try der(decoded)
    {
      return key
    }
    return try SigningKey(secret: bytes)
  }

  private static let derSequence: UInt8 = 0x30

  private static func kind(of pair: OpaquePointer) throws(SignatureProblem) -> Kind {
    let type = EVP_PKEY_get0_type_name(pair).map { String(cString: $0) } ?? "unknown"
    switch type {
    case "RSA": return .rsa
    case "RSA-PSS": return .rsaPSS
    case "ED25519", "ED448": return .edwards
    case "EC":
      var name = [CChar](repeating: 0, count: 80)
      var length = 0
      guard EVP_PKEY_get_group_name(pair, &name, name.count, &length) == 1 else { break }
      let group = String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      switch group {
      case "prime256v1", "P-256": return .p256
      case "secp384r1", "P-384": return .p384
      case "secp521r1", "P-521": return .p521
      default: throw SignatureProblem(.key, "no signature algorithm here has keys of the curve `\(group)`")
      }
    default: break
    }
    throw SignatureProblem(.key, "no signature algorithm here has keys of the type `\(type)`")
  }

  private static func algorithms(
    of kind: Kind, restrictedTo only: SignatureAlgorithm?
  ) throws(SignatureProblem) -> [SignatureAlgorithm] {
    let all: [SignatureAlgorithm] =
      switch kind {
      case .secret: [.hs256, .hs384, .hs512]
      case .rsa: [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
      case .rsaPSS: [.ps256, .ps384, .ps512]
      case .p256: [.es256]
      case .p384: [.es384]
      case .p521: [.es512]
      case .edwards: [.edDSA]
      }
    guard let only else { return all }
    guard all.contains(only) else {
      throw SignatureProblem(
        .key, "the key says that it is for \(only.rawValue), but \(kind.phrase) is for \(listed(all))")
    }
    return [only]
  }

  /// Checks that the key is for an algorithm.
  func require(_ algorithm: SignatureAlgorithm) throws(SignatureProblem) {
    guard algorithms.contains(algorithm) else {
      throw SignatureProblem(
        .algorithm, "the key is \(kind.phrase), which is not for \(algorithm.rawValue)",
        help: "it is for \(listed(algorithms))")
    }
  }
}

extension SigningKey.Kind {
  fileprivate var phrase: String {
    switch self {
    case .secret: "a shared secret"
    case .rsa: "an RSA key"
    case .rsaPSS: "an RSA key for PSS"
    case .p256: "a key of the curve P-256"
    case .p384: "a key of the curve P-384"
    case .p521: "a key of the curve P-521"
    case .edwards: "a key of an Edwards curve"
    }
  }
}

/// The names of algorithms for a message.
func listed(_ algorithms: [SignatureAlgorithm]) -> String {
  algorithms.map(\.rawValue).joined(separator: ", ")
}
