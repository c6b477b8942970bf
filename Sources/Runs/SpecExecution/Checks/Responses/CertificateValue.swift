import Cryptography
import RequestSpecs
import Values

extension Certificate {
  /// The certificate's contents, as a mapping with the keys of `expect.certificate`.
  fileprivate func value(now: Timestamp) -> Value {
    let attributes = CertificateAttribute.allCases.filter { $0 != .chain }
    return .mapping(
      Mapping(attributes.map { Mapping.Member(key: Text($0.rawValue), value: value(of: $0, now: now)) }))
  }

  fileprivate func value(of attribute: CertificateAttribute, now: Timestamp) -> Value {
    switch attribute {
    case .subject: .text(subject)
    case .issuer: .text(issuer)
    case .serial: .text(serial)
    case .starts: .date(starts)
    case .expires: .date(expires)
    case .expiresIn: .integer((expires.seconds - now.seconds) * 1000)
    case .names: .list(names.map { .text($0) })
    case .fingerprint: .text(fingerprint)
    case .keyType: .text(key.type)
    case .keyBits: .integer(key.bits)
    case .signatureAlgorithm: .text(signatureAlgorithm)
    case .chain: .null
    }
  }
}

extension Response {
  /// The server's certificate, or one of its attributes.
  package func certificate(_ attribute: CertificateAttribute?, now: Timestamp) throws(Unreadable) -> Value {
    guard let own = certificates.first else { throw Unreadable(missingCertificate) }
    switch attribute {
    case nil: return own.value(now: now)
    case .chain: return .list(certificates.map { $0.value(now: now) })
    case .some(let attribute): return own.value(of: attribute, now: now)
    }
  }

  /// The reason why there is no certificate.
  package var missingCertificate: String {
    result.finalURL.isSecure
      ? "the transport does not provide the server's certificate"
      : "the response came over http://, without a certificate"
  }
}
