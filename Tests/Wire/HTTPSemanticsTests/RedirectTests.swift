import HTTPSemantics
import TestSupport
import Testing
import Values

struct MethodRule: Sendable, CustomTestStringConvertible {
  let status: Int
  let method: String
  let next: String
  let keepsBody: Bool
  init(_ status: Int, _ method: String, _ next: String, keepsBody: Bool) {
    self.status = status
    self.method = method
    self.next = next
    self.keepsBody = keepsBody
  }
  var testDescription: String { "\(status) after \(method)" }
}

struct SecretHop: Sendable, CustomTestStringConvertible {
  let location: String
  let trusted: [String]
  /// Whether the next hop gets the header, and the one after that, which leads back.
  let arrives: (there: Bool, back: Bool)
  init(_ location: String, _ trusted: [String], _ there: Bool, _ back: Bool) {
    self.location = location
    self.trusted = trusted
    arrives = (there, back)
  }
  var testDescription: String { "\(location), trusting \(trusted)" }
}

private let bodyHeaders = [
  ("Content-Type", "text/plain"), ("content-length", "4"), ("Content-Encoding", "identity"), ("Content-Language", "en"),
]

@Suite("Redirects")
struct RedirectTests {
  @Test(
    "The status decides on method and body",
    arguments: [
      MethodRule(301, "POST", "GET", keepsBody: false), MethodRule(302, "POST", "GET", keepsBody: false),
      MethodRule(303, "POST", "GET", keepsBody: false), MethodRule(307, "POST", "POST", keepsBody: true),
      MethodRule(308, "POST", "POST", keepsBody: true), MethodRule(301, "PUT", "PUT", keepsBody: true),
      MethodRule(302, "PUT", "PUT", keepsBody: true), MethodRule(303, "PUT", "GET", keepsBody: false),
      MethodRule(307, "PUT", "PUT", keepsBody: true), MethodRule(302, "PATCH", "PATCH", keepsBody: true),
      MethodRule(303, "PATCH", "GET", keepsBody: false), MethodRule(301, "DELETE", "DELETE", keepsBody: true),
      MethodRule(303, "DELETE", "GET", keepsBody: false), MethodRule(308, "DELETE", "DELETE", keepsBody: true),
      MethodRule(302, "BREW", "BREW", keepsBody: true),
    ])
  func method(_ rule: MethodRule) async throws {
    let transport = ScriptedTransport([.redirect(rule.status, to: "/next"), .init()])
    let request = OutgoingRequest(
      method: try #require(HTTPMethod(rule.method)), url: try url("http://a/"),
      headers: HeaderFields(bodyHeaders + [("X-Kept", "1")]), body: .bytes(Array("body".utf8)))
    let result = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    #expect(result.redirectCount == 1)
    let next = transport.requests[1]
    #expect(next.method.rawValue == rule.next)
    #expect(text(next.body) == (rule.keepsBody ? "body" : nil))
    let names = next.headers.fields.map(\.name)
    #expect(names == (rule.keepsBody ? bodyHeaders.map(\.0) : []) + ["X-Kept"])
  }

