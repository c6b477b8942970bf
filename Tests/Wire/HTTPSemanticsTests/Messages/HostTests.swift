import HTTPSemantics
import Testing
import Values

@Test(
  "All notations of a host give one host",
  arguments: [
    ("Example.COM", "example.com"),
    ("example.com.", "example.com."),
    ("my_host-1", "my_host-1"),
    ("%41bc.d%65", "abc.de"),
    ("127.0.0.1", "127.0.0.1"),
    ("127.1", "127.0.0.1"),
    ("2130706433", "127.0.0.1"),
    ("0x7f.1", "127.0.0.1"),
    ("0177.0.0.01", "127.0.0.1"),
    ("1.2.3.4.", "1.2.3.4"),
    ("%31%32%37.1", "127.0.0.1"),
    ("1.2.3.4.example", "1.2.3.4.example"),
    ("[::1]", "::1"),
    ("[0:0:0:0:0:0:0:0]", "::"),
    ("[2001:DB8:0:0:1:0:0:1]", "2001:db8::1:0:0:1"),
    ("[2001:db8:0:1:1:1:1:1]", "2001:db8:0:1:1:1:1:1"),
    ("[1:2:3:4:5:6:7::]", "1:2:3:4:5:6:7:0"),
    ("[::ffff:192.0.2.1]", "::ffff:c000:201"),
    ("bücher.de", "xn--bcher-kva.de"),
    ("Bücher.DE", "xn--bcher-kva.de"),
    ("b%C3%BCcher.de", "xn--bcher-kva.de"),
    ("faß.de", "xn--fa-hia.de"),
    ("βόλος.com", "xn--nxasmm1c.com"),
    ("пример.испытание", "xn--e1afmkfd.xn--80akhbyknj4f"),
    ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
    ("你好你好", "xn--6qqa088eba"),
    ("ישראל.com", "xn--4dbrk0ce.com"),
    ("💩.la", "xn--ls8h.la"),
    ("xn--bcher-kva.de", "xn--bcher-kva.de"),
  ])
func readsHost(_ text: String, _ host: String) throws {
  #expect(try HTTPURL(parsing: "http://\(text)/").host == host)
}

@Test(
  "A host whose ASCII form is not certain is refused",
  arguments: [
    "Ｇｏ.com",  // full width
    "e\u{301}.com",  // decomposed
    "look\u{200B}out.net", "a\u{AD}b.net", "نامه\u{200C}ای.com",  // invisible
    "\u{301}a.com", "℡.com", "ﬁ.com", "\u{FFFD}.com", "\u{378}.com", "a‥b",
    "xn--tešla", "xn--bcher-kva.ü", "يa", "1.ישראל", "ü b.com", "ü/x@".replacing("/", with: "%2F"),
    String(repeating: "ü", count: 64),
  ])
func refusesHost(_ text: String) {
  #expect(throws: URLProblem.self) { try HTTPURL(parsing: "http://\(text)/") }
}

@Test(
  "A text that is not an IPv6 address is refused",
  arguments: [
    "", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "12345::", "::g", "::1.2.3",
    "::1.2.3.256", "::01.2.3.4", "1.2.3.4::", "::1.2.3.4:5", "1:", ":1", "::1.2.3.4.5",
  ])
func refusesIPv6(_ text: String) {
  #expect(throws: URLProblem.self) { try HTTPURL(parsing: "http://[\(text)]/") }
}
