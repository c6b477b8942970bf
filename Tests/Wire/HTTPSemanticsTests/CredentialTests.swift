import HTTPSemantics
import TestSupport
import Testing

struct Journey: Sendable, CustomTestStringConvertible {
  let name: String
  let urls: [String]
  /// Whether each request carries the user's credentials.
  let carries: [Bool]
  var trusted: [String] = []
  var testDescription: String { name }
}

private let journeys = [
  Journey(name: "same origin", urls: ["http://a/", "http://a/x", "http://a:80/y"], carries: [true, true, true]),
  Journey(name: "another host", urls: ["http://a/", "http://b/"], carries: [true, false]),
  Journey(name: "another port", urls: ["http://a/", "http://a:81/"], carries: [true, false]),
  Journey(name: "another scheme", urls: ["http://a/", "https://a/"], carries: [true, false]),
  Journey(name: "a host below", urls: ["http://a/", "http://x.a/"], carries: [true, false]),
  Journey(name: "there and back", urls: ["http://a/", "http://b/", "http://a/"], carries: [true, false, false]),
  Journey(
    name: "there and back, trusted", urls: ["http://a/", "http://b/", "http://a/"], carries: [true, true, true],
    trusted: ["B", "a"]),
  Journey(
    name: "trusted after untrusted", urls: ["http://a/", "http://b/", "http://c/"], carries: [true, false, false],
    trusted: ["c"]),
  Journey(
    name: "trusted IPv6", urls: ["http://a/", "http://[::1]:81/"], carries: [true, true], trusted: ["[::1]"]),
]

private func transport(_ journey: Journey) -> ScriptedTransport {
  ScriptedTransport { _, index in index + 1 < journey.urls.count ? .redirect(to: journey.urls[index + 1]) : .init() }
}

@Suite("Credentials")
struct CredentialTests {
  @Test("Credentials and the user's cookies don't go to another origin", arguments: journeys)
  func dropped(_ journey: Journey) async throws {
    let secrets: [(String, OutgoingRequest)] = [
      ("Authorization", try request(journey) { $0.credentials = .bearer("t0ken") }),
      ("Authorization", try request(journey) { $0.headers = HeaderFields([("authorization", "Custom x")]) }),
      ("Proxy-Authorization", try request(journey) { $0.headers = HeaderFields([("Proxy-Authorization", "x")]) }),
      ("Cookie", try request(journey) { $0.headers = HeaderFields([("Cookie", "sid=1")]) }),
      ("Cookie", try request(journey) { $0.cookies = [("sid", "1")] }),
      ("Authorization", try request(journey) { $0.url.userinfo = "ann:pw" }),
    ]
    for (header, request) in secrets {
      let transport = transport(journey)
      _ = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
      #expect(transport.requests.map { $0.headers.contains(header) } == journey.carries, "\(header)")
    }
  }

  private func request(_ journey: Journey, _ change: (inout OutgoingRequest) -> Void) throws -> OutgoingRequest {
    var request = OutgoingRequest(
      method: .get, url: try url(journey.urls[0]), redirects: RedirectPolicy(trustedHosts: journey.trusted))
    change(&request)
    return request
  }

