internal import CLibCrypto

extension SigningKey {
  /// Signs a message, in the form of JWS: an ECDSA signature is its two numbers side by side (RFC 7518, section 3.4).
  package func signature(of message: [UInt8], by algorithm: SignatureAlgorithm) throws(SignatureProblem) -> [UInt8] {
    try require(algorithm)
    switch material {
    case .secret(let secret):
      // A shared secret is for algorithms with a hash function alone.
      return algorithm.digest?.hmac(key: secret, message: message) ?? []
    case .pair(let pair):
      guard isPrivate else {
        throw SignatureProblem(.key, "this is a public key, which cannot sign", help: "sign with the private key")
      }
      guard let bytes = sign(message, pair, algorithm) else {
        throw SignatureProblem(.key, "libcrypto cannot sign with this key by \(algorithm.rawValue)")
      }
      guard let size = kind.coordinateSize else { return bytes }
      guard let numbers = rawNumbers(der: bytes, size: size) else {
        throw SignatureProblem(.key, "libcrypto made a signature without two numbers")
      }
      return numbers
    }
  }

  /// Returns whether a signature is that of the message with the key.
  package func isSignature(
    _ signature: [UInt8], of message: [UInt8], by algorithm: SignatureAlgorithm
  ) throws(SignatureProblem) -> Bool {
    try require(algorithm)
    switch material {
    case .secret(let secret):
      guard let expected = algorithm.digest?.hmac(key: secret, message: message) else { return false }
      return expected.count == signature.count && CRYPTO_memcmp(expected, signature, expected.count) == 0
    case .pair(let pair):
      guard let size = kind.coordinateSize else { return verify(signature, message, pair, algorithm) }
      guard signature.count == 2 * size, let der = derNumbers(raw: signature, size: size) else { return false }
      return verify(der, message, pair, algorithm)
    }
  }

  private func sign(_ message: [UInt8], _ pair: OpaquePointer, _ algorithm: SignatureAlgorithm) -> [UInt8]? {
    defer { ERR_clear_error() }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var parameters: OpaquePointer?
    guard
      EVP_DigestSignInit_ex(
        context, &parameters, algorithm.digest?.rawValue, LibraryContext.shared.pointer, nil, pair, nil) == 1,
      setPadding(parameters, algorithm)
    else { return nil }
    var size = 0
    guard EVP_DigestSign(context, nil, &size, message, message.count) == 1 else { return nil }
    var isDone = false
    let result = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      isDone = EVP_DigestSign(context, buffer.baseAddress, &size, message, message.count) == 1
      count = isDone ? size : 0
    }
    return isDone ? result : nil
  }

  private func verify(
    _ signature: [UInt8], _ message: [UInt8], _ pair: OpaquePointer, _ algorithm: SignatureAlgorithm
  ) -> Bool {
    defer { ERR_clear_error() }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var parameters: OpaquePointer?
    return EVP_DigestVerifyInit_ex(
      context, &parameters, algorithm.digest?.rawValue, LibraryContext.shared.pointer, nil, pair, nil) == 1
      && setPadding(parameters, algorithm)
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }

  /// PSS has a salt of the hash's length (RFC 7518, section 3.5).
  private func setPadding(_ parameters: OpaquePointer?, _ algorithm: SignatureAlgorithm) -> Bool {
    !algorithm.isPSS
      || EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1
  }
}

extension SigningKey.Kind {
  /// The size in bytes of each number of an ECDSA signature; nil for other keys.
  fileprivate var coordinateSize: Int? {
    switch self {
    case .p256: 32
    case .p384: 48
    case .p521: 66
    case .secret, .rsa, .rsaPSS, .edwards: nil
    }
  }
}

private func rawNumbers(der: [UInt8], size: Int) -> [UInt8]? {
  let parsed = der.withUnsafeBufferPointer { buffer in
    var position = buffer.baseAddress
    return d2i_ECDSA_SIG(nil, &position, buffer.count)
  }
  defer { ECDSA_SIG_free(parsed) }
  guard let parsed else { return nil }
  var (r, s): (OpaquePointer?, OpaquePointer?)
  ECDSA_SIG_get0(parsed, &r, &s)
  var isComplete = true
  let result = [UInt8](unsafeUninitializedCapacity: 2 * size) { buffer, count in
    isComplete =
      BN_bn2binpad(r, buffer.baseAddress, Int32(size)) == size
      && BN_bn2binpad(s, buffer.baseAddress.map { $0 + size }, Int32(size)) == size
    count = isComplete ? 2 * size : 0
  }
  return isComplete ? result : nil
}

private func derNumbers(raw: [UInt8], size: Int) -> [UInt8]? {
  let signature = ECDSA_SIG_new()
  defer { ECDSA_SIG_free(signature) }
  let r = BN_bin2bn(Array(raw[..<size]), Int32(size), nil)
  let s = BN_bin2bn(Array(raw[size...]), Int32(size), nil)
  guard ECDSA_SIG_set0(signature, r, s) == 1 else {
    BN_free(r)
    BN_free(s)
    return nil
  }
  let count = Int(i2d_ECDSA_SIG(signature, nil))
  guard count > 0 else { return nil }
  return [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
    var position = buffer.baseAddress
    written = max(0, Int(i2d_ECDSA_SIG(signature, &position)))
  }
}
