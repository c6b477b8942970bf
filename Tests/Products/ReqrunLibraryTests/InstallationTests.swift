import ReqrunKit
import Testing

/// What `reqrun doctor` prints.
struct InstallationTests {
  @Test("each part of the installation has a line, and help where it is missing") func parts() {
    let installation = Runner.installation()
    let names = installation.parts.map(\.name)
    for name in ["reqrun", "libcurl", "URLSession", "trusted issuers", "proxies", "XML and HTML", "locale"] {
      #expect(names.contains(name))
    }
    #expect(installation.parts.first?.text == Runner.version)
    // These tests send requests.
    #expect(installation.exitCode == 0)
    let lines = installation.text.split(separator: "\n")
    #expect(lines.first?.hasPrefix("✓ reqrun ") == true)
    #expect(lines.count { !$0.contains("= help: ") } == installation.parts.count)
  }
}
