internal import CLibCrypto
import Values

extension SigningKey {
  /// A JSON Web Key (RFC 7517; RFC 7518, section 6; RFC 8037, section 2).
  package static func jwk(_ mapping: Mapping) throws(SignatureProblem) -> SigningKey {
    let members = JWKMembers(members: mapping)
    guard let type = try members.text("kty") else {
      throw members.members["keys"] == nil
        ? SignatureProblem(.key, "this key has no `kty`", help: "a mapping is a JWK, a shared secret is a text")
        : SignatureProblem(
          .key, "this is a set of keys, not a key", help: #"choose one: `jsonpath(set, "$.keys[?@.kid == '…']")`"#)
    }
    if let use = try members.text("use"), use != "sig" {
      throw SignatureProblem(.key, "the key's `use` is `\(use)`: it is not for signatures")
    }
    if case .list(let operations)? = members.members["key_ops"],
      !operations.contains(where: { ["sign", "verify"].contains($0.asText.string) })
    {
      throw SignatureProblem(.key, "the key's `key_ops` have neither `sign` nor `verify`: it is not for signatures")
    }
    var algorithm: SignatureAlgorithm?
    if let name = try members.text("alg") {
      do { algorithm = try SignatureAlgorithm(named: name) } catch {
        throw SignatureProblem(.key, "the key's `alg` is not a signature algorithm: \(error.message)")
      }
    }
    let identifier = try members.text("kid")
    switch type {
    case "oct":
      return try SigningKey(secret: try members.bytes("k"), identifier: identifier, algorithm: algorithm)
    case "RSA", "EC", "OKP":
      let isPrivate = members.members["d"] != nil
      let pair =
        switch type {
        case "RSA": try rsa(members, isPrivate: isPrivate)
        case "EC": try curve(members, isPrivate: isPrivate)
        default: try edwards(members, isPrivate: isPrivate)
        }
      return try SigningKey(owning: pair, isPrivate: isPrivate, identifier: identifier, algorithm: algorithm)
    default:
      throw SignatureProblem(.key, "there is no `kty` \"\(type)\"", help: "it is `oct`, `RSA`, `EC` or `OKP`")
    }
  }

  /// A number with its name in libcrypto, which keeps the address of the name.
  private typealias Parameter = (StaticString, [UInt8])

  private static func rsa(_ members: JWKMembers, isPrivate: Bool) throws(SignatureProblem) -> OpaquePointer {
    guard members.members["oth"] == nil else {
      throw SignatureProblem(.key, "RSA keys with more than two primes are not supported")
    }
    var numbers: [Parameter] = [("n", try members.bytes("n")), ("e", try members.bytes("e"))]
    guard numbers[0].1.count <= maxModulusSize else {
      throw SignatureProblem(.key, "an RSA key has at most \(maxModulusSize * 8) bits")
    }
    if isPrivate {
      numbers.append(("d", try members.bytes("d")))
      let factors: [(String, StaticString)] = [
        ("p", "rsa-factor1"), ("q", "rsa-factor2"),
        ("dp", "rsa-exponent1"), ("dq", "rsa-exponent2"),
        ("qi", "rsa-coefficient1"),
      ]
      if factors.allSatisfy({ members.members[$0.0] != nil }) {
        for (name, parameter) in factors { numbers.append((parameter, try members.bytes(name))) }
      }
    }
    return try pair("RSA", numbers: numbers, isPrivate: isPrivate)
  }

  /// The largest modulus that libcrypto computes with, in bytes.
  private static let maxModulusSize = 2048

  private static func curve(_ members: JWKMembers, isPrivate: Bool) throws(SignatureProblem) -> OpaquePointer {
    let curves = ["P-256": 32, "P-384": 48, "P-521": 66]
    let name = try members.text("crv") ?? ""
    guard let size = curves[name] else {
      throw SignatureProblem(
        .key, "there is no curve `\(name)` for keys of the type EC", help: "it is P-256, P-384 or P-521")
    }
    let point = [4] + (try members.bytes("x", count: size)) + (try members.bytes("y", count: size))
    var secret: [Parameter] = []
    if isPrivate { secret.append(("priv", try members.bytes("d", count: size))) }
    return try pair("EC", group: name, point: point, numbers: secret, isPrivate: isPrivate)
  }

  private static func edwards(_ members: JWKMembers, isPrivate: Bool) throws(SignatureProblem) -> OpaquePointer {
    let curves = ["Ed25519": 32, "Ed448": 57]
    let name = try members.text("crv") ?? ""
    guard let size = curves[name] else {
      throw SignatureProblem(
        .key, "there is no curve `\(name)` for signatures with keys of the type OKP", help: "it is Ed25519 or Ed448")
    }
    let bytes = try members.bytes(isPrivate ? "d" : "x", count: size)
    let context = LibraryContext.shared.pointer
    let pair =
      isPrivate
      ? EVP_PKEY_new_raw_private_key_ex(context, name, nil, bytes, bytes.count)
      : EVP_PKEY_new_raw_public_key_ex(context, name, nil, bytes, bytes.count)
    guard let pair else {
      ERR_clear_error()
      throw invalidKey
    }
    return pair
  }

  private static let invalidKey = SignatureProblem(.key, "the numbers of this JWK are not a key")

  private static func pair(
    _ type: String, group: String? = nil, point: [UInt8] = [], numbers: [Parameter], isPrivate: Bool
  ) throws(SignatureProblem) -> OpaquePointer {
    let builder = OSSL_PARAM_BLD_new()
    let integers = numbers.map { (name: $0.0, value: BN_bin2bn($0.1, Int32(clamping: $0.1.count), nil)) }
    let context = EVP_PKEY_CTX_new_from_name(LibraryContext.shared.pointer, type, nil)
    defer {
      OSSL_PARAM_BLD_free(builder)
      for integer in integers { BN_clear_free(integer.value) }
      EVP_PKEY_CTX_free(context)
      ERR_clear_error()
    }
    for integer in integers { OSSL_PARAM_BLD_push_BN(builder, address(integer.name), integer.value) }
    // The builder refers to texts and bytes until the parameters are made.
    let parameters = (group ?? "").withCString { group in
      point.withUnsafeBytes { point in
        if !point.isEmpty {
          OSSL_PARAM_BLD_push_utf8_string(builder, address("group"), group, 0)
          OSSL_PARAM_BLD_push_octet_string(builder, address("pub"), point.baseAddress, point.count)
        }
        return OSSL_PARAM_BLD_to_param(builder)
      }
    }
    defer { OSSL_PARAM_free(parameters) }
    var pair: OpaquePointer?
    let selection = isPrivate ? reqrun_key_pair : reqrun_public_key
    guard EVP_PKEY_fromdata_init(context) == 1, EVP_PKEY_fromdata(context, &pair, selection, parameters) == 1,
      let pair
    else { throw invalidKey }
    return pair
  }
}

/// The address of a literal's characters as C sees them.
private func address(_ name: StaticString) -> UnsafePointer<CChar> {
  UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// The members of a JWK by their types.
private struct JWKMembers {
  let members: Mapping

  func text(_ name: String) throws(SignatureProblem) -> String? {
    switch members[name] {
    case nil: return nil
    case .text(let text): return text.string
    default: throw SignatureProblem(.key, "the key's `\(name)` is not a text")
    }
  }

  /// - Parameter count: the number of bytes, if it is fixed.
  func bytes(_ name: String, count: Int? = nil) throws(SignatureProblem) -> [UInt8] {
    guard let text = try text(name) else { throw SignatureProblem(.key, "the key has no `\(name)`") }
    guard let bytes = base64URLDecoded(text) else {
      throw SignatureProblem(.key, "the key's `\(name)` is not base64url without padding")
    }
    if let count, bytes.count != count {
      throw SignatureProblem(.key, "the key's `\(name)` has \(counted(bytes.count, "byte")), not \(count)")
    }
    return bytes
  }
}