  @Test("GET and HEAD stay what they are", arguments: [301, 302, 303, 307, 308], ["GET", "HEAD"])
  func safeMethods(_ status: Int, _ method: String) async throws {
    let transport = ScriptedTransport([.redirect(status, to: "/next"), .init()])
    let request = OutgoingRequest(method: try #require(HTTPMethod(method)), url: try url("http://a/"))
    _ = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    #expect(transport.requests.map(\.method.rawValue) == [method, method])
  }

  @Test("keepsMethod keeps POST on 301 and 302, not on 303", arguments: [(301, "POST"), (302, "POST"), (303, "GET")])
  func keepsMethod(_ status: Int, _ method: String) async throws {
    let transport = ScriptedTransport([.redirect(status, to: "/next"), .init()])
    let request = OutgoingRequest(
      method: .post, url: try url("http://a/"), body: .bytes([1]), redirects: RedirectPolicy(keepsMethod: true))
    _ = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    #expect(transport.requests[1].method.rawValue == method)
    #expect(transport.requests[1].body.length == (method == "POST" ? 1 : 0))
  }

  @Test(
    "What is not a redirect to follow is the response",
    arguments: [200, 201, 300, 304, 305, 306, 309, 400])
  func otherStatus(_ status: Int) async throws {
    let transport = ScriptedTransport([.init(status: status, headers: [("Location", "/next")])])
    let result = try await HTTPClient(transport: transport).perform(
      OutgoingRequest(method: .get, url: try url("http://a/")), into: CollectingSink())
    #expect(result.head.status == status)
    #expect(transport.requests.count == 1)
  }

  @Test("A redirect without a target is the response", arguments: [301, 302, 303, 307, 308], [[], [("Location", "")]])
  func noLocation(_ status: Int, _ headers: [(String, String)]) async throws {
    let transport = ScriptedTransport([.init(status: status, headers: headers, body: Array("x".utf8))])
    let sink = CollectingSink()
    let result = try await HTTPClient(transport: transport).perform(
      OutgoingRequest(method: .get, url: try url("http://a/")), into: sink)
    #expect(result.head.status == status)
    #expect(sink.text == "x")
  }

  @Test("Redirects are responses where none are to be followed")
  func notFollowed() async throws {
    let transport = ScriptedTransport([.redirect(to: "/next")])
    let sink = CollectingSink()
    let request = OutgoingRequest(method: .get, url: try url("http://a/"), redirects: RedirectPolicy(mode: .none))
    let result = try await HTTPClient(transport: transport).perform(request, into: sink)
    #expect(result.head.status == 302)
    #expect(sink.text == "moved")
    #expect(result.redirectCount == 0)
  }

  @Test(
    "Targets are resolved against the URL that redirected",
    arguments: [
      ("next", "http://a/dir/sub/next"), ("../x", "http://a/dir/x"), ("/a%2Fb", "http://a/a%2Fb"),
      ("?x=2", "http://a/dir/sub/r?x=2"), ("//b:81/x", "http://b:81/x"), ("//[::1]/x", "http://[::1]/x"),
      ("https://b/ü y", "https://b/%C3%BC%20y"), (" /spaced ", "http://a/spaced"),
    ])
  func targets(_ location: String, _ expected: String) async throws {
    let transport = ScriptedTransport([.redirect(to: location), .init()])
    let request = OutgoingRequest(method: .get, url: try url("http://a/dir/sub/r?q=1"))
    let result = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    #expect(transport.requests[1].url.string == expected)
    #expect(result.finalURL.string == expected)
  }

  @Test(
    "A request moves to a URL of a response under the rules of redirects",
    arguments: [
      ("http://a/2", false, true), ("http://trusted/2", false, true), ("https://a/2", true, true),
      ("http://b/2", true, true), ("http://a:81/2", true, true),
    ])
  func moves(_ target: String, _ isDropped: Bool, _ keepsPlain: Bool) throws {
    var request = OutgoingRequest(
      method: .get, url: try url("http://ann:pw@a/1"), requestTarget: "*",
      headers: HeaderFields([("Authorization", "x"), ("X-Key", "k"), ("X-Plain", "p")]), secretHeaders: ["X-Key"],
      cookies: [("own", "1")], redirects: RedirectPolicy(trustedHosts: ["trusted"]))
    #expect(try request.move(to: try url(target)) == isDropped)
    #expect(request.url.string == target)
    #expect(request.requestTarget == nil)
    #expect(
      (request.headers.first("Authorization") == nil, request.headers.first("X-Key") == nil) == (isDropped, isDropped))
    #expect((request.headers.first("X-Plain") != nil) == keepsPlain)
    #expect(request.cookies.isEmpty == isDropped)
    #expect((request.credentials == nil) == isDropped)
  }

  @Test("A request leaves TLS only if that is allowed, and without credentials")
  func leavesTLS() throws {
    var request = OutgoingRequest(
      method: .get, url: try url("https://a/1"), credentials: .bearer("t"),
      redirects: RedirectPolicy(trustedHosts: ["a"]))
    #expect(throws: TransportError.self) { _ = try request.move(to: try url("http://a/2")) }
    #expect(request.url.string == "https://a/1")
    request.redirects.allowsHTTP = true
    #expect(try request.move(to: try url("http://a/2")))
    #expect(request.credentials == nil)
  }

