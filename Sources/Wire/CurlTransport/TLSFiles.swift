import Cryptography
import HTTPSemantics
import OperatingSystem

/// Checks of TLS files before any connection is made: libcurl says little about what is wrong with them.
enum TLSFiles {
  /// The size above which a file can't be certificates.
  private static let limit = 64 << 20

  static func check(_ tls: TLSOptions) throws(TransportError) {
    if let least = tls.minVersion, let greatest = tls.maxVersion, greatest < least {
      throw TransportError(
        .invalidRequest, "no TLS version is at least \(least.rawValue) and at most \(greatest.rawValue)",
        help: "lower the minimum or raise the maximum")
    }
    if let path = tls.certificateAuthorities { try checkAuthorities(path) }
    if let client = tls.client { try check(client) }
  }

  /// Returns whether the file looks like PEM, by its start alone: this runs for each exchange.
  static func isPEM(_ path: String) -> Bool {
    var beginning: [UInt8] = []
    do throws(SystemProblem) {
      try readFile(path, offset: 0, length: 16_384) { piece in
        beginning += piece
        return true
      }
    } catch {
      return true
    }
    return Cryptography.isPEM(beginning)
  }

  private static func checkAuthorities(_ path: String) throws(TransportError) {
    let bytes: [UInt8]
    do {
      bytes = try read(path, as: "the file of trusted certificates")
    } catch {
      throw error.with(.authorities)
    }
    if Certificate.all(pem: bytes, limit: 1).isEmpty {
      throw TransportError(
        .invalidRequest, "the file of trusted certificates \"\(path)\" has no certificate in it",
        help: Certificate(der: bytes) == nil
          ? "name a PEM file (-----BEGIN CERTIFICATE-----) with the certificates of the issuers"
          : "it is DER: make it PEM with `openssl x509 -inform der -in … -out …`"
      ).with(.authorities)
    }
  }

  private static func check(_ client: ClientCertificate) throws(TransportError) {
    let certificate = try read(client.certificate, as: "the client certificate")
    // A container includes its key.
    let keyPath = client.format == .p12 ? nil : client.key
    let key: [UInt8]? = if let keyPath { try read(keyPath, as: "the client key") } else { nil }
    let encoding: ClientCertificateEncoding =
      switch client.format {
      case .pem: .pem
      case .der: .der
      case .p12: .pkcs12
      }
    do throws(ClientIdentityProblem) {
      try checkClientIdentity(
        certificate: certificate, key: key, passphrase: client.passphrase, encoding: encoding)
    } catch {
      throw describe(error, client, keyPath: keyPath ?? client.certificate)
    }
  }

  private static func describe(
    _ problem: ClientIdentityProblem, _ client: ClientCertificate, keyPath: String
  ) -> TransportError {
    let format = client.format == .p12 ? "PKCS#12" : client.format.rawValue.uppercased()
    let (message, help): (String, String) =
      switch problem {
      case .noCertificate:
        (
          "the client certificate \"\(client.certificate)\" has no \(format) certificate in it",
          "check the file and its format, one of pem, der, p12"
        )
      case .noKey where keyPath == client.certificate:
        (
          "the client certificate \"\(client.certificate)\" has no key in it",
          client.format == .p12 ? "export it with its key" : "name the file of the key too"
        )
      case .noKey:
        ("the client key \"\(keyPath)\" has no private key in it", "check the file: PEM and DER are read")
      case .passphraseMissing: ("the client key \"\(keyPath)\" is encrypted", "give its passphrase")
      case .passphraseWrong:
        ("the passphrase of the client key \"\(keyPath)\" is wrong", "check the passphrase and which file it is for")
      case .keyOfAnotherCertificate:
        (
          "the client key \"\(keyPath)\" does not belong to the certificate \"\(client.certificate)\"",
          "name the key that the certificate was made with"
        )
      case .outdatedEncryption:
        (
          "the client certificate \"\(client.certificate)\" is encrypted in a way that OpenSSL no longer reads",
          "write it anew: `openssl pkcs12 -legacy -in … -nodes | openssl pkcs12 -export -out …`"
        )
      }
    return TransportError(.invalidRequest, message, help: help)
  }

  private static func read(_ path: String, as what: String) throws(TransportError) -> [UInt8] {
    switch readFile(path, limit: limit) {
    case .success(let bytes): return bytes
    case .failure(let problem):
      throw TransportError(
        .invalidRequest, "\(what) \"\(path)\" cannot be read: \(problem.reason)",
        help: "check the path and the permissions of the file")
    }
  }
}
