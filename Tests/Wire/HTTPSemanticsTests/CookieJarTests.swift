import HTTPSemantics
import TestSupport
import Testing
import Values

struct CookieCase: Sendable, CustomTestStringConvertible {
  let name: String
  let from: String
  let lines: [String]
  let to: String
  let header: String?
  init(_ name: String, from: String = "http://h.example.org/dir/page", _ lines: [String], to: String, _ header: String?)
  {
    self.name = name
    self.from = from
    self.lines = lines
    self.to = to
    self.header = header
  }
  var testDescription: String { name }
}

private let now = Timestamp(seconds: 1_700_000_000)

extension PublicSuffixes {
  fileprivate static let singleLabels = PublicSuffixes { _ in false }
}

extension CookieJar {
  /// The `Cookie` header for a request to that URL; nil without cookies.
  fileprivate func cookieHeader(for url: HTTPURL, now: Timestamp? = nil) -> String? {
    let found = cookies(for: url, now: now).map(\.pair)
    return found.isEmpty ? nil : found.joined(separator: "; ")
  }
}

private func jar(_ from: String, _ lines: [String], _ suffixes: PublicSuffixes = .singleLabels) throws -> CookieJar {
  let jar = CookieJar(publicSuffixes: suffixes)
  let head = ResponseHead(status: 200, headers: HeaderFields(lines.map { ("set-cookie", $0) }))
  jar.store(from: head, url: try url(from), now: now)
  return jar
}

