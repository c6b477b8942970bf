import Foundation
import TestSupport
import Testing
import URLSessionTransport

/// What is read out of certificates before any of Apple's functions sees them.
struct CertificateBytesTests {
  @Test(
    "the public key of a certificate is that of openssl",
    .enabled(if: TestCertificates.isAvailable, "needs openssl"),
    arguments: [
      ["-newkey", "rsa:2048"], ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"], ["-newkey", "ed25519"],
    ])
  func publicKey(_ kind: [String]) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    func openssl(_ arguments: [String]) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
      process.arguments = arguments
      process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
    }
    try openssl(
      ["req", "-x509"] + kind + [
        "-nodes", "-keyout", "key", "-out", "cert.pem", "-subj", "/CN=localhost", "-days", "1",
      ])
    try openssl(["pkey", "-in", "key", "-pubout", "-outform", "DER", "-out", "public"])
    let text = try #require(folder.text("cert.pem"))
    let certificates = derCertificates(ofPEM: "a comment\n" + text + "\n" + text)
    try #require(certificates.count == 2)
    #expect(certificates[0] == certificates[1])
    let expected = try Array(Data(contentsOf: URL(fileURLWithPath: folder.path + "/public")))
    #expect(subjectPublicKeyInfo(ofCertificate: certificates[0]) == expected)
    #expect(pemCertificate(Data(certificates[0])) == text)
    for length in 0..<min(certificates[0].count, 200) {
      #expect(subjectPublicKeyInfo(ofCertificate: Array(certificates[0][..<length])) == nil)
    }
  }

  @Test(
    "bytes that are not a certificate have no key",
    arguments: [[], [0x30], [0x30, 0x80], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x02, 0x01, 0x00]] as [[UInt8]])
  func nonsense(_ bytes: [UInt8]) { #expect(subjectPublicKeyInfo(ofCertificate: bytes) == nil) }

  @Test(
    "text without a certificate has none", arguments: ["", "-----BEGIN CERTIFICATE-----", "-----BEGIN KEY-----\nAA=="])
  func noPEM(_ text: String) { #expect(derCertificates(ofPEM: text).isEmpty) }
}
