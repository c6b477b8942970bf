import CryptoKit
import Foundation
import HTTPSemantics
import Security
import Synchronization
import Values

/// Answers the challenges of a session's connections: the server's certificate, the client's, proxies, NTLM, Negotiate.
final class ChallengeResponder: Sendable {
  private let tls: TLSOptions
  private let proxyUser: (name: String, password: String)?
  private let identity: ClientIdentity?
  private let anchors: TrustAnchors?
  /// Certificates by host and port: a reused connection asks for no trust.
  private let chains = Mutex<[String: [String]]>([:])
  /// The reasons why certificates were rejected, by host and port: other exchanges wait for the same connection.
  private let refusals = Mutex<[String: TransportError]>([:])

  init(_ options: SessionOptions) throws(TransportError) {
    tls = options.tls
    proxyUser = options.proxy.flatMap { proxy in proxy.username.map { ($0, proxy.password ?? "") } }
    if let client = options.tls.client { identity = try ClientIdentity(client) } else { identity = nil }
    if let path = options.tls.certificateAuthorities { anchors = try TrustAnchors(path) } else { anchors = nil }
  }

  func respond(
    to challenge: URLAuthenticationChallenge, for exchange: SessionExchange,
    _ completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let space = challenge.protectionSpace
    guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust else {
      let (disposition, credential) = response(challenge, for: exchange)
      return completionHandler(disposition, credential)
    }
    // Apple's handler may be called on any thread; the type in Swift does not say so.
    nonisolated(unsafe) let respond = completionHandler
    // The evaluation may ask the network, and the delegates' queue serves all exchanges of the session.
    DispatchQueue.global(qos: .userInitiated).async {
      let (disposition, credential) = self.evaluate(space, for: exchange)
      respond(disposition, credential)
    }
  }

  private func response(
    _ challenge: URLAuthenticationChallenge, for exchange: SessionExchange
  ) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
    let space = challenge.protectionSpace
    switch space.authenticationMethod {
    case NSURLAuthenticationMethodClientCertificate:
      // Without a credential the connection goes on without one: the default would look into the user's keychain.
      return (.useCredential, identity?.credential)
    case NSURLAuthenticationMethodNTLM where challenge.previousFailureCount == 0:
      if !space.isProxy(), case .ntlm(let username, let password) = exchange.request.options.connectionAuthentication {
        return (.useCredential, URLCredential(user: username, password: password, persistence: .none))
      }
    case NSURLAuthenticationMethodNegotiate where challenge.previousFailureCount == 0:
      if !space.isProxy(), case .negotiate = exchange.request.options.connectionAuthentication {
        return (.performDefaultHandling, nil)
      }
    default: break
    }
    if space.isProxy(), let proxyUser, challenge.previousFailureCount == 0 {
      return (
        .useCredential, URLCredential(user: proxyUser.name, password: proxyUser.password, persistence: .none)
      )
    }
    // Credentials were sent preemptively as a header; the response is final.
    return (.rejectProtectionSpace, nil)
  }

  /// The reason why the certificate of a request's server was rejected; nil if it wasn't.
  func refusal(of request: WireRequest) -> TransportError? {
    refusals.withLock { $0["\(request.url.host):\(request.url.effectivePort)"] }
  }

  /// The certificates that the server sent when its connection was made, in PEM.
  func chain(for url: HTTPURL) -> [String]? {
    chains.withLock { $0["\(url.host):\(url.effectivePort)"] }
  }

  private func evaluate(
    _ space: URLProtectionSpace, for exchange: SessionExchange
  ) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
    guard let trust = space.serverTrust else { return (.performDefaultHandling, nil) }
    let certificates = (SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []).map {
      SecCertificateCopyData($0) as Data
    }
    // A proxy's own certificate isn't the server's.
    if !space.isProxy() {
      chains.withLock { $0["\(space.host):\(space.port)"] = certificates.map(pemCertificate) }
    }
    if let problem = problem(trust, certificates, host: space.host) {
      exchange.noteChallenge(refusal: problem)
      refusals.withLock { $0["\(space.host):\(space.port)"] = problem }
      return (.cancelAuthenticationChallenge, nil)
    }
    return (.useCredential, URLCredential(trust: trust))
  }

  private func problem(_ trust: SecTrust, _ certificates: [Data], host: String) -> TransportError? {
    if tls.verifies {
      anchors?.set(on: trust)
      var error: CFError?
      if !SecTrustEvaluateWithError(trust, &error) { return Self.trustError(error as (any Error)?, host: host) }
    }
    guard !tls.pinnedKeys.isEmpty else { return nil }
    let key = certificates.first.flatMap { subjectPublicKeyInfo(ofCertificate: Array($0)) }
    let digest = key.map { Data(SHA256.hash(data: $0)).base64EncodedString() }
    if let digest, tls.pinnedKeys.contains(digest) { return nil }
    return TransportError(
      .tls, "the public key of \(host) matches no pinned key",
      help: digest.map { "the server's key has the SHA-256 \($0)" })
  }

  private static func trustError(_ error: (any Error)?, host: String) -> TransportError {
    switch (error as NSError?)?.code {
    case Int(errSecCertificateExpired):
      TransportError(.tls, "the certificate of \(host) has expired", help: "renew the server's certificate")
    case Int(errSecCertificateNotValidYet):
      TransportError(.tls, "the certificate of \(host) is not valid yet", help: "compare the clocks")
    case Int(errSecHostNameMismatch):
      TransportError(
        .tls, "the certificate is not for the host \(host)", help: "use a host name that stands in the certificate")
    case Int(errSecNotTrusted), Int(errSecCreateChainFailed):
      TransportError(
        .tls, "the certificate of \(host) has an unknown issuer",
        help: "put the issuer into `tls.ca` if you trust it, or let the server send its whole chain")
    default:
      TransportError(
        .tls, "the certificate of \(host) is not accepted: \(error?.localizedDescription ?? "no reason given")")
    }
  }
}

