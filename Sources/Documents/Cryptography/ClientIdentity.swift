internal import CLibCrypto

/// The error in a client's certificate and key.
package enum ClientIdentityProblem: Error, Sendable, Hashable {
  case noCertificate
  case noKey
  case passphraseMissing
  case passphraseWrong
  /// The key doesn't belong to the certificate.
  case keyOfAnotherCertificate
  /// PKCS#12 with algorithms that libcrypto no longer enables by default.
  case outdatedEncryption
}

/// The encoding of a client's certificate.
package enum ClientCertificateEncoding: Sendable {
  case pem, der, pkcs12
}

/// Checks whether a certificate and its key can be read and belong together, without keeping them.
///
/// - Parameter key: nil if the certificate's file contains the key.
package func checkClientIdentity(
  certificate: [UInt8], key: [UInt8]?, passphrase: String?, encoding: ClientCertificateEncoding
) throws(ClientIdentityProblem) {
  switch encoding {
  case .pkcs12: try checkContainer(certificate, passphrase)
  case .pem, .der:
    guard let parsed = readCertificate(certificate, encoding) else { throw .noCertificate }
    defer { X509_free(parsed) }
    let privateKey = try readKey(key ?? certificate, passphrase)
    defer { EVP_PKEY_free(privateKey) }
    if X509_check_private_key(parsed, privateKey) != 1 {
      ERR_clear_error()
      throw .keyOfAnotherCertificate
    }
  }
}

/// Returns whether the bytes are PEM, by its first line.
package func isPEM(_ bytes: [UInt8]) -> Bool {
  bytes.firstRange(of: Array("-----BEGIN ".utf8)) != nil
}

private func readCertificate(_ bytes: [UInt8], _ encoding: ClientCertificateEncoding) -> OpaquePointer? {
  MemoryInput(bytes).read { bio in
    encoding == .der ? d2i_X509_bio(bio, nil) : PEM_read_bio_X509(bio, nil, refusePassphrase, nil)
  }
}

private func readKey(_ bytes: [UInt8], _ passphrase: String?) throws(ClientIdentityProblem) -> OpaquePointer {
  let response = PassphraseResponse(passphrase)
  let key = MemoryInput(bytes).read { bio in
    isPEM(bytes)
      ? PEM_read_bio_PrivateKey(bio, nil, givePassphrase, Unmanaged.passUnretained(response).toOpaque())
      : d2i_PrivateKey_bio(bio, nil)
  }
  if let key { return key }
  guard response.wasAsked else { throw .noKey }
  throw passphrase == nil ? .passphraseMissing : .passphraseWrong
}

private func checkContainer(_ bytes: [UInt8], _ passphrase: String?) throws(ClientIdentityProblem) {
  guard let container = MemoryInput(bytes).read({ d2i_PKCS12_bio($0, nil) }) else { throw .noCertificate }
  defer {
    PKCS12_free(container)
    ERR_clear_error()
  }
  if PKCS12_mac_present(container) == 1, PKCS12_verify_mac(container, passphrase ?? "", -1) != 1 {
    throw passphrase == nil ? .passphraseMissing : .passphraseWrong
  }
  var key: OpaquePointer?
  var certificate: OpaquePointer?
  let isRead = PKCS12_parse(container, passphrase ?? "", &key, &certificate, nil) == 1
  defer {
    EVP_PKEY_free(key)
    X509_free(certificate)
  }
  guard isRead else { throw .outdatedEncryption }
  guard key != nil else { throw .noKey }
  guard certificate != nil else { throw .noCertificate }
}

/// Passes a passphrase to libcrypto, and records whether it was requested.
private final class PassphraseResponse {
  private let bytes: [UInt8]?
  private(set) var wasAsked = false

  init(_ passphrase: String?) { bytes = passphrase.map { Array($0.utf8) } }

  func write(to buffer: UnsafeMutableRawBufferPointer) -> Int32 {
    wasAsked = true
    guard let bytes, bytes.count <= buffer.count else { return -1 }
    buffer.copyBytes(from: bytes)
    return Int32(bytes.count)
  }
}

private func givePassphrase(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _: Int32, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return -1 }
  let response = Unmanaged<PassphraseResponse>.fromOpaque(context).takeUnretainedValue()
  return response.write(to: UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)))
}
