internal import CLibCrypto
import Values

/// The contents of an X.509 certificate (RFC 5280).
package struct Certificate: Sendable, Hashable {
  /// The kind of a public key, such as `RSA` or `EC`, and its length.
  package struct Key: Sendable, Hashable {
    package let type: String
    package let bits: Int
  }

  /// The subject such as `C=US, O=Example, CN=example.com`, in the certificate's own order.
  package let subject: String
  package let issuer: String
  /// The serial number in lower-case hex.
  package let serial: String
  package let starts: Timestamp
  package let expires: Timestamp
  /// The subject alternative names: host names, addresses, URIs, mail addresses.
  package let names: [String]
  /// SHA-256 of the whole certificate, in lower-case hex.
  package let fingerprint: String
  package let key: Key
  /// The algorithm, such as `sha256WithRSAEncryption`.
  package let signatureAlgorithm: String
  /// SHA-256 of the public key (DER of SubjectPublicKeyInfo) in base64, for pinning.
  package let publicKeyHash: String

  /// Nil if the bytes aren't a certificate.
  package init?(der bytes: [UInt8]) {
    let parsed: OpaquePointer? = bytes.withUnsafeBufferPointer { buffer in
      var position = buffer.baseAddress
      return d2i_X509(nil, &position, buffer.count)
    }
    guard let parsed else { return nil }
    defer { X509_free(parsed) }
    self.init(x509: parsed)
  }

  /// The first certificate of a PEM text; nil if there is none.
  package init?(pem text: String) {
    guard let first = Certificate.all(pem: Array(text.utf8), limit: 1).first else { return nil }
    self = first
  }

  /// The certificates of a PEM file, in order, up to the first that is broken.
  package static func all(pem bytes: [UInt8], limit: Int = .max) -> [Certificate] {
    var result: [Certificate] = []
    MemoryInput(bytes).read { bio in
      while result.count < limit, let parsed = PEM_read_bio_X509_AUX(bio, nil, refusePassphrase, nil) {
        defer { X509_free(parsed) }
        if let certificate = Certificate(x509: parsed) { result.append(certificate) }
      }
    }
    return result
  }

  /// - Parameter parsed: an `X509` of libcrypto, which the caller keeps.
  package init?(x509 parsed: OpaquePointer) {
    guard let starts = instant(X509_get0_notBefore(parsed)), let expires = instant(X509_get0_notAfter(parsed)) else {
      return nil
    }
    subject = text(of: X509_get_subject_name(parsed))
    issuer = text(of: X509_get_issuer_name(parsed))
    serial = hex(X509_get0_serialNumber(parsed))
    self.starts = starts
    self.expires = expires
    names = alternativeNames(parsed)
    fingerprint = hexEncoded(DigestAlgorithm.sha256.digest(of: encoded(parsed, i2d_X509)))
    let publicKey = X509_get0_pubkey(parsed)
    key = Key(
      type: publicKey.flatMap { EVP_PKEY_get0_type_name($0) }.map { String(cString: $0) } ?? "unknown",
      bits: publicKey.map { Int(EVP_PKEY_get_bits($0)) } ?? 0)
    signatureAlgorithm =
      OBJ_nid2ln(X509_get_signature_nid(parsed)).map { String(cString: $0) } ?? "unknown"
    let keyBytes = X509_get_X509_PUBKEY(parsed).map { encoded($0, i2d_X509_PUBKEY) } ?? []
    publicKeyHash = base64Encoded(DigestAlgorithm.sha256.digest(of: keyBytes))
  }
}

/// An `X509` of libcrypto in PEM.
package func certificatePEM(x509 certificate: OpaquePointer) -> String {
  certificatePEM(der: encoded(certificate, i2d_X509))
}

/// A certificate in PEM (RFC 7468).
package func certificatePEM(der bytes: [UInt8]) -> String {
  var result = "-----BEGIN CERTIFICATE-----\n"
  var rest = base64Encoded(bytes)[...]
  while !rest.isEmpty {
    result += rest.prefix(64) + "\n"
    rest = rest.dropFirst(64)
  }
  return result + "-----END CERTIFICATE-----\n"
}

/// The DER of an object, by its `i2d_…` function.
private func encoded(
  _ object: OpaquePointer, _ encode: (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) -> [UInt8] {
  let count = Int(encode(object, nil))
  guard count > 0 else { return [] }
  return [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
    var position = buffer.baseAddress
    written = max(0, Int(encode(object, &position)))
  }
}

private func instant(_ time: UnsafePointer<ASN1_TIME>?) -> Timestamp? {
  guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return nil }
  defer { ASN1_TIME_free(epoch) }
  var days: Int32 = 0
  var seconds: Int32 = 0
  guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
  return Timestamp(seconds: Int64(days) * 86_400 + Int64(seconds))
}

private func text(of name: OpaquePointer?) -> String {
  guard let name, let bio = BIO_new(BIO_s_mem()) else { return "" }
  defer { BIO_free(bio) }
  guard X509_NAME_print_ex(bio, name, 0, reqrun_name_form) >= 0 else { return "" }
  var start: UnsafeMutablePointer<CChar>?
  let count = reqrun_bio_bytes(bio, &start)
  guard let start, count > 0 else { return "" }
  return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
}

private func hex(_ number: UnsafePointer<ASN1_INTEGER>?) -> String {
  guard let number, let big = ASN1_INTEGER_to_BN(number, nil) else { return "" }
  defer { BN_free(big) }
  guard let digits = BN_bn2hex(big) else { return "" }
  defer { CRYPTO_free(digits, nil, 0) }
  return String(cString: digits).lowercased()
}

private func alternativeNames(_ certificate: OpaquePointer) -> [String] {
  guard let found = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else { return [] }
  let names = OpaquePointer(found)
  defer { GENERAL_NAMES_free(names) }
  return (0..<reqrun_name_count(names)).compactMap { index in
    var kind: Int32 = 0
    guard let value = reqrun_name_at(names, index, &kind), let start = ASN1_STRING_get0_data(value) else { return nil }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(ASN1_STRING_length(value)))
    return kind == GEN_IPADD ? addressText(bytes) : String(decoding: bytes, as: UTF8.self)
  }
}

/// An IPv4 or IPv6 address; nil for other lengths.
private func addressText(_ bytes: UnsafeRawBufferPointer) -> String? {
  guard bytes.count == 4 || bytes.count == 16 else { return nil }
  var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
  let family = bytes.count == 4 ? AF_INET : AF_INET6
  guard inet_ntop(family, bytes.baseAddress, &text, socklen_t(text.count)) != nil else { return nil }
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
