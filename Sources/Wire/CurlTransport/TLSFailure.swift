import CLibCurl
import CLibSSL
import Cryptography
import HTTPSemantics

/// Errors for a TLS connection that failed: which certificate, and what is wrong with it.
extension CurlFailure {
  var isTLS: Bool {
    switch code {
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
      CURLE_USE_SSL_FAILED:
      true
    default: false
    }
  }

  /// - Parameters:
  ///   - host: the certificate's host.
  ///   - peer: the intended peer of the connection.
  func tls(host: String, peer: String) -> TransportError {
    switch code {
    case CURLE_SSL_CACERT_BADFILE:
      return TransportError(
        .tls, "the trusted certificates cannot be read: \(details)",
        help: "check `tls.ca`, SSL_CERT_FILE, SSL_CERT_DIR and CURL_CA_BUNDLE"
      ).with(.authorities).lasting
    case CURLE_SSL_CERTPROBLEM:
      let path = request.options.tls.client?.certificate
      return TransportError(
        .tls, "the client certificate\(path.map { " \"\($0)\"" } ?? "") cannot be used: \(details)",
        help: "check the certificate, its key and its passphrase"
      ).with(.clientCertificate).lasting
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return pins(host).lasting
    case CURLE_PEER_FAILED_VERIFICATION:
      return (certificates?.refusal.map { verification($0, host) } ?? names(host)).lasting
    default: return handshake(peer)
    }
  }

  private func pins(_ host: String) -> TransportError {
    let found = certificates?.own.map { ": it has \($0.publicKeyHash.asPinnedKey)" } ?? ""
    return TransportError(
      .tls, "the public key of \(host) matches no pinned key\(found)",
      help: "if the server's key was changed with good reason, pin the new one")
  }

  private func names(_ host: String) -> TransportError {
    guard let names = certificates?.own?.names else {
      return TransportError(.tls, "the certificate of \(host) is not accepted: \(details)")
    }
    let list = names.isEmpty ? "for no host at all" : "for \(names.prefix(5).joined(separator: ", "))"
    return TransportError(
      .tls, "the certificate is not for the host \(host), but \(list)\(names.count > 5 ? ", …" : "")",
      help: "use a host name that stands in the certificate")
  }

  private func verification(_ refusal: CertificateRecord.Refusal, _ host: String) -> TransportError {
    let certificate = refusal.certificate
    // "the certificate of example.com" or one above it.
    let subject =
      refusal.depth == 0
      ? "the certificate of \(host)" : "the certificate of \"\(certificate.subject)\", an issuer of that of \(host),"
    let trust = "put the issuer's certificate into a PEM file and name it as `tls.ca`, if you trust it"
    switch refusal.reason {
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return TransportError(
        .tls, "\(subject) is not valid before \(certificate.starts.iso8601)",
        help: "compare the clocks of the server and this machine")
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return TransportError(
        .tls, "\(subject) expired at \(certificate.expires.iso8601)", help: "renew the certificate")
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      return TransportError(
        .tls, "\(subject) is self-signed",
        help: "put the certificate into a PEM file and name it as `tls.ca`, if you trust it")
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      return TransportError(
        .tls, "the certificate of \(host) comes from \"\(certificate.subject)\", an issuer that is not trusted",
        help: trust)
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return TransportError(
        .tls, "\(subject) has an unknown issuer, \"\(certificate.issuer)\"",
        help: trust + ", or let the server send its whole chain")
    default:
      let reason = quotedReason(String(cString: X509_verify_cert_error_string(Int(refusal.reason))))
      return TransportError(.tls, "\(subject) is not accepted: \(reason)")
    }
  }

  /// The error if both sides failed to agree before any certificate was checked.
  private func handshake(_ peer: String) -> TransportError {
    let (reason, help) =
      missingCertificate ?? Self.explanation(of: text) ?? (details, "check that the server speaks TLS on that port")
    return TransportError(.tls, "no TLS connection could be made with \(peer): \(reason)", help: help)
  }

  /// Indicates whether the server ended the connection as its response to the client's certificate, or to none: with
  /// TLS 1.3 that is after the handshake, and whether its alert is read before a request is sent into the closed
  /// connection is a matter of time.
  var isCertificateRefused: Bool {
    switch code {
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR: hasAlert || isCertificateUnanswered
    case CURLE_GOT_NOTHING, CURLE_HTTP2: isCertificateUnanswered
    default: false
    }
  }

  private var hasAlert: Bool { text.contains(" alert ") }

  private var isCertificateUnanswered: Bool { certificates?.sendsCertificate != nil && !hasHead && !stream.isHeard }

  /// The explanation for a server that asked for a certificate and got none, whatever its alert.
  private var missingCertificate: (reason: String, help: String)? {
    certificates?.sendsCertificate == false
      ? ("it asks for a client certificate", "name one as `tls.cert` and `tls.key`") : nil
  }

  /// The error for a connection that ended after the handshake.
  var certificateRefusal: TransportError {
    let refused = ("it does not accept the client certificate", "look into the server's log")
    let (reason, help) = missingCertificate ?? Self.explanation(of: text) ?? (hasAlert ? (details, refused.1) : refused)
    return TransportError(.tls, "\(peer) ended the TLS connection: \(reason)", help: help)
  }

  /// Explanations of OpenSSL's messages.
  private static func explanation(of text: String) -> (reason: String, help: String)? {
    let versions = (
      reason: "the TLS versions of the two sides do not meet", help: "check `tls.min_version` and `tls.max_version`"
    )
    let table: [(words: String, reason: String, help: String)] = [
      ("wrong version number", "it does not speak TLS", "write http:// if the server speaks plain HTTP on that port"),
      ("packet length too long", "it does not speak TLS", "write http:// if the server speaks plain HTTP on that port"),
      ("certificate required", "it asks for a client certificate", "name one as `tls.cert` and `tls.key`"),
      (
        "alert unknown ca", "it does not trust the issuer of the client certificate",
        "use a certificate from an issuer that the server trusts"
      ),
      ("alert bad certificate", "it does not accept the client certificate", "look into the server's log"),
      ("alert certificate expired", "the client certificate has expired", "renew the client certificate"),
      ("alert protocol version", versions.reason, versions.help),
      ("unsupported protocol", versions.reason, versions.help),
      ("no protocols available", versions.reason, versions.help),
      // The alert of some servers for a version that they know and reject.
      ("alert internal error", "the server failed in the handshake", "look into its log; it may want another version"),
      (
        "alert handshake failure", "the server refused the handshake",
        "it may want a client certificate, another TLS version or other ciphers"
      ),
      ("unrecognized name", "the server knows no such host name", "check the host name"),
      ("unexpected eof", "the server closed the connection in the handshake", "look into the server's log"),
    ]
    return table.first { text.contains($0.words) }.map { ($0.reason, $0.help) }
  }
}
