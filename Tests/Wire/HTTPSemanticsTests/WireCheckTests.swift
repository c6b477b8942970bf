import HTTPSemantics
import TestSupport
import Testing

struct WireCase: Sendable, CustomTestStringConvertible {
  let name: String
  let subjects: [WireProblem.Subject]
  let change: @Sendable (inout OutgoingRequest) -> Void
  init(
    _ name: String, _ subjects: [WireProblem.Subject] = [],
    _ change: @escaping @Sendable (inout OutgoingRequest) -> Void
  ) {
    self.name = name
    self.subjects = subjects
    self.change = change
  }
  var testDescription: String { name }
}

private func header(_ name: String, _ value: String) -> @Sendable (inout OutgoingRequest) -> Void {
  { $0.headers.append(name, value) }
}

@Suite("Wire checks")
struct WireCheckTests {
  @Test(
    "What can't be sent is found, what can is not",
    arguments: [
      WireCase("plain") { _ in },
      WireCase("odd but sound headers") {
        $0.headers = HeaderFields([("X-Empty", ""), ("x_!#$%&'*+-.^_`|~9", "ü\t\u{1}"), ("X-A", "1"), ("X-A", "2")])
      },
      WireCase("an empty header name", [.header(0)], header("", "x")),
      WireCase("a space in a header name", [.header(0)], header("X A", "x")),
      WireCase("a colon in a header name", [.header(0)], header("X:", "x")),
      WireCase("a line break in a header name", [.header(0)], header("X\r\nY", "x")),
      WireCase("a non-ASCII header name", [.header(0)], header("Ü", "x")),
      WireCase("CR in a value", [.header(0)], header("X", "a\rb")),
      WireCase("LF in a value", [.header(0)], header("X", "a\nY: b")),
      WireCase("CRLF in a value", [.header(0)], header("X", "a\r\nY: b")),
      WireCase("NUL in a value", [.header(0)], header("X", "a\0b")),
      WireCase("Host", [], header("Host", "virtual.example:8080")),
      WireCase("Host as an address", [], header("Host", "[::1]:80")),
      WireCase("an empty Host", [.header(0)], header("Host", "")),
      WireCase("a URL as Host", [.header(0)], header("Host", "http://h/")),
      WireCase("a space in Host", [.header(0)], header("host", "a b")),
      WireCase("userinfo in Host", [.header(0)], header("Host", "a@b")),
      WireCase("a bad port in Host", [.header(0)], header("Host", "a:b")),
      WireCase("an open bracket in Host", [.header(0)], header("Host", "[::1")),
      WireCase("two Hosts", [.header(1)]) { $0.headers = HeaderFields([("Host", "a"), ("host", "b")]) },
      WireCase("two Authorizations", [.header(1)]) {
        $0.headers = HeaderFields([("Authorization", "a"), ("authorization", "b")])
      },
      WireCase("GET with a body", [.body]) { $0.body = .bytes([1]) },
      WireCase("HEAD with a body", [.body]) {
        $0.method = .head
        $0.body = .file(path: "x", offset: 0, length: 5)
      },
      WireCase("GET with a body, allowed") {
        $0.body = .bytes([1])
        $0.bodyOnGetAllowed = true
      },
      WireCase("GET with an empty body") { $0.body = .bytes([]) },
      WireCase("DELETE with a body") {
        $0.method = .delete
        $0.body = .bytes([1])
      },
      WireCase("TRACE with a body", [.body]) {
        $0.method = HTTPMethod("TRACE") ?? .get
        $0.body = .bytes([1])
      },
      WireCase("CONNECT", [.method]) { $0.method = HTTPMethod("CONNECT") ?? .get },
      WireCase("a right Content-Length") {
        $0.method = .post
        $0.body = .bytes([1, 2])
        $0.headers.append("content-length", "2")
      },
      WireCase("a wrong Content-Length", [.header(0)]) {
        $0.method = .post
        $0.body = .bytes([1, 2])
        $0.headers.append("content-length", "3")
      },
      WireCase("a Content-Length without a body", [.header(0)], header("Content-Length", "1")),
      WireCase("a Content-Length that is not a number", [.header(0)], header("Content-Length", "+0")),
      WireCase("a chunked body") {
        $0.method = .post
        $0.body = .bytes([1])
        $0.headers.append("Transfer-Encoding", "Chunked")
      },
      WireCase("chunked without a body", [.header(0)], header("Transfer-Encoding", "chunked")),
      WireCase("another transfer coding", [.header(0)]) {
        $0.method = .post
        $0.body = .bytes([1])
        $0.headers.append("Transfer-Encoding", "gzip")
      },
      WireCase("both framings", [.header(0)]) {
        $0.method = .post
        $0.body = .bytes([1])
        $0.headers = HeaderFields([("Content-Length", "1"), ("Transfer-Encoding", "chunked")])
      },
      WireCase("a request target") { $0.requestTarget = "*" },
      WireCase("an empty request target", [.requestTarget]) { $0.requestTarget = "" },
      WireCase("a space in the request target", [.requestTarget]) { $0.requestTarget = "/a b" },
      WireCase("a line break in the request target", [.requestTarget]) { $0.requestTarget = "/ HTTP/1.1\r\nX: y" },
      WireCase("non-ASCII in the request target", [.requestTarget]) { $0.requestTarget = "/ü" },
      WireCase("cookies") { $0.cookies = [("a", "b=c d,\"ü"), ("b", "")] },
      WireCase("bad cookies", [.cookie(0), .cookie(1), .cookie(2), .cookie(3)]) {
        $0.cookies = [("", "x"), ("a=b", "x"), ("a", "b;c"), ("a", "b\r\nX: y")]
      },
      WireCase("a colon in the username", [.credentials]) { $0.credentials = .basic(username: "a:b", password: "c") },
      WireCase("a colon in the userinfo's username", [.credentials]) { $0.url.userinfo = "a%3Ab:c" },
      WireCase("a line break in the password", [.credentials]) {
        $0.credentials = .basic(username: "a", password: "c\n")
      },
      WireCase("a line break in the token", [.credentials]) { $0.credentials = .bearer("t\r\nX: y") },
      WireCase("an empty token", [.credentials]) { $0.credentials = .bearer("") },
      WireCase("a line break in a Digest password", [.credentials]) {
        $0.credentials = .digest(username: "a:b", password: "c\n")
      },
      WireCase("a NUL in an NTLM username", [.credentials]) {
        $0.credentials = .connection(.ntlm(username: "a\0", password: "c"))
      },
      WireCase("a slash in an access key", [.credentials]) {
        $0.credentials = .awsSigV4(AWSCredentials(accessKey: "a/b", secretKey: "c", region: "d", service: "e"))
      },
      WireCase("a line break in a secret key", [.credentials]) {
        $0.credentials = .awsSigV4(AWSCredentials(accessKey: "a", secretKey: "c\n", region: "d", service: "e"))
      },
      WireCase("an empty region", [.credentials]) {
        $0.credentials = .awsSigV4(AWSCredentials(accessKey: "a", secretKey: "c", region: "", service: "e"))
      },
      WireCase("neither region nor service", [.credentials]) {
        $0.credentials = .awsSigV4(AWSCredentials(accessKey: "a", secretKey: "c"))
      },
      WireCase("all of them", [.requestTarget, .header(0), .header(1), .body]) {
        $0.requestTarget = ""
        $0.headers = HeaderFields([("", ""), ("X", "\n")])
        $0.body = .bytes([1])
      },
    ])
  func finds(_ test: WireCase) throws {
    var request = OutgoingRequest(method: .get, url: try url("http://h/"))
    test.change(&request)
    #expect(checkWire(request).map(\.subject) == test.subjects)
  }

  @Test("A request with problems is not sent, and no value is told")
  func notSent() async throws {
    let transport = ScriptedTransport([.init()])
    let request = OutgoingRequest(
      method: .get, url: try url("http://h/"), headers: HeaderFields([("X-Key", "hunter2\n"), ("a b", "")]))
    let failure = await #expect(throws: ExchangeFailure.self) {
      try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    }
    #expect(failure?.error.kind == .invalidRequest)
    #expect(
      failure?.error.message
        == "the value of the header X-Key contains a line break or NUL; \"a b\" is not a header name")
    #expect(transport.requests.isEmpty)
  }
}
