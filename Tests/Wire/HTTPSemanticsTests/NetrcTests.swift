import HTTPSemantics
import TestSupport
import Testing

private struct Case: Sendable, CustomTestStringConvertible {
  let name: String
  let text: String
  /// `login:password` of the host `h`, and of the host `other`.
  let found: [String?]
  var testDescription: String { name }

  init(_ name: String, _ text: String, _ found: String?, other: String? = nil) {
    self.name = name
    self.text = text
    self.found = [found, other]
  }
}

private let cases = [
  Case("one line", "machine h login a password b", "a:b"),
  Case("several lines", "machine h\n  login a\n\tpassword b\n", "a:b"),
  Case("a value in the next line", "machine\nh login\na password\n\nb", "a:b"),
  Case("CR LF", "machine h\r\nlogin a\r\npassword b\r\n", "a:b"),
  Case("the first of a host", "machine h login a password b\nmachine h login c password d", "a:b"),
  Case("several hosts", "machine other login c password d\nmachine h login a password b", "a:b", other: "c:d"),
  Case("no entry", "machine hh login a password b\nmachine x.h login a password b", nil),
  Case("default", "machine h login a password b\ndefault login c password d", "a:b", other: "c:d"),
  Case(
    "default stands back wherever it is", "default login c password d\nmachine h login a password b", "a:b",
    other: "c:d"),
  Case("host names in any case", "machine H login a password b", "a:b"),
  Case("account", "machine h account x login a password b", "a:b"),
  Case("a login called login", "machine h login login password password", "login:password"),
  Case("no password", "machine h login a", "a:"),
  Case("no login", "machine h password b", ":b"),
  Case("nothing but the name", "machine h\ndefault login c password d", nil, other: "c:d"),
  Case("quotes", #"machine "h" login "a b" password "c\"d\\e\tf#""#, "a b:c\"d\\e\tf#"),
  Case("an empty password", #"machine h login a password """#, "a:"),
  Case("a quote inside is one", #"machine h login a password b"c"d"#, #"a:b"c"d"#),
  Case("comments", "# machine h login x password y\nmachine h # the host\nlogin a password b # login z", "a:b"),
  Case("a number sign inside", "machine h login a#1 password b#c", "a#1:b#c"),
  Case(
    "a macro ends with an empty line",
    "machine h login a password b\nmacdef init\nmachine h login x password y\ncd /\n\nmachine other login c password d",
    "a:b", other: "c:d"),
  Case("a macro to the end", "macdef all\nmachine h login a password b", nil),
  Case("an empty line with CR", "macdef m\r\nx\r\n\r\nmachine h login a password b", "a:b"),
  Case("words that mean nothing", "hello machine h port 80 login a password b", "a:b"),
  Case("values before any machine", "login x password y machine h login a password b", "a:b"),
  Case("cut off", "machine h login a password", "a:"),
  Case("empty", "", nil),
  Case("beyond ASCII", "machine h login ä password 🙂", "ä:🙂"),
]

@Suite("netrc")
struct NetrcTests {
  @Test("The entry of a host", arguments: cases)
  private func entry(_ example: Case) throws {
    let netrc = try Netrc(parsing: example.text)
    let found = ["h", "other"].map { host in
      netrc.entry(for: host).map { "\($0.login ?? ""):\($0.password ?? "")" }
    }
    #expect(found == example.found)
  }

  @Test("A quote that is never closed is an error of its line, which is not shown")
  func unclosed() {
    let error = #expect(throws: Netrc.Problem.self) {
      try Netrc(parsing: "machine h\nlogin a password \"secret\nmachine x")
    }
    #expect(error?.line == 2)
    #expect(error?.message == "the quote is never closed")
  }

  @Test("Each host gets its own entry, and no other")
  func hops() async throws {
    let netrc = try Netrc(parsing: "machine a login ann password 1\nmachine c login cem password 3")
    let transport = ScriptedTransport([
      .redirect(to: "http://b/"), .redirect(to: "http://c/"), .redirect(to: "http://a:81/"), .init(),
    ])
    _ = try await HTTPClient(transport: transport).perform(
      OutgoingRequest(method: .get, url: try url("http://a/"), credentials: .netrc(netrc)), into: CollectingSink())
    #expect(
      transport.requests.map { $0.headers.first("Authorization") }
        == ["Basic YW5uOjE=", nil, "Basic Y2VtOjM=", "Basic YW5uOjE="])
  }

  @Test("Where the file has no entry for a host, the userinfo of its URL counts")
  func userinfo() async throws {
    let netrc = try Netrc(parsing: "machine a login ann password 1")
    let transport = ScriptedTransport([
      .redirect(to: "http://x:y@b/"), .redirect(to: "/2"), .redirect(to: "http://x:y@a/"), .init(),
    ])
    _ = try await HTTPClient(transport: transport).perform(
      OutgoingRequest(method: .get, url: try url("http://x:y@a/"), credentials: .netrc(netrc)), into: CollectingSink())
    #expect(
      transport.requests.map { $0.headers.first("Authorization") }
        == ["Basic YW5uOjE=", "Basic eDp5", "Basic eDp5", "Basic YW5uOjE="])
  }

  @Test("The default entry is for the request's own host, and for those that redirects may be trusted with")
  func defaultEntry() async throws {
    let netrc = try Netrc(parsing: "machine c login cem password 3\ndefault login ann password 1")
    for (trusted, sent) in [
      ([], [true, true, false, true, false]), (["b", "c", "a"], [true, true, true, true, true]),
    ] {
      let transport = ScriptedTransport([
        .redirect(to: "/x"), .redirect(to: "http://b/"), .redirect(to: "http://c/"), .redirect(to: "http://a/"),
        .init(),
      ])
      _ = try await HTTPClient(transport: transport).perform(
        OutgoingRequest(
          method: .get, url: try url("http://a/"), credentials: .netrc(netrc),
          redirects: RedirectPolicy(trustedHosts: trusted)), into: CollectingSink())
      #expect(transport.requests.map { $0.headers.contains("Authorization") } == sent)
    }
  }

  @Test("Nothing prints a password")
  func hidden() throws {
    let netrc = try Netrc(parsing: "machine a login ann password hunter2")
    var dumped = ""
    dump(netrc, to: &dumped)
    dump(Credentials.netrc(netrc), to: &dumped)
    #expect(!dumped.contains("hunter2") && !"\(netrc)".contains("hunter2"))
  }
}