@Suite("Cookie jar")
struct CookieJarTests {
  @Test(
    "What is stored is sent where it belongs",
    arguments: [
      CookieCase("the same path", ["a=1"], to: "http://h.example.org/dir/other", "a=1"),
      CookieCase("below the default path", ["a=1"], to: "http://h.example.org/dir/x/y", "a=1"),
      CookieCase("outside of the default path", ["a=1"], to: "http://h.example.org/", nil),
      CookieCase("a path that only begins alike", ["a=1"], to: "http://h.example.org/directory", nil),
      CookieCase("a URL without a path", from: "http://h.example.org", ["a=1"], to: "http://h.example.org", "a=1"),
      CookieCase("another port is the same host", ["a=1"], to: "http://h.example.org:81/dir/", "a=1"),
      CookieCase("host-only is not for hosts below", ["a=1; Path=/"], to: "http://x.h.example.org/", nil),
      CookieCase(
        "a domain is for hosts below", ["a=1; Path=/; Domain=example.org"], to: "http://x.example.org/", "a=1"),
      CookieCase("a domain's own host too", ["a=1; Path=/; Domain=h.example.org"], to: "http://h.example.org/", "a=1"),
      CookieCase("a single label as domain", ["a=1; Path=/; Domain=org"], to: "http://h.example.org/", nil),
      CookieCase("someone else's domain", ["a=1; Path=/; Domain=example.com"], to: "http://h.example.org/", nil),
      CookieCase("a domain by mere suffix", ["a=1; Path=/; Domain=le.org"], to: "http://h.example.org/", nil),
      CookieCase("longer paths first", ["a=1; Path=/", "b=2; Path=/dir"], to: "http://h.example.org/dir", "b=2; a=1"),
      CookieCase("then in order", ["b=1; Path=/", "a=2; Path=/"], to: "http://h.example.org/", "b=1; a=2"),
      CookieCase(
        "replaced in place", ["a=1; Path=/", "b=2; Path=/", "a=3; Path=/"], to: "http://h.example.org/", "a=3; b=2"),
      CookieCase("removed by Max-Age", ["a=1; Path=/", "a=; Path=/; Max-Age=0"], to: "http://h.example.org/", nil),
      CookieCase(
        "Max-Age wins over Expires", ["a=1; Path=/; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
        to: "http://h.example.org/", "a=1"),
      CookieCase(
        "Max-Age wins over Expires the other way", ["a=1; Path=/; Max-Age=-1; Expires=Fri, 01 Jan 2100 00:00:00 GMT"],
        to: "http://h.example.org/", nil),
      CookieCase(
        "Expires in the past", ["a=1; Path=/; Expires=Wed, 01-Nov-2023 00:00:00 GMT"], to: "http://h.example.org/", nil),
      CookieCase(
        "Expires in the future", ["a=1; Path=/; Expires=Wed, 01-Nov-2028 00:00:00 GMT"], to: "http://h.example.org/",
        "a=1"),
      CookieCase("a huge Max-Age", ["a=1; Path=/; Max-Age=99999999999999999999"], to: "http://h.example.org/", "a=1"),
      CookieCase("Secure set over http", ["a=1; Path=/; Secure"], to: "https://h.example.org/", nil),
      CookieCase(
        "Secure not over http", from: "https://h.example.org/", ["a=1; Secure"], to: "http://h.example.org/", nil),
      CookieCase(
        "Secure over https", from: "https://h.example.org/", ["a=1; Secure"], to: "https://h.example.org/", "a=1"),
      CookieCase("Secure on localhost", from: "http://localhost/", ["a=1; Secure"], to: "http://localhost/", "a=1"),
      CookieCase(
        "Secure on 127.0.0.1", from: "http://127.0.0.1:8080/", ["a=1; Secure"], to: "http://127.0.0.1:8080/", "a=1"),
      CookieCase("Secure on ::1", from: "http://[::1]/", ["a=1; Secure"], to: "http://[::1]/", "a=1"),
      CookieCase(
        "Secure on a name like 127", from: "http://127.example/", ["a=1; Secure"], to: "http://127.example/", nil),
      CookieCase("a domain for an address", from: "http://1.2.3.4/", ["a=1; Domain=3.4"], to: "http://1.2.3.4/", nil),
      CookieCase(
        "an address as its own domain", from: "http://1.2.3.4/", ["a=1; Domain=1.2.3.4"], to: "http://1.2.3.4/", "a=1"),
      CookieCase(
        "localhost as its own domain", from: "http://localhost/", ["a=1; Domain=localhost"], to: "http://localhost/",
        "a=1"),
      CookieCase("and not below", from: "http://localhost/", ["a=1; Domain=localhost"], to: "http://x.localhost/", nil),
      CookieCase(
        "__Secure- without Secure", from: "https://h.example.org/", ["__Secure-a=1"], to: "https://h.example.org/", nil),
      CookieCase(
        "__Secure- with Secure", from: "https://h.example.org/", ["__Secure-a=1; Secure"], to: "https://h.example.org/",
        "__Secure-a=1"),
      CookieCase(
        "__Host- as it must be", from: "https://h.example.org/", ["__Host-a=1; Secure; Path=/"],
        to: "https://h.example.org/", "__Host-a=1"),
      CookieCase(
        "__Host- without a path", from: "https://h.example.org/", ["__Host-a=1; Secure"], to: "https://h.example.org/",
        nil),
      CookieCase(
        "__host- with a domain", from: "https://h.example.org/", ["__host-a=1; Secure; Path=/; Domain=h.example.org"],
        to: "https://h.example.org/", nil),
      CookieCase(
        "__hOsT- in any letter case", from: "https://h.example.org/", ["__hOsT-a=1; Secure"],
        to: "https://h.example.org/", nil),
      CookieCase(
        "__SECURE- in any letter case", from: "https://h.example.org/", ["__SECURE-a=1"],
        to: "https://h.example.org/", nil),
      CookieCase(
        "a prefix in the value of no name", from: "https://h.example.org/", ["=__Host-a=1; Path=/"],
        to: "https://h.example.org/", nil),
      CookieCase("no name at all", ["a; Path=/"], to: "http://h.example.org/", "a"),
      CookieCase("an empty name", ["=a; Path=/"], to: "http://h.example.org/", "a"),
      CookieCase("an empty name, and = in the value", ["=a=b; Path=/"], to: "http://h.example.org/", "a=b"),
      CookieCase("neither a name nor a value", ["=; Path=/", "; Path=/", ""], to: "http://h.example.org/", nil),
      CookieCase(
        "one cookie without a name", ["a; Path=/", "=b; Path=/", "c=d; Path=/"], to: "http://h.example.org/", "b; c=d"),
      CookieCase("a prefix without a name", ["__Secure-a; Path=/"], to: "http://h.example.org/", nil),
      CookieCase(
        "4096 bytes", ["a=\(String(repeating: "b", count: 4095)); Path=/"], to: "http://h.example.org/",
        "a=" + String(repeating: "b", count: 4095)),
      CookieCase(
        "4097 bytes", ["a=\(String(repeating: "b", count: 4096)); Path=/"], to: "http://h.example.org/", nil),
      CookieCase(
        "an attribute of more than 1024 bytes is passed over",
        ["a=1; Path=/\(String(repeating: "b", count: 1024)); Domain=example.org"], to: "http://x.example.org/dir/",
        "a=1"),
      CookieCase(
        "the last attribute of a name counts", ["a=1; Path=/x; Path=/; Domain=example.com; Domain=example.org"],
        to: "http://x.example.org/", "a=1"),
      CookieCase("the last path counts if it is none", ["a=1; Path=/; Path=x"], to: "http://h.example.org/", nil),
      CookieCase("values keep = and quotes", ["a=\"b=c\"; Path=/"], to: "http://h.example.org/", "a=\"b=c\""),
      CookieCase("a control character", ["a=b\u{7}c; Path=/"], to: "http://h.example.org/", nil),
      CookieCase(
        "an upper-case host", from: "http://H.Example.ORG/", ["a=1; Domain=EXAMPLE.org"], to: "http://x.example.org/",
        "a=1"),
    ])
  func sends(_ test: CookieCase) throws {
    let jar = try jar(test.from, test.lines)
    #expect(jar.cookieHeader(for: try url(test.to), now: now) == test.header)
  }

  struct SuffixCase: Sendable, CustomTestStringConvertible {
    let name: String
    let host: String
    let domain: String
    /// Where the cookie goes of the host, one below it, and one beside it.
    let reach: [Bool]
    var testDescription: String { name }
  }

  @Test(
    "A public suffix is not a domain for cookies",
    arguments: [
      SuffixCase(name: "above it", host: "a.shop.co.uk", domain: "shop.co.uk", reach: [true, true, true]),
      SuffixCase(name: "the suffix", host: "shop.co.uk", domain: "co.uk", reach: [false, false, false]),
      SuffixCase(name: "a host that is one", host: "co.uk", domain: "co.uk", reach: [true, false, false]),
      SuffixCase(name: "its upper case", host: "shop.co.uk", domain: "CO.UK", reach: [false, false, false]),
      SuffixCase(name: "someone's platform", host: "a.github.io", domain: "github.io", reach: [false, false, false]),
    ])
  func publicSuffix(_ test: SuffixCase) throws {
    let listed = PublicSuffixes { ["co.uk", "github.io"].contains($0) }
    // libpsl's own list, where there is one, must say the same of these.
    for suffixes in [listed] + (PublicSuffixes.versionText == nil ? [] : [.system]) {
      let jar = try jar("http://\(test.host)/", ["a=1; Domain=\(test.domain)"], suffixes)
      let hosts = [test.host, "x.\(test.host)", "beside.\(test.host.drop { $0 != "." }.dropFirst())"]
      #expect(try hosts.map { !jar.cookies(for: try url("http://\($0)/"), now: now).isEmpty } == test.reach)
    }
  }

  @Test("Without the list a domain of two labels is taken")
  func singleLabels() throws {
    let jar = try jar("http://shop.co.uk/", ["a=1; Domain=co.uk", "b=1; Domain=uk"])
    #expect(jar.cookieHeader(for: try url("http://x.co.uk/"), now: now) == "a=1")
  }

  @Test(
    "No cookie is kept for more than 400 days",
    arguments: ["Max-Age=99999999", "Expires=Fri, 01 Jan 2100 00:00:00 GMT"])
  func longestLife(_ attribute: String) throws {
    let jar = try jar("http://h.example.org/", ["a=1; \(attribute)"])
    #expect(jar.all.map(\.expires) == [Timestamp(seconds: now.seconds + 400 * 86_400)])
  }

  @Test("A full domain loses what isn't Secure first, and then what was not used for longest")
  func eviction() throws {
    let lines = (0..<180).map { "n\($0)=1; Path=/" + ($0 == 0 ? "; Secure" : $0 == 2 ? "; Path=/other" : "") }
    let jar = try jar("https://h.example/", lines)
    #expect(jar.cookies(for: try url("http://h.example/"), now: now).count == 178)
    let head = ResponseHead(status: 200, headers: HeaderFields([("Set-Cookie", "new=1; Path=/")]))
    jar.store(from: head, url: try url("https://h.example/"), now: now)
    #expect(jar.all.count == 180)
    #expect(jar.all.prefix(3).map(\.name) == ["n0", "n1", "n3"])
  }

  @Test("Cookies end with time")
  func expiry() throws {
    let jar = try jar("http://h.example.org/", ["a=1; Max-Age=10", "b=2"])
    let target = try url("http://h.example.org/")
    #expect(jar.cookieHeader(for: target, now: Timestamp(seconds: now.seconds + 9)) == "a=1; b=2")
    #expect(jar.cookieHeader(for: target, now: Timestamp(seconds: now.seconds + 10)) == "b=2")
  }

  @Test("Plain http doesn't overlay a Secure cookie")
  func overlay() throws {
    let jar = try jar("https://h.example.org/", ["a=1; Secure; Path=/"])
    let head = ResponseHead(status: 200, headers: HeaderFields([("Set-Cookie", "a=evil; Path=/")]))
    #expect(jar.store(from: head, url: try url("http://h.example.org/"), now: now).isEmpty)
    #expect(jar.cookieHeader(for: try url("https://h.example.org/"), now: now) == "a=1")
  }

  @Test("All attributes are kept")
  func attributes() throws {
    let jar = try jar(
      "https://h.example.org/", ["a=1; Domain=.Example.org; Path=/x; Max-Age=60; Secure; HttpOnly; SameSite=Strict"])
    #expect(
      jar.all == [
        Cookie(
          name: "a", value: "1", domain: "example.org", path: "/x", expires: Timestamp(seconds: now.seconds + 60),
          isSecure: true, isHTTPOnly: true, sameSite: .strict, isHostOnly: false)
      ])
    #expect(try parsed("SameSite=lax").sameSite == .lax)
    #expect(try parsed("SameSite=None; Secure").sameSite == Cookie.SameSite.none)
    #expect(try parsed("SameSite=odd").sameSite == nil)
  }

