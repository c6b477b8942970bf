import Foundation
import TestSupport
import Testing

/// A server's certificate in `capture` and `expect`, through the program.
@Suite(.enabled(if: NginxServer.isAvailable, "needs nginx and openssl"), .timeLimit(.minutes(1)))
struct CertificateSpecTests {
  @Test("a certificate is captured and expected, on a new connection and on a used one")
  func certificate() async throws {
    let nginx = try NginxServer.shared.get()
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write([
      "spec.yaml": """
      defaults:
        base_url: https://localhost:\(nginx.port(.secure))
        tls: {ca: ca.pem}
      requests:
        - url: /hello.txt
          capture: {issuer: {certificate: issuer}, all: certificate}
          expect:
            certificate:
              subject: CN=localhost
              issuer: CN=Wire Test CA
              expires_in: {at_least: 1d, less_than: 3d}
              starts: {before: "${{ now }}"}
              names: {contains: "*.wire.test"}
              key_bits: 256
              chain: {count: 1, every: {includes: {key_type: EC}}}
        - url: /hello.txt
          expect: {certificate: {issuer: "${{ issuer }}", fingerprint: "${{ all.fingerprint }}"}}
        - url: /hello.txt
          expect: {certificate: {expires_in: {at_least: 30d}}}
      """
    ])
    try folder.write(["ca.pem": String(contentsOfFile: nginx.certificates.path("ca.pem"), encoding: .utf8)])
    let result = try await ProcessRun(try builtExecutable("reqrun"), ["spec.yaml"], in: folder.path).run()
    let output = String(decoding: result.output + result.errorOutput, as: UTF8.self)
    #expect(result.ending == .exited(1), "\(output)")
    #expect(output.contains("error: certificate expires_in: at_least 30d"), "\(output)")
    #expect(output.contains("hint: it expires at "), "\(output)")
    #expect(output.contains("assertions, 1 failed"), "\(output)")
  }
}
