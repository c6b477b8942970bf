import CLibCurl
import CLibSSL
import Cryptography

/// The results of OpenSSL's check of a server's certificate, for the message if it is rejected.
///
/// `@unchecked`: accessed on the loop's thread alone.
final class CertificateRecord: @unchecked Sendable {
  struct Refusal {
    let certificate: Certificate
    /// One of OpenSSL's `X509_V_ERR_…`.
    let reason: Int32
    /// The position in the chain: 0 is the server's own certificate, 1 its issuer's.
    let depth: Int
  }

  private(set) var own: Certificate?
  private(set) var refusal: Refusal?
  /// Indicates whether the client sent a certificate; nil if the server didn't ask for one.
  private(set) var sendsCertificate: Bool?

  /// Indicates whether libcurl uses the TLS library that is linked here; otherwise its objects must not be accessed.
  static let isSupported: Bool = {
    guard let name = Libcurl.version?.ssl_version else { return false }
    return String(cString: name).hasPrefix("OpenSSL/3")
  }()

  /// The slot of a context that holds its record, and releases it with the context.
  private static let slot: Int32 = reqrun_ssl_context_index { _, record, _, _, _, _ in
    if let record { Unmanaged<CertificateRecord>.fromOpaque(record).release() }
  }

  /// Observes the verification of connections that this context makes.
  func follow(_ context: OpaquePointer) {
    own = nil
    refusal = nil
    sendsCertificate = nil
    guard SSL_CTX_get_ex_data(context, Self.slot) == nil else { return }
    let record = Unmanaged.passRetained(self)
    guard SSL_CTX_set_ex_data(context, Self.slot, record.toOpaque()) == 1 else { return record.release() }
    SSL_CTX_set_verify(context, SSL_CTX_get_verify_mode(context)) { isAccepted, check in
      if let check, let record = CertificateRecord.of(check) { record.note(check, isAccepted: isAccepted == 1) }
      return isAccepted
    }
    let askedForCertificate: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { connection, _ in
      if let connection, let record = CertificateRecord.of(connection: connection) {
        record.sendsCertificate = SSL_get_certificate(connection) != nil
      }
      return 1
    }
    SSL_CTX_set_cert_cb(context, askedForCertificate, nil)
  }

  private static func of(_ check: OpaquePointer) -> CertificateRecord? {
    X509_STORE_CTX_get_ex_data(check, SSL_get_ex_data_X509_STORE_CTX_idx()).flatMap {
      of(connection: OpaquePointer($0))
    }
  }

  private static func of(connection: OpaquePointer) -> CertificateRecord? {
    guard let context = SSL_get_SSL_CTX(connection), let record = SSL_CTX_get_ex_data(context, slot) else { return nil }
    return Unmanaged<CertificateRecord>.fromOpaque(record).takeUnretainedValue()
  }

  private func note(_ check: OpaquePointer, isAccepted: Bool) {
    let depth = Int(X509_STORE_CTX_get_error_depth(check))
    if own == nil { own = X509_STORE_CTX_get0_cert(check).flatMap { Certificate(x509: $0) } }
    guard !isAccepted, let current = X509_STORE_CTX_get_current_cert(check),
      let certificate = Certificate(x509: current)
    else { return }
    refusal = Refusal(certificate: certificate, reason: X509_STORE_CTX_get_error(check), depth: depth)
  }

  /// The server's certificates as it sent them, in PEM; nil if the connection in use has none.
  static func chain(of easy: UnsafeMutableRawPointer) -> [String]? {
    guard isSupported, let connection = reqrun_get_tls(easy),
      let chain = SSL_get_peer_cert_chain(OpaquePointer(connection))
    else { return nil }
    return (0..<reqrun_certificate_count(chain)).compactMap { index in
      reqrun_certificate_at(chain, index).map { certificatePEM(x509: $0) }
    }
  }
}
