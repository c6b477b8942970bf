import CurlTransport
import TestSupport
import Testing

/// A bundle or a folder, never both by default: libcurl would parse the bundle for each connection.
struct CertificateTrustTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var environment: [String: String] = [:]
    var files: [String: String] = [:]
    /// The folder stands for itself as `<system>`.
    var expected: CertificateTrust
    var testDescription: String { name }
  }

  private static let hashed = ["12345678.0": ""]

  static let cases = [
    Case(
      name: "a hashed folder of the system", files: hashed,
      expected: CertificateTrust(replacesFile: true, file: nil, folder: "<system>")),
    Case(
      name: "a folder without hashes", files: ["a.pem": "", "12345678.1": "", "1234567.0": ""],
      expected: CertificateTrust(replacesFile: false, file: nil, folder: nil)),
    Case(
      name: "curl's variable", environment: ["CURL_CA_BUNDLE": "/a.pem"], files: hashed,
      expected: CertificateTrust(replacesFile: true, file: "/a.pem", folder: nil)),
    Case(
      name: "OpenSSL's file", environment: ["SSL_CERT_FILE": "/a.pem"], files: hashed,
      expected: CertificateTrust(replacesFile: true, file: "/a.pem", folder: nil)),
    Case(
      name: "OpenSSL's folder", environment: ["SSL_CERT_DIR": "/a"], files: hashed,
      expected: CertificateTrust(replacesFile: true, file: nil, folder: "/a")),
    Case(
      name: "curl's variable before OpenSSL's",
      environment: ["CURL_CA_BUNDLE": "/a.pem", "SSL_CERT_FILE": "/b.pem", "SSL_CERT_DIR": "/c"],
      expected: CertificateTrust(replacesFile: true, file: "/a.pem", folder: "/c")),
  ]

  @Test("which certificates are trusted by default", arguments: cases)
  func choice(_ example: Case) throws {
    let folder = try TemporaryFolder()
    try folder.write(example.files)
    var trust = CertificateTrust(setting: { example.environment[$0] }, systemFolder: folder.path)
    if trust.folder == folder.path { trust.folder = "<system>" }
    #expect(trust == example.expected)
  }

  @Test("a folder that is not there has none")
  func missing() {
    let trust = CertificateTrust(setting: { _ in nil }, systemFolder: "/nonexistent")
    #expect(trust == CertificateTrust(replacesFile: false, file: nil, folder: nil))
  }
}
