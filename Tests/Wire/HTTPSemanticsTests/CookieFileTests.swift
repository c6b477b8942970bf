import HTTPSemantics
import Testing
import Values

private let now = Timestamp(seconds: 1_700_000_000)

private func file(_ text: String) -> CookieFile {
  CookieFile(parsing: Array(text.utf8), now: now, publicSuffixes: PublicSuffixes { $0 == "co.uk" })
}

@Suite("Cookie files")
struct CookieFileTests {
  struct Line: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let cookie: Cookie?
    var problem: String?
    var testDescription: String { name }
  }

  private static func cookie(_ change: (inout Cookie) -> Void = { _ in }) -> Cookie {
    var cookie = Cookie(name: "n", value: "v", domain: "h.example")
    change(&cookie)
    return cookie
  }

  @Test(
    "Lines are cookies, or say why not",
    arguments: [
      Line(name: "a session cookie of one host", text: "h.example\tFALSE\t/\tFALSE\t0\tn\tv", cookie: cookie()),
      Line(
        name: "for hosts below, with a dot", text: ".h.example\tTRUE\t/\tFALSE\t0\tn\tv",
        cookie: cookie { $0.isHostOnly = false }),
      Line(
        name: "for hosts below, without a dot", text: "H.Example\tTRUE\t/\tFALSE\t0\tn\tv",
        cookie: cookie { $0.isHostOnly = false }),
      Line(
        name: "all flags", text: "#HttpOnly_h.example\tFALSE\t/a\tTRUE\t1800000000\tn\tv",
        cookie: cookie {
          ($0.isHTTPOnly, $0.isSecure, $0.path) = (true, true, "/a")
          $0.expires = Timestamp(seconds: 1_800_000_000)
        }),
      Line(name: "without a value", text: "h.example\tFALSE\t/\tFALSE\t0\tn\t", cookie: cookie { $0.value = "" }),
      Line(name: "without the last tab", text: "h.example\tFALSE\t/\tFALSE\t0\tn", cookie: cookie { $0.value = "" }),
      Line(name: "of Windows", text: "h.example\tFALSE\t/\tFALSE\t0\tn\tv\r", cookie: cookie()),
      Line(
        name: "a fraction of a second", text: "h.example\tfalse\t/\tFalse\t1800000000.25\tn\tv",
        cookie: cookie { $0.expires = Timestamp(seconds: 1_800_000_000) }),
      Line(name: "no expiry", text: "h.example\tFALSE\t/\tFALSE\t\tn\tv", cookie: cookie()),
      Line(name: "expired", text: "h.example\tFALSE\t/\tFALSE\t1600000000\tn\tv", cookie: nil),
      Line(name: "expired before 1970", text: "h.example\tFALSE\t/\tFALSE\t-1\tn\tv", cookie: nil),
      Line(name: "a comment", text: "# h.example\tFALSE\t/\tFALSE\t0\tn\tv", cookie: nil),
      Line(name: "blank", text: "  \t", cookie: nil),
      Line(
        name: "spaces for tabs", text: "h.example FALSE / FALSE 0 n v", cookie: nil,
        problem: "a cookie has seven fields with tabs between them, and this line has 1"),
      Line(
        name: "no flag", text: "h.example\tyes\t/\tFALSE\t0\tn\tv", cookie: nil,
        problem: "the second field is neither TRUE nor FALSE"),
      Line(
        name: "no other flag", text: "h.example\tTRUE\t/\t\t0\tn\tv", cookie: nil,
        problem: "the fourth field is neither TRUE nor FALSE"),
      Line(
        name: "no path", text: "h.example\tTRUE\ta\tTRUE\t0\tn\tv", cookie: nil,
        problem: "the third field is not a path: it begins with /"),
      Line(
        name: "no expiry but a date", text: "h.example\tTRUE\t/\tTRUE\t2024-01-01\tn\tv", cookie: nil,
        problem: "the fifth field is not an expiry in seconds since 1970"),
      Line(
        name: "no name", text: "h.example\tTRUE\t/\tTRUE\t0\t\tv", cookie: nil,
        problem: "the last fields are not a cookie's name and value"),
      Line(
        name: "a second pair in the value", text: "h.example\tTRUE\t/\tTRUE\t0\tn\tv; m=w", cookie: nil,
        problem: "the last fields are not a cookie's name and value"),
      Line(
        name: "no domain", text: "\tTRUE\t/\tTRUE\t0\tn\tv", cookie: nil, problem: "the first field is not a domain"),
      Line(
        name: "a public suffix", text: ".co.uk\tTRUE\t/\tFALSE\t0\tn\tv", cookie: nil,
        problem: "the cookie n is left out: co.uk is a public suffix, below which anyone has hosts"),
      Line(
        name: "a single label", text: "localhost\tTRUE\t/\tFALSE\t0\tn\tv", cookie: cookie { $0.domain = "localhost" }),
      Line(
        name: "a prefix that isn't borne out", text: "h.example\tFALSE\t/\tFALSE\t0\t__Host-n\tv", cookie: nil,
        problem: "the cookie __Host-n is left out: it isn't what its prefix says"),
    ])
  func line(_ line: Line) {
    let read = file(line.text)
    #expect(read.cookies == (line.cookie.map { [$0] } ?? []))
    #expect(read.problems.map(\.message) == (line.problem.map { [$0] } ?? []))
  }

  @Test("Problems name their lines")
  func lines() {
    let read = file("# a file\n\nh.example\tFALSE\t/\tFALSE\t0\tn\tv\nbroken\n.co.uk\tTRUE\t/\tFALSE\t0\tn\tv\n")
    #expect(read.cookies.count == 1)
    #expect(read.problems.map(\.line) == [4, 5])
    #expect(read.problems.map(\.isBroken) == [true, false])
  }

  @Test("What is written is read again")
  func roundTrip() throws {
    let jar = CookieJar()
    let lines = [
      "a=1", "odd name=b=c", "s=x; Secure; HttpOnly; Path=/p", "d=1; Domain=example.org; Max-Age=60", "e=",
      "__Host-h=1; Secure; Path=/",
    ]
    let head = ResponseHead(status: 200, headers: HeaderFields(lines.map { ("Set-Cookie", $0) }))
    #expect(jar.store(from: head, url: try url("https://h.example.org/"), now: now).count == lines.count)
    let (octets, leftOut) = CookieFile.octets(of: jar.all)
    let text = String(decoding: octets, as: UTF8.self)
    #expect(leftOut.isEmpty)
    let read = file(text)
    #expect(read.problems.isEmpty)
    #expect(read.cookies == jar.all)
    #expect(text.contains("\n.example.org\tTRUE\t/\tFALSE\t1700000060\td\t1\n"))
    #expect(text.contains("\n#HttpOnly_h.example.org\tFALSE\t/p\tTRUE\t0\ts\tx\n"))
  }

  @Test("A tab would end the field: such cookies are left out")
  func tabs() {
    let cookies = [Self.cookie { $0.value = "a\tb" }, Self.cookie { $0.name = "a\tb" }, Self.cookie()]
    let (octets, leftOut) = CookieFile.octets(of: cookies)
    let text = String(decoding: octets, as: UTF8.self)
    #expect(leftOut == Array(cookies.dropLast()))
    #expect(file(text).cookies == [Self.cookie()])
  }

  @Test("Octets that are not UTF-8 come back from a file as they went in")
  func octets() {
    let line = Array("h.example\tFALSE\t/\tFALSE\t0\ta\t".utf8) + [0xE9, 0x41, 0xFF, 0x0A]
    let cookies = CookieFile(parsing: line, now: now).cookies
    #expect(cookies.map(\.isLatin1) == [true])
    #expect(CookieFile.octets(of: cookies).octets.suffix(line.count) == line[...])
  }
}