  private func parsed(_ attributes: String) throws -> SetCookie {
    try #require(SetCookie(parsing: "a=1; " + attributes))
  }

  @Test("A server can't fill the memory")
  func bounded() throws {
    let jar = CookieJar()
    let lines = (0..<400).map { ("Set-Cookie", "n\($0)=1") }
    for host in 0..<30 {
      let head = ResponseHead(status: 200, headers: HeaderFields(lines))
      jar.store(from: head, url: try url("http://h\(host).example/"), now: now)
    }
    #expect(jar.all.count == 3000)
    #expect(jar.cookies(for: try url("http://h0.example/"), now: now).isEmpty)
    #expect(jar.cookies(for: try url("http://h29.example/"), now: now).count == 180)
    #expect(jar.cookieHeader(for: try url("http://h29.example/"), now: now)?.hasSuffix("n399=1") == true)
  }

  @Test("A cookie from elsewhere")
  func insert() throws {
    let jar = CookieJar()
    jar.insert(Cookie(name: "a", value: "1", domain: "h"))
    #expect(jar.cookieHeader(for: try url("http://h/x"), now: now) == "a=1")
    jar.removeAll()
    #expect(jar.all.isEmpty)
  }
}

@Suite("Cookies of an exchange")
struct ExchangeCookieTests {
  private func sent(
    _ answers: [ScriptedTransport.Response], jar: CookieJar?, _ change: (inout OutgoingRequest) -> Void = { _ in }
  ) async throws -> [String?] {
    let transport = ScriptedTransport(answers)
    var request = OutgoingRequest(method: .get, url: try url("http://a.example/"))
    change(&request)
    _ = try await HTTPClient(transport: transport, jar: jar).perform(request, into: CollectingSink())
    return transport.requests.map { request in
      #expect(request.headers.values("Cookie").count <= 1)
      return request.headers.first("Cookie")
    }
  }

