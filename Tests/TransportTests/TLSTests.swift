import CurlTransport
import Foundation
import HTTPMessages
import TestSupport
import Testing

/// Which certificates are accepted, and that a refusal says why.
@Suite(
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "needs openssl"),
  .timeLimit(.minutes(5)))
struct TLSTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// Further arguments that make the certificate.
    var subject = "/CN=localhost"
    var names = "DNS:localhost"
    var days = 1
    var isSelfSigned = false
    var trustsIssuer = true
    /// Nil is success.
    var message: String?
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "a trusted issuer"),
    Case(name: "an unknown issuer", trustsIssuer: false, message: "the certificate of localhost has an unknown issuer"),
    Case(
      name: "self-signed", isSelfSigned: true, trustsIssuer: false,
      message: "the certificate of localhost is self-signed"),
    Case(
      name: "another host", names: "DNS:other.test", message: "the certificate is not for the host localhost"),
    Case(name: "expired", days: -1, message: "the certificate of localhost has expired"),
  ]

  @Test("certificates", arguments: cases)
  func certificate(_ example: Case) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func openssl(_ arguments: String...) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
      process.arguments = arguments
      process.currentDirectoryURL = folder
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
    }
    let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    try openssl(
      "req", "-x509", newKey[0], newKey[1], newKey[2], newKey[3], newKey[4], "-keyout", "ca.key", "-out", "ca.pem",
      "-subj", "/CN=Test CA")
    try Data("subjectAltName=\(example.names)\n".utf8).write(to: folder.appendingPathComponent("names"))
    if example.isSelfSigned {
      try openssl(
        "req", "-x509", newKey[0], newKey[1], newKey[2], newKey[3], newKey[4], "-keyout", "leaf.key", "-out",
        "leaf.pem", "-subj", example.subject, "-addext", "subjectAltName=\(example.names)")
    } else {
      try openssl(
        "req", newKey[0], newKey[1], newKey[2], newKey[3], newKey[4], "-keyout", "leaf.key", "-out", "leaf.csr",
        "-subj", example.subject)
      try openssl(
        "x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days",
        String(example.days), "-extfile", "names", "-out", "leaf.pem")
    }

    let server = Process()
    let output = Pipe()
    server.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    server.arguments = ["s_server", "-accept", "0", "-cert", "leaf.pem", "-key", "leaf.key", "-www"]
    server.currentDirectoryURL = folder
    server.standardOutput = output
    server.standardError = FileHandle.nullDevice
    try server.run()
    // SIGTERM is blocked in the threads of tests, and so in what they start.
    defer { kill(server.processIdentifier, SIGKILL) }
    var text = ""
    while !text.contains("ACCEPT") || !text.hasSuffix("\n") {
      let piece = output.fileHandleForReading.availableData
      try #require(!piece.isEmpty, "openssl s_server ended: \(text)")
      text += String(decoding: piece, as: UTF8.self)
    }
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") })
    let port = try #require(Int(line.split(separator: ":").last ?? ""))

    let request = WireRequest(
      method: .get, url: HTTPURL(scheme: "https", host: "localhost", port: port, path: "/"),
      limits: ExchangeLimits(total: .seconds(10)))
    let transport = LibcurlTransport(
      certificateAuthorities: example.trustsIssuer ? folder.appendingPathComponent("ca.pem").path : nil)
    let sink = CollectingSink()
    let error = await transport.failure(request, into: sink)
    #expect(error?.message == example.message)
    #expect(error?.kind == (example.message == nil ? nil : .tls))
    #expect((sink.head?.status == 200) == (example.message == nil))
  }

  @Test("a file of certificates that is missing is an error that names the cause")
  func missingFile() async throws {
    let request = WireRequest(
      method: .get, url: HTTPURL(scheme: "https", host: "localhost", port: 9, path: "/"),
      limits: ExchangeLimits(total: .seconds(10)))
    let error = await LibcurlTransport(certificateAuthorities: "/nonexistent.pem").failure(request)
    #expect(error?.kind == .tls || error?.kind == .connection)
  }
}
