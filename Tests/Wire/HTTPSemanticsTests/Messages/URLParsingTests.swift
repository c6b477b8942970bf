import HTTPSemantics
import Testing
import Values

struct ParsedURL: Sendable, CustomTestStringConvertible {
  let text: String
  let sent: String
  init(_ text: String, _ sent: String) {
    self.text = text
    self.sent = sent
  }
  var testDescription: String { text }
}

@Test(
  "A URL is sent as written, less what a wire cannot carry",
  arguments: [
    ParsedURL("http://h", "http://h/"),
    ParsedURL("HTTP://H/Path", "http://h/Path"),
    ParsedURL("https://h:443/", "https://h/"),
    ParsedURL("http://h:443/", "http://h:443/"),
    ParsedURL("http://h:/x", "http://h/x"),
    ParsedURL("http://h:00080/x", "http://h/x"),
    ParsedURL("http://h:0/x", "http://h:0/x"),
    ParsedURL("http://h:65535/x", "http://h:65535/x"),
    ParsedURL("http://h?q", "http://h/?q"),
    ParsedURL("http://h/?", "http://h/?"),
    ParsedURL("http://h/a%2Fb%2fc", "http://h/a%2Fb%2fc"),
    ParsedURL("http://h/a/../b/./c//d", "http://h/a/../b/./c//d"),
    ParsedURL("http://h/?a[]=1&b[c]=2", "http://h/?a[]=1&b[c]=2"),
    ParsedURL("http://h/a b?c d", "http://h/a%20b?c%20d"),
    ParsedURL("http://h/ü/€?é=😀", "http://h/%C3%BC/%E2%82%AC?%C3%A9=%F0%9F%98%80"),
    ParsedURL("http://h/\"<>\\^`{|}?\"<>\\^`{|}", "http://h/%22%3C%3E%5C%5E%60%7B%7C%7D?%22%3C%3E%5C%5E%60%7B%7C%7D"),
    ParsedURL("http://h/100%?x=%zz&y=%C3%BC", "http://h/100%?x=%zz&y=%C3%BC"),
    ParsedURL("http://h/!$&'()*+,;=:@-._~", "http://h/!$&'()*+,;=:@-._~"),
    ParsedURL("http://h/?a?b/c", "http://h/?a?b/c"),
    ParsedURL("http://h/\u{1}\u{7F}", "http://h/%01%7F"),
    ParsedURL("http://h/x#frag?ment", "http://h/x"),
    ParsedURL("http://[::1]:8080/x", "http://[::1]:8080/x"),
    ParsedURL("http://user:pw@h/x", "http://h/x"),
  ])
func parses(_ url: ParsedURL) throws {
  #expect(try HTTPURL(parsing: url.text).string == url.sent)
}

struct RefusedURL: Sendable, CustomTestStringConvertible {
  let text: String
  let message: String
  /// What the problem points at.
  let place: String
  init(_ text: String, _ message: String, _ place: String) {
    self.text = text
    self.message = message
    self.place = place
  }
  var testDescription: String { text.debugDescription }
}