  @Test("A fragment is inherited unless the target has its own", arguments: [("/x", "top"), ("/x#own", "own")])
  func fragments(_ location: String, _ fragment: String) async throws {
    let transport = ScriptedTransport([.redirect(to: location), .init()])
    let request = OutgoingRequest(method: .get, url: try url("http://a/#top"))
    let result = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    #expect(result.finalURL.fragment == fragment)
  }

  @Test(
    "Targets elsewhere than on http are errors that name them, without userinfo",
    arguments: [
      ("file:///etc/passwd", "to \"file:///etc/passwd\" can't be followed: the scheme \"file\" is not http or https"),
      ("javascript:alert(1)", "to \"javascript:alert(1)\" can't be followed"),
      ("ftp://ann:hunter2@b/x", "to \"ftp://b/x\" can't be followed"),
      ("http://b:99999/", "a port is a number from 0 to 65535"),
      ("\\\\evil\\x", "a URL can't begin with a backslash"),
      ("//good\\@evil/", "a backslash can't stand before the path of a URL"),
    ])
  func refusedTargets(_ location: String, _ message: String) async throws {
    let transport = ScriptedTransport([.redirect(to: location)])
    let request = OutgoingRequest(method: .get, url: try url("http://a/"))
    let failure = await #expect(throws: ExchangeFailure.self) {
      try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    }
    #expect(failure?.error.kind == .redirects)
    #expect(failure?.error.message.contains(message) == true, "\(failure?.error.message ?? "")")
    #expect(failure?.error.message.contains("hunter2") == false)
    #expect(failure?.hops.count == 1)
    #expect(transport.requests.count == 1)
  }

  @Test("A redirect leaves TLS only where that is allowed")
  func downgrade() async throws {
    let transport = ScriptedTransport([.redirect(to: "http://a/")])
    let request = OutgoingRequest(
      method: .get, url: try url("https://a/"), redirects: RedirectPolicy(trustedHosts: ["a"]))
    let failure = await #expect(throws: ExchangeFailure.self) {
      try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    }
    #expect(failure?.error.kind == .redirects)
    #expect(failure?.error.message == "the redirect from https://a/ to http://a/ would leave TLS and is not followed")
    #expect(failure?.error.help?.contains("allow_http") == true)
  }

  @Test("Where a redirect may leave TLS, credentials stay behind, trusted hosts or not")
  func allowedDowngrade() async throws {
    let transport = ScriptedTransport([.redirect(to: "http://a/next"), .init()])
    var policy = RedirectPolicy(trustedHosts: ["a"])
    policy.allowsHTTP = true
    let request = OutgoingRequest(
      method: .get, url: try url("https://a/"), headers: HeaderFields([("Authorization", "Bearer x")]),
      cookies: [("sid", "1")], redirects: policy)
    let result = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    #expect(result.finalURL.string == "http://a/next")
    #expect(transport.requests.map { $0.headers.contains("Authorization") } == [true, false])
    #expect(transport.requests.map { $0.headers.contains("Cookie") } == [true, false])
  }

  @Test(
    "Secret headers go only where credentials go",
    arguments: [
      SecretHop("/next", [], true, true), SecretHop("http://a:80/next", [], true, true),
      SecretHop("http://b/", [], false, false), SecretHop("http://a:81/", [], false, false),
      SecretHop("http://b/", ["b"], true, false), SecretHop("http://b/", ["a", "b"], true, true),
      SecretHop("http://b/", ["c"], false, false),
    ])
  func secretHeaders(_ hop: SecretHop) async throws {
    let transport = ScriptedTransport([.redirect(307, to: hop.location), .redirect(307, to: "http://a/back"), .init()])
    let request = OutgoingRequest(
      method: .post, url: try url("http://a/"),
      headers: HeaderFields([("X-Own", "1"), ("x-key", "2"), ("X-KEY", "3")]), secretHeaders: ["X-Key"],
      redirects: RedirectPolicy(trustedHosts: hop.trusted))
    let result = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    let (own, all) = (["X-Own"], ["X-Own", "x-key", "X-KEY"])
    #expect(
      transport.requests.map { $0.headers.fields.map(\.name) }
        == [all, hop.arrives.there ? all : own, hop.arrives.back ? all : own])
    #expect(request.arrived(by: result).headers.fields.map(\.name) == (hop.arrives.back ? all : own))
    #expect(request.followUp(to: try url("http://d/")).headers.fields.map(\.name) == own)
  }

  @Test("The limit counts redirects, and a loop is shown", arguments: [0, 1, 2, 10])
  func limit(_ maximum: Int) async throws {
    let transport = ScriptedTransport { request, _ in .redirect(to: request.url.path == "/a" ? "/b" : "/a") }
    let request = OutgoingRequest(
      method: .get, url: try url("http://h/a"), redirects: RedirectPolicy(maxCount: maximum))
    let sink = CollectingSink()
    let failure = await #expect(throws: ExchangeFailure.self) {
      try await HTTPClient(transport: transport).perform(request, into: sink)
    }
    #expect(transport.requests.count == maximum + 1)
    #expect(failure?.hops.count == maximum + 1)
    #expect(sink.heads.isEmpty)
    let message = failure?.error.message ?? ""
    #expect(
      message
        == (maximum == 0
          ? "more than 0 redirects: http://h/a → http://h/b"
          : "the redirects go in a circle: http://h/a → http://h/b → http://h/a"))
  }

  @Test("Exactly as many redirects as the limit are followed")
  func atTheLimit() async throws {
    let transport = ScriptedTransport { _, index in index < 10 ? .redirect(to: "/\(index)") : .init() }
    let result = try await HTTPClient(transport: transport).perform(
      OutgoingRequest(method: .get, url: try url("http://h/")), into: CollectingSink())
    #expect(result.redirectCount == 10)
    #expect(result.finalURL.string == "http://h/9")
    #expect(result.hops.map(\.head.status) == Array(repeating: 302, count: 10) + [200])
    #expect(result.summary.remoteAddress == "192.0.2.1:10")
  }

  @Test("The sink sees the final response alone")
  func sinkSeesTheLast() async throws {
    let early = ResponseHead(status: 103, headers: HeaderFields())
    var first = ScriptedTransport.Response.redirect(to: "/next")
    first.informational = [ResponseHead(status: 102, headers: HeaderFields())]
    first.trailers = [("X-First", "1")]
    let last = ScriptedTransport.Response(
      body: Array("hello".utf8), informational: [early], trailers: [("X-Last", "1")])
    let transport = ScriptedTransport([first, last])
    let sink = CollectingSink()
    _ = try await HTTPClient(transport: transport).perform(
      OutgoingRequest(method: .get, url: try url("http://a/")), into: sink)
    #expect(sink.heads.map(\.status) == [200])
    #expect(sink.informational.map(\.status) == [103])
    #expect(sink.text == "hello")
    #expect(sink.trailers.map { $0.first("X-Last") } == ["1"])
  }

  @Test("The body of a redirect is read only so far", arguments: [(1000, 0), (1_000_000, 1)])
  func drain(_ size: Int, _ stops: Int) async throws {
    var first = ScriptedTransport.Response.redirect(to: "/next")
    first.body = [UInt8](repeating: 1, count: size)
    let transport = ScriptedTransport([first, .init()])
    _ = try await HTTPClient(transport: transport).perform(
      OutgoingRequest(method: .get, url: try url("http://a/")), into: CollectingSink())
    #expect(transport.requests.count == 2)
    #expect(transport.stopCount == stops)
  }

  @Test("The request target is for the first hop, the limits are for all")
  func requestTarget() async throws {
    let transport = ScriptedTransport([.redirect(to: "/next"), .init()])
    let request = OutgoingRequest(
      method: .options, url: try url("http://a/"), requestTarget: "*",
      timeouts: ExchangeTimeouts(connect: .seconds(1), request: .seconds(2)), maxBodyBytes: 99)
    _ = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    #expect(transport.requests.map(\.requestTarget) == ["*", nil])
    for sent in transport.requests {
      #expect(sent.limits.connect == .seconds(1))
      #expect(sent.limits.idle == .seconds(2))
      #expect(sent.limits.total == nil)
      #expect(sent.limits.maxBodyBytes == 99)
    }
  }

  @Test("The caller is told of each hop")
  func observer() async throws {
    let transport = ScriptedTransport([.redirect(to: "/x"), .init()])
    await confirmation(expectedCount: 2) { told in
      var client = HTTPClient(transport: transport)
      client.onHop = { _ in told() }
      _ = try? await client.perform(
        OutgoingRequest(method: .get, url: HTTPURL(scheme: "http", host: "a", path: "/")), into: CollectingSink())
    }
  }
}
