import Cryptography
import Foundation
import TestSupport
import Testing
import Values

/// Certificates and keys that `openssl` made, read by libcrypto.
@Suite(.enabled(if: TestCertificates.isAvailable, "needs openssl"))
struct CertificateTests {
  @Test("what a certificate says")
  func certificate() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let files = try TestCertificates(in: folder.path)
    let text = try #require(folder.text("server.pem"))
    let certificate = try #require(Certificate(pem: "something before\n" + text))
    #expect(certificate.subject == "CN=localhost")
    #expect(certificate.issuer == "CN=Wire Test CA")
    #expect(certificate.names == ["localhost", "*.wire.test", "127.0.0.1", "::1"])
    #expect(certificate.expires.seconds - certificate.starts.seconds == 2 * 86_400)
    #expect(abs(Double(certificate.starts.seconds) - Date().timeIntervalSince1970) < 600)
    #expect(certificate.key.type == "EC")
    #expect(certificate.key.bits == 256)
    #expect(certificate.signatureAlgorithm == "ecdsa-with-SHA256")
    #expect(certificate.serial.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    #expect(certificate.fingerprint.count == 64)
    #expect(try certificate.publicKeyHash == files.pin)
    let der = try Array(Data(contentsOf: URL(fileURLWithPath: files.path("client.der"))))
    #expect(Certificate(der: der) == Certificate(pem: try #require(folder.text("client.pem"))))
    #expect(certificatePEM(der: der) == folder.text("client.pem"))
    #expect(Certificate.all(pem: Array((text + text).utf8)).count == 2)
  }

  @Test("what is none", arguments: ["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "text"])
  func none(_ text: String) {
    #expect(Certificate(pem: text) == nil)
    #expect(Certificate(der: Array(text.utf8)) == nil)
  }
}