  @Test("A Host header of one's own stays with its origin", arguments: journeys)
  func host(_ journey: Journey) async throws {
    let transport = transport(journey)
    let request = try request(journey) { $0.headers = HeaderFields([("Host", "virtual.example")]) }
    _ = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    let kept = transport.requests.map { $0.headers.contains("Host") }
    #expect(
      kept == (journey.name == "same origin" ? [true, true, true] : [true] + kept.dropFirst().map { _ in false }))
  }

  @Test("Other headers go everywhere")
  func others() async throws {
    let transport = ScriptedTransport([.redirect(to: "http://b/"), .init()])
    let request = OutgoingRequest(
      method: .get, url: try url("http://a/"),
      headers: HeaderFields([("Accept", "text/html"), ("X-A", "1"), ("X-A", "2")]))
    _ = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    #expect(transport.requests[1].headers == request.headers)
  }

  @Test(
    "The value of the Authorization header",
    arguments: [
      (Credentials.basic(username: "Aladdin", password: "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
      (.basic(username: "test", password: "123£"), "Basic dGVzdDoxMjPCow=="),  // RFC 7617, section 2.1
      (.basic(username: "", password: ""), "Basic Og=="),
      (.basic(username: "a", password: "b:c"), "Basic YTpiOmM="),
      (.bearer("mF_9.B5f-4.1JqM"), "Bearer mF_9.B5f-4.1JqM"),
    ])
  func headerValue(_ credentials: Credentials, _ value: String) async throws {
    let transport = ScriptedTransport([.init()])
    _ = try await HTTPClient(transport: transport).perform(
      OutgoingRequest(method: .get, url: try url("http://a/"), credentials: credentials), into: CollectingSink())
    #expect(transport.requests[0].headers.values("Authorization") == [value])
  }

  @Test(
    "Userinfo of the URL becomes Basic credentials and is not sent in it",
    arguments: [
      ("ann:pw", "Basic YW5uOnB3"), ("ann", "Basic YW5uOg=="), ("a%40b:p%3Aw", "Basic YUBiOnA6dw=="),
      ("ann:a:b", "Basic YW5uOmE6Yg=="),
    ])
  func userinfo(_ userinfo: String, _ value: String) async throws {
    let transport = ScriptedTransport([.init()])
    let result = try await HTTPClient(transport: transport).perform(
      OutgoingRequest(method: .get, url: try url("http://\(userinfo)@a/")), into: CollectingSink())
    #expect(transport.requests[0].headers.first("Authorization") == value)
    #expect(transport.requests[0].url.userinfo == nil)
    #expect(result.finalURL.userinfo == nil)
  }

  @Test("A written header comes before credentials, credentials before userinfo")
  func precedence() async throws {
    let transport = ScriptedTransport([.init()])
    let client = HTTPClient(transport: transport)
    var request = OutgoingRequest(
      method: .get, url: try url("http://ann:pw@a/"), credentials: .bearer("token"))
    _ = try await client.perform(request, into: CollectingSink())
    request.headers = HeaderFields([("authorization", "Mine")])
    _ = try await client.perform(request, into: CollectingSink())
    #expect(transport.requests.map { $0.headers.values("Authorization") } == [["Bearer token"], ["Mine"]])
  }

  @Test("Userinfo in a redirect is for its origin and never replaces the user's own")
  func userinfoOfTarget() async throws {
    let script: [ScriptedTransport.Response] = [
      .redirect(to: "http://bob:pw@b/"), .redirect(to: "/again"), .redirect(to: "http://c/"), .init(),
    ]
    let transport = ScriptedTransport(script)
    let request = OutgoingRequest(method: .get, url: try url("http://a/"), credentials: .bearer("t"))
    _ = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    #expect(
      transport.requests.map { $0.headers.first("Authorization") }
        == ["Bearer t", "Basic Ym9iOnB3", "Basic Ym9iOnB3", nil])

    var trusting = request
    trusting.redirects.trustedHosts = ["c"]
    let onward = ScriptedTransport([.redirect(to: "http://bob:pw@b/"), .redirect(to: "http://c/"), .init()])
    _ = try await HTTPClient(transport: onward).perform(trusting, into: CollectingSink())
    #expect(onward.requests.map { $0.headers.first("Authorization") } == ["Bearer t", "Basic Ym9iOnB3", nil])

    let sameOrigin = ScriptedTransport([.redirect(to: "http://bob:pw@a/x"), .init()])
    _ = try await HTTPClient(transport: sameOrigin).perform(request, into: CollectingSink())
    #expect(sameOrigin.requests.map { $0.headers.first("Authorization") } == ["Bearer t", "Bearer t"])
  }

  @Test("Credentials show in no description")
  func hidden() {
    var dumped = ""
    dump([Credentials.basic(username: "ann", password: "hunter2"), .bearer("hunter2")], to: &dumped)
    #expect(!dumped.contains("hunter2"))
    #expect(!"\(Credentials.bearer("hunter2"))".contains("hunter2"))
    #expect(!String(reflecting: Optional(Credentials.basic(username: "a", password: "hunter2"))).contains("hunter2"))
  }
}