  @Test("Cookies that a redirect sets go with the next hop, each host getting its own")
  func acrossRedirects() async throws {
    let jar = CookieJar()
    let answers: [ScriptedTransport.Response] = [
      .redirect(to: "/2", [("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")]),
      .redirect(to: "http://b.example/", []),
      .redirect(to: "http://a.example/4", [("Set-Cookie", "c=3")]),
      .init(headers: [("Set-Cookie", "a=; Max-Age=0")]),
    ]
    #expect(try await sent(answers, jar: jar) == [nil, "a=1; b=2", nil, "a=1; b=2"])
    #expect(jar.all.map(\.name) == ["b", "c"])
    #expect(try await sent([.init()], jar: jar) == ["b=2"])
  }

  @Test("The request's own cookies come first, win over the jar's and don't enter it")
  func own() async throws {
    let jar = CookieJar()
    jar.insert(Cookie(name: "a", value: "jar", domain: "a.example"))
    jar.insert(Cookie(name: "b", value: "jar", domain: "a.example"))
    #expect(
      try await sent([.init()], jar: jar) { $0.cookies = [("b", "own"), ("c", "own")] } == ["b=own; c=own; a=jar"])
    #expect(
      try await sent([.init()], jar: jar) {
        $0.headers = HeaderFields([("cookie", "a=header; x=y")])
        $0.cookies = [("c", "own")]
      } == ["a=header; x=y; c=own; b=jar"])
    #expect(jar.all.map(\.value) == ["jar", "jar"])
  }

  @Test("A cookie that the server sets on the way replaces the request's own")
  func renewed() async throws {
    let answers: [ScriptedTransport.Response] = [.redirect(to: "/2", [("Set-Cookie", "sid=new")]), .init()]
    #expect(try await sent(answers, jar: CookieJar()) { $0.cookies = [("sid", "old")] } == ["sid=old", "sid=new"])
  }

  @Test("Without a jar the request's own cookies are sent, and what a redirect sets is not")
  func withoutJar() async throws {
    let answers: [ScriptedTransport.Response] = [.redirect(to: "/2", [("Set-Cookie", "c=2")]), .init()]
    #expect(try await sent(answers, jar: nil) { $0.cookies = [("b", "own")] } == ["b=own", "b=own"])
  }
}