/// A client's certificate and key from a PKCS#12 file.
private struct ClientIdentity: @unchecked Sendable {
  // Unchecked: a credential never changes.
  let credential: URLCredential

  init(_ client: ClientCertificate) throws(TransportError) {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: client.certificate))
    } catch {
      throw TransportError(
        .tls, "the client certificate \"\(client.certificate)\" cannot be read: \(error.localizedDescription)",
        help: "check the path and the permissions of the file")
    }
    // Not into the user's keychain.
    let options: [String: Any] = [
      kSecImportExportPassphrase as String: client.passphrase ?? "", kSecImportToMemoryOnly as String: true,
    ]
    var items: CFArray?
    let status = SecPKCS12Import(data as CFData, options as CFDictionary, &items)
    let item = (items as? [[String: Any]])?.first
    guard status == errSecSuccess, let item, let found = item[kSecImportItemIdentity as String] as CFTypeRef?,
      CFGetTypeID(found) == SecIdentityGetTypeID()
    else {
      let reason = SecCopyErrorMessageString(status, nil) as String? ?? "error \(status)"
      throw TransportError(
        .tls, "the client certificate \"\(client.certificate)\" cannot be used: \(reason)",
        help: [errSecAuthFailed, errSecPkcs12VerifyFailure].contains(status)
          ? "check the passphrase; macOS reads no file without one, and none with OpenSSL 3's own algorithms: "
            + "`openssl pkcs12 -export -legacy` makes one that it reads"
          : "give a PKCS#12 file that has certificate and key")
    }
    let identity = unsafeDowncast(found, to: SecIdentity.self)
    let chain = (item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []).dropFirst()
    credential = URLCredential(identity: identity, certificates: Array(chain), persistence: .forSession)
  }
}

/// The trusted issuers, instead of the system's.
private struct TrustAnchors: @unchecked Sendable {
  // Unchecked: a certificate never changes.
  private let certificates: [SecCertificate]

  init(_ path: String) throws(TransportError) {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw TransportError(
        .tls, "the trusted certificates \"\(path)\" cannot be read: \(error.localizedDescription)",
        help: "check the path and the permissions of the file")
    }
    let found = derCertificates(ofPEM: String(decoding: data, as: UTF8.self))
    certificates = (found.isEmpty ? [data] : found.map { Data($0) }).compactMap {
      SecCertificateCreateWithData(nil, $0 as CFData)
    }
    guard !certificates.isEmpty else {
      throw TransportError(
        .tls, "the file \"\(path)\" holds no certificate",
        help: "give a PEM file with -----BEGIN CERTIFICATE-----, or a certificate in DER")
    }
  }

  func set(on trust: SecTrust) {
    SecTrustSetAnchorCertificates(trust, certificates as CFArray)
    SecTrustSetAnchorCertificatesOnly(trust, true)
  }
}
