import Foundation
import TestSupport
import Testing

@Suite(
  .enabled(if: NginxServer.isAvailable && NginxServer.hasPropfind, "needs nginx with its module dav-ext, and openssl"))
struct WebDAVTests {
  /// What runs against the demo server as an example, against a server that others wrote.
  @Test("The WebDAV example passes against nginx", arguments: ["curl", "urlsession"])
  func nginx(_ transport: String) async throws {
    let root = Repository.root.path
    let nginx = try NginxServer.shared.get()
    let arguments = [
      "--transport", transport, "--var", "dav=http://127.0.0.1:\(nginx.port(.plain))/dav", "Examples/34-webdav.yaml",
    ]
    let result = try await ProcessRun(try builtExecutable("reqrun"), arguments, in: root).run()
    let output = String(decoding: result.output + result.errorOutput, as: UTF8.self)
    #expect(result.ending == .exited(0), "\(output)")
    #expect(output.contains("14 passed"))
  }
}
