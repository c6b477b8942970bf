import CurlTransport
import HTTPSemantics
import ReqrunKit
import Synchronization
import TestSupport
import Testing
import Values

@Suite("Signing in for OAuth 2")
struct SignInTests {
  /// Runs a spec against the demo server, with a browser that opens what it is asked to.
  private static func run(
    _ auth: String, browser: @escaping @Sendable (HTTPClient, _ text: String, _ page: String?) async -> Void
  ) async throws -> RunResult {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write([
      "reqrun.yaml": "demo: true\n",
      "spec.yaml": """
      requests:
        - url: ${{ demo }}/oauth2/resource
          auth: {oauth2: {\(auth), issuer: "${{ demo }}", client_id: public, token_cache: tokens.json}}
          expect: {json: {$.username: ann, $.scope: tides}}
      """,
    ])
    var runner = Runner(specs: [.path(folder.path + "/spec.yaml")])
    let client = HTTPClient(transport: LibcurlTransport(parallel: 4))
    runner.options.onSignIn = { text, page in Task { await browser(client, text, page) } }
    let result = await runner.run()
    guard result.isSuccess else { return result }
    #expect(folder.text("tokens.json")?.contains("access_token") == true)
    return result
  }

  private static func open(_ page: String, by client: HTTPClient) async {
    guard let url = try? HTTPURL(parsing: page) else { return }
    _ = await client.result(of: OutgoingRequest(method: .get, url: url), into: Discarding())
  }

  @Test("A browser signs in, and comes back to a port of the loopback")
  func code() async throws {
    let result = try await Self.run("grant_type: authorization_code, scope: tides") { client, text, page in
      #expect(text.hasPrefix("to sign in, open http://127.0.0.1:"))
      guard let page else { return }
      // A page that another state belongs to is not the one that is waited for.
      let callback = page.split(separator: "&").first { $0.hasPrefix("redirect_uri=") }?.dropFirst(13) ?? ""
      await Self.open(percentDecoded(callback) + "?code=stolen&state=other", by: client)
      await Self.open(page, by: client)
    }
    #expect(result.exitCode == 0)
  }

  @Test("A browser comes back to a redirect URI of the spec")
  func redirectURI() async throws {
    let uri = "http://127.0.0.1/back/here"
    let result = try await Self.run("grant_type: authorization_code, scope: tides, redirect_uri: \"\(uri)\"") {
      client, _, page in
      guard let page else { return }
      #expect(percentDecoded(page).contains(/redirect_uri=http:\/\/127.0.0.1:[0-9]+\/back\/here&/))
      await Self.open(page, by: client)
    }
    #expect(result.exitCode == 0)
  }

  @Test("A sign-in that is denied is a failure")
  func denied() async throws {
    let result = try await Self.run("grant_type: authorization_code, scope: denied") { client, _, page in
      if let page { await Self.open(page, by: client) }
    }
    #expect(result.exitCode == 1)
  }

  @Test("A person signs in on another device")
  func device() async throws {
    let result = try await Self.run("grant_type: device_code, scope: tides") { client, text, page in
      #expect(page == nil)
      let words = text.split(separator: " ").map(String.init)
      guard words.count > 4, let code = words.last else { return }
      await Self.open("\(words[4])/\(code)", by: client)
    }
    #expect(result.exitCode == 0)
  }
}

private final class Discarding: ResponseSink {
  func receive(head: ResponseHead) -> SinkDecision { .more }
  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision { .more }
  func receive(informational head: ResponseHead) {}
  func receive(trailers: HeaderFields) {}
  func sent(bodyBytes: Int64) {}
  func restart() -> Bool { true }
}
