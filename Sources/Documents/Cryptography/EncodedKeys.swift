internal import CLibCrypto

extension SigningKey {
  /// The key of a PEM text (RFC 7468): its private key, or else its first public key or certificate.
  static func pem(_ bytes: [UInt8]) throws(SignatureProblem) -> SigningKey {
    let blocks = pemBlocks(bytes)
    for block in blocks where block.label.hasSuffix("PRIVATE KEY") {
      guard !block.isEncrypted else {
        throw SignatureProblem(
          .key, "the private key is encrypted", help: "decrypt it: `openssl pkey -in key.pem -out plain.pem`")
      }
      if let pair = privatePair(block.der) { return try SigningKey(owning: pair, isPrivate: true) }
    }
    for block in blocks {
      let pair =
        switch block.label {
        case "PUBLIC KEY": publicPair(block.der)
        case "RSA PUBLIC KEY": rsaPublicPair(block.der)
        case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE": certifiedPair(block.der)
        default: OpaquePointer?.none
        }
      if let pair { return try SigningKey(owning: pair, isPrivate: false) }
    }
    throw SignatureProblem(
      .key, "this PEM text has no key that can be read",
      help: String(decoding: bytes, as: UTF8.self).contains(#"\n"#)
        ? #"its line breaks are written as `\n`: `replace(key, '\n', "\n")` makes them line breaks"# : nil)
  }

  /// The key of DER bytes; nil if they are none.
  static func der(_ bytes: [UInt8]) throws(SignatureProblem) -> SigningKey? {
    if let pair = privatePair(bytes) { return try SigningKey(owning: pair, isPrivate: true) }
    guard let pair = publicPair(bytes) ?? rsaPublicPair(bytes) ?? certifiedPair(bytes) else { return nil }
    return try SigningKey(owning: pair, isPrivate: false)
  }

  private struct Block {
    let label: String
    let isEncrypted: Bool
    let der: [UInt8]
  }

  private static func pemBlocks(_ bytes: [UInt8]) -> [Block] {
    var blocks: [Block] = []
    MemoryInput(bytes).read { bio in
      var (name, header): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)
      var data: UnsafeMutablePointer<UInt8>?
      var length = 0
      while PEM_read_bio(bio, &name, &header, &data, &length) == 1 {
        if let name, let header, let data {
          let label = String(cString: name)
          blocks.append(
            Block(
              label: label,
              isEncrypted: label.hasPrefix("ENCRYPTED") || String(cString: header).contains("ENCRYPTED"),
              der: Array(UnsafeBufferPointer(start: data, count: length))))
        }
        CRYPTO_free(name, nil, 0)
        CRYPTO_free(header, nil, 0)
        CRYPTO_clear_free(data, length, nil, 0)
        (name, header, data) = (nil, nil, nil)
      }
    }
    return blocks
  }

  private static func privatePair(_ der: [UInt8]) -> OpaquePointer? {
    read(der) { d2i_AutoPrivateKey_ex(nil, $0, $1, LibraryContext.shared.pointer, nil) }
  }

  private static func publicPair(_ der: [UInt8]) -> OpaquePointer? {
    read(der) { d2i_PUBKEY_ex(nil, $0, $1, LibraryContext.shared.pointer, nil) }
  }

  /// The key in the form of PKCS #1.
  private static func rsaPublicPair(_ der: [UInt8]) -> OpaquePointer? {
    var pair: OpaquePointer?
    let decoder = OSSL_DECODER_CTX_new_for_pkey(
      &pair, "DER", "type-specific", "RSA", reqrun_public_key, LibraryContext.shared.pointer, nil)
    defer {
      OSSL_DECODER_CTX_free(decoder)
      ERR_clear_error()
    }
    return der.withUnsafeBufferPointer { buffer in
      var position = buffer.baseAddress
      var length = buffer.count
      return OSSL_DECODER_from_data(decoder, &position, &length) == 1 ? pair : nil
    }
  }

  private static func certifiedPair(_ der: [UInt8]) -> OpaquePointer? {
    var certificate = X509_new_ex(LibraryContext.shared.pointer, nil)
    defer { X509_free(certificate) }
    return read(der) { d2i_X509(&certificate, $0, $1) == nil ? nil : X509_get_pubkey(certificate) }
  }

  private static func read(
    _ der: [UInt8], _ decode: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
  ) -> OpaquePointer? {
    defer { ERR_clear_error() }
    return der.withUnsafeBufferPointer { buffer in
      var position = buffer.baseAddress
      return decode(&position, buffer.count)
    }
  }
}