@Test(
  "What is not a http URL is refused, and the problem points at it",
  arguments: [
    RefusedURL("", "the URL is empty", ""),
    RefusedURL("/users", "the URL has no scheme", "/"),
    RefusedURL("//h/x", "the URL has no scheme", "/"),
    RefusedURL("example.com/x", "the URL has no scheme", "e"),
    RefusedURL("localhost:8080/x", "the URL has no scheme", "localhost"),
    RefusedURL("example.com:80/x", "the URL has no scheme", "example.com"),
    RefusedURL("api:8080", "the URL has no scheme", "api"),
    RefusedURL("ftp://h/x", "the scheme \"ftp\" is not http or https", "ftp"),
    RefusedURL("file:///etc/passwd", "the scheme \"file\" is not http or https", "file"),
    RefusedURL("http:/h/x", "the scheme is not followed by \"//\"", "http:"),
    RefusedURL("http:h", "the scheme is not followed by \"//\"", "http:"),
    RefusedURL("http:\\\\h\\x", "the scheme is not followed by \"//\"", "http:"),
    RefusedURL("http:///x", "the URL has no host", ""),
    RefusedURL("http://user:pw@/x", "the URL has no host", ""),
    RefusedURL("http://:80/", "the URL has no host", ""),
    RefusedURL("http://good.example\\@evil.example/", "a backslash can't stand before the path of a URL", "\\"),
    RefusedURL("http://h:80a/", "a port is a number from 0 to 65535", "80a"),
    RefusedURL("http://h:65536/", "a port is a number from 0 to 65535", "65536"),
    RefusedURL("http://h:-1/", "a port is a number from 0 to 65535", "-1"),
    RefusedURL(
      "http://h:99999999999999999999999999/", "a port is a number from 0 to 65535", "99999999999999999999999999"),
    RefusedURL("http://::1/", "the host has more than one colon", "::1"),
    RefusedURL("http://[::1/", "the bracket of the IPv6 address is never closed", "[::1"),
    RefusedURL("http://[::1]x/", "only a port can follow the IPv6 address", "x"),
    RefusedURL("http://[fe80::1%25eth0]/", "an IPv6 address with a zone can't stand in a URL here", "%25eth0"),
    RefusedURL("http://[h]/", "this is not an IPv6 address", "h"),
    RefusedURL("http://a b/", "a space can't stand in a host name", "a b"),
    RefusedURL("http://{host}/", "\"{\" can't stand in a host name", "{host}"),
    RefusedURL("http://a%2Fb/", "\"/\" can't stand in a host name", "a%2Fb"),
    RefusedURL("http://a%00b/", "U+0000 can't stand in a host name", "a%00b"),
    RefusedURL("http://a%FFb/", "the percent-encoded octets of the host are not UTF-8", "a%FFb"),
    RefusedURL("http://a..b/", "the host name has an empty label", "a..b"),
    RefusedURL("http://1.2.3.4.5/", "a host that ends in a number must be an IPv4 address", "1.2.3.4.5"),
    RefusedURL("http://256.0.0.1/", "a host that ends in a number must be an IPv4 address", "256.0.0.1"),
    RefusedURL("http://h/a\nb", "a URL can't contain a line break", "\n"),
    RefusedURL("http://h/a\r\nHost: x", "a URL can't contain a line break", "\r"),
    RefusedURL("http://h/a\tb", "a URL can't contain a tab", "\t"),
    RefusedURL("http://h/a\0b", "a URL can't contain a NUL character", "\0"),
    RefusedURL(" http://h/", "the URL begins with a space", " "),
  ])
func refuses(_ url: RefusedURL) {
  let problem = #expect(throws: URLProblem.self) { try HTTPURL(parsing: url.text) }
  #expect(problem?.message == url.message)
  if let range = problem?.range {
    #expect(String(decoding: Array(url.text.utf8)[range], as: UTF8.self) == url.place)
  }
}

@Test("The parts of a URL")
func parts() throws {
  let url = try HTTPURL(parsing: "https://ann:p%40ss@Example.COM:8443/a/b?c=d#e")
  #expect(url.scheme == "https")
  #expect(url.userinfo == "ann:p%40ss")
  #expect(url.host == "example.com")
  #expect(url.port == 8443)
  #expect(url.path == "/a/b")
  #expect(url.query == "c=d")
  #expect(url.fragment == "e")
  #expect(url.authority == "example.com:8443")
  #expect(url.originForm == "/a/b?c=d")
}

@Test("The userinfo ends at the last @ of the authority", arguments: ["http://a@b:c@d@h/@x"])
func lastAt(_ text: String) throws {
  let url = try HTTPURL(parsing: text)
  #expect(url.host == "h")
  #expect(url.userinfo == "a%40b:c%40d")
  #expect(url.path == "/@x")
}

@Test("The userinfo of a URL shows in no description of it")
func userinfoIsHidden() throws {
  let url = try HTTPURL(parsing: "http://ann:hunter2@h/x")
  var dumped = ""
  dump([url], to: &dumped)
  for text in [
    "\(url)", String(describing: url), String(reflecting: [url]), "\(Optional(url) as Any)", dumped, url.string,
  ] {
    #expect(!text.contains("hunter2"))
    #expect(text.contains("http://h/x"))
  }
}

@Test(
  "Percent-decoding keeps what is not encoded",
  arguments: [("a%20b", "a b"), ("%C3%BC", "ü"), ("100%", "100%"), ("%zz%4", "%zz%4"), ("%ff", "\u{FFFD}"), ("", "")])
func decodes(_ encoded: String, _ decoded: String) {
  #expect(percentDecoded(encoded) == decoded)
}
