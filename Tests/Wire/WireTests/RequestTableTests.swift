import HTTPSemantics
import TestSupport
import Testing

/// Requests as they arrive at a server that takes anything.
@Suite(.timeLimit(.minutes(10)))
struct RequestTableTests {
  static let methods = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PURGE", "M-SEARCH", "PROPFIND", "QUERY",
    "foo", "x!#$%&'*+-.^_`|~9",
  ].map { method in WireRow(name: "method \(method)", method: method) }

  /// Methods differ by letter case (RFC 9110, section 9.1), and URLSession writes these in its own.
  static let lowerCaseMethods = ["get", "Post", "hEAD"].map { method in
    WireRow(name: "method \(method)", method: method)
  }

  /// Arrive to the letter with each transport.
  static let plainTargets = [
    "/", "/a%2Fb", "/a%2fb", "/%7e~", "//x", "/a//b", "/a/", "/a;b=c;d", "/'()*!", "/a:b@c", "/$&,=+", "/?a=b%20c+d",
    "/?a=1&a=2&&b", "/?a=%5B%5D", "/?a=b?c/d", "/?=&=", "/%E9%C3%A9", "/...", "/a..b/.c", "/?a=/../b",
  ].map { target in WireRow(name: "target \(target)", target: target) }

  /// URLSession would write these otherwise, so it refuses them.
  static let oddTargets = [
    "/a/../b", "/a/./b", "/..", "/?a[]=1&b[c]=2", "/[x]", "/?x=%zz", "/%", "/?a=b|c", "/{a}", "/a^b`c", "/?q=\"<>\"",
    "/a\\b",
  ].map { target in WireRow(name: "target \(target)", target: target, needs: .requestTarget) }

  static let bodies = [
    WireRow(name: "a body on GET", body: .bytes([65]), needs: .bodyOnGet),
    WireRow(name: "a body on HEAD", method: "HEAD", body: .bytes([65]), needs: .bodyOnGet),
    WireRow(name: "a body on OPTIONS", method: "OPTIONS", body: .bytes([65]), sent: ["Content-Length: 1"]),
    WireRow(name: "a body on DELETE", method: "DELETE", body: .bytes([65]), sent: ["Content-Length: 1"]),
    WireRow(name: "a body on a method of one's own", method: "REPORT", body: .bytes([65]), sent: ["Content-Length: 1"]),
    WireRow(
      name: "a body of all bytes", method: "POST", body: .bytes((0...255).map { UInt8($0) }),
      sent: ["Content-Length: 256"]),
    WireRow(
      name: "a body of 2 MB", method: "PUT", body: .bytes((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) }),
      sent: ["Content-Length: 2000000"]),
    WireRow(
      name: "the body's own length", method: "POST", headers: [("Content-Length", "2")], body: .bytes([65, 66]),
      sent: ["Content-Length: 2"]),
  ]

  static let headers = [
    WireRow(
      name: "order and letter case", headers: [("zeta", "1"), ("ALPHA", "2"), ("mIxEd-CaSe", "3")],
      sent: ["zeta: 1", "ALPHA: 2", "mIxEd-CaSe: 3"]),
    WireRow(
      name: "a header several times", headers: [("X-A", "1"), ("X-B", "2"), ("x-a", "3")], needs: .repeatedHeaders,
      sent: ["X-A: 1", "X-B: 2", "x-a: 3"]),
    WireRow(name: "an empty value", headers: [("X-Empty", "")], sent: ["X-Empty:"]),
    WireRow(name: "a value in UTF-8", headers: [("X-A", "grüße 日本 🎉")], sent: ["X-A: grüße 日本 🎉"]),
    WireRow(name: "a value of punctuation", headers: [("X-A", #";,:="'\<>{}[]"#)], sent: [#"X-A: ;,:="'\<>{}[]"#]),
    WireRow(name: "a Host of one's own", headers: [("Host", "other.test:81")], sent: ["Host: other.test:81"]),
    WireRow(
      name: "an Authorization", headers: [("Authorization", "Bearer a.b-c")], sent: ["Authorization: Bearer a.b-c"]),
    WireRow(name: "a Cookie", headers: [("Cookie", "a=1; b=\"2\"")], sent: ["Cookie: a=1; b=\"2\""]),
    WireRow(name: "a Referer", headers: [("Referer", "http://x.test/?a=b")], sent: ["Referer: http://x.test/?a=b"]),
    WireRow(name: "a Range", headers: [("Range", "bytes=0-1")], sent: ["Range: bytes=0-1"]),
    WireRow(name: "a Connection", headers: [("Connection", "close")], sent: ["Connection: close"]),
    WireRow(
      name: "a value of 30 KB", headers: [("X-A", String(repeating: "v", count: 30_000))],
      sent: ["X-A: " + String(repeating: "v", count: 30_000)]),
    WireRow(
      name: "a name with all that may stand in one", headers: [("X!#$%&'*+.^_`|~9", "1")],
      sent: ["X!#$%&'*+.^_`|~9: 1"]),
    WireRow(
      name: "a Transfer-Encoding of one's own", method: "POST", headers: [("Transfer-Encoding", "chunked")],
      body: .bytes([65]), needs: .transportHeaders),
    WireRow(
      name: "no Accept-Encoding", change: { $0.options.decompresses = false }, needs: .rawBody),
    WireRow(
      name: "userinfo that stays here", change: { $0.url.userinfo = "ann:secret" }),
  ]

  @Test(
    "requests arrive as written, or are refused for a reason", arguments: TransportUnderTest.allCases,
    methods + plainTargets + oddTargets + bodies + headers)
  func arrives(_ kind: TransportUnderTest, _ row: WireRow) async throws {
    let server = try FaultServer.start(row.script)
    defer { server.stop() }
    let sink = CollectingSink()
    let error = await kind.make().failure(try row.request(.local(Int(server.port))), into: sink)
    row.check(error, sink, of: kind)
    guard case .answers = row.outcome(of: kind) else {
      #expect(server.requests.isEmpty)
      return
    }
    let received = try #require(server.requests.first)
    row.check(received, of: kind)
    #expect(!received.headerLines.contains { $0.contains("secret") || $0.hasPrefix("Authorization: Basic") })
    if row.method != "HEAD" { #expect(sink.text == "ok") }
  }

  @Test("letter case of a standard method is kept, or the request is refused", arguments: lowerCaseMethods)
  func letterCase(_ row: WireRow) async throws {
    for kind in TransportUnderTest.allCases {
      let server = try FaultServer.start(row.script)
      defer { server.stop() }
      let error = await kind.make().failure(try row.request(.local(Int(server.port))))
      let isRefused = kind.capabilities.unsupported[.methodCase] != nil
      #expect(error?.kind == (isRefused ? .unsupported(.methodCase) : nil))
      #expect(server.requests.map(\.method) == (isRefused ? [] : [row.method]), "\(kind)")
    }
  }

  @Test("OPTIONS *", arguments: TransportUnderTest.allCases)
  func asterisk(_ kind: TransportUnderTest) async throws {
    let server = try FaultServer.start(WireRow.ok)
    defer { server.stop() }
    let row = WireRow(name: "", method: "OPTIONS", change: { $0.requestTarget = "*" }, needs: .requestTarget)
    let sink = CollectingSink()
    let error = await kind.make().failure(try row.request(.local(Int(server.port))), into: sink)
    row.check(error, sink, of: kind)
    #expect(server.requests.map(\.target) == (error == nil ? ["*"] : []))
  }
}
