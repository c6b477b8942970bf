import RunReports
import Testing

/// Bodies as `send` prints them.
@Suite struct BodyTextTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var type: String?
    let body: [UInt8]
    var isFormatted = true
    var isForTerminal = true
    var isColored = false
    let expected: String

    init(
      _ name: String, _ type: String?, _ body: String, isFormatted: Bool = true, isForTerminal: Bool = true,
      isColored: Bool = false, _ expected: String
    ) {
      self.init(
        name, type, Array(body.utf8), isFormatted: isFormatted, isForTerminal: isForTerminal, isColored: isColored,
        expected)
    }

    init(
      _ name: String, _ type: String?, _ body: [UInt8], isFormatted: Bool = true, isForTerminal: Bool = true,
      isColored: Bool = false, _ expected: String
    ) {
      (testDescription, self.type, self.body) = (name, type, body)
      (self.isFormatted, self.isForTerminal, self.isColored) = (isFormatted, isForTerminal, isColored)
      self.expected = expected
    }
  }

  static let json = "application/json"

  static let cases = [
    Case(
      "order and numbers stay", json, #"{"b":1.50,"a":[1e3,12345678901234567890],"c":{}}"#,
      "{\n  \"b\": 1.50,\n  \"a\": [\n    1e3,\n    12345678901234567890\n  ],\n  \"c\": {}\n}\n"),
    Case("JSON that isn't valid stays as it is", json, #"{"a":"#, "{\"a\":\n"),
    Case("JSON that is said to be text", "text/plain", #"{"a":1}"#, "{\n  \"a\": 1\n}\n"),
    Case("JSON of its own type", "application/problem+json", #"[1]"#, "[\n  1\n]\n"),
    Case("text that begins like JSON", "text/plain", "[note] x", "[note] x\n"),
    Case("not formatted", json, #"{"a":1}"#, isFormatted: false, "{\"a\":1}\n"),
    Case("lines of JSON", "application/x-ndjson", "{\"a\":1}\n{\"a\":2}\n", "{\"a\":1}\n{\"a\":2}\n"),
    Case("nothing", json, "", ""),
    Case(
      "colours", json, #"{"a":[1,"x\"y",true,null]}"#, isFormatted: false, isColored: true,
      "{\u{1B}[36m\"a\"\u{1B}[0m:[\u{1B}[33m1\u{1B}[0m,\u{1B}[32m\"x\\\"y\"\u{1B}[0m,\u{1B}[35mtrue\u{1B}[0m,"
        + "\u{1B}[35mnull\u{1B}[0m]}\n"),
    Case("control characters of a server", "text/plain", "a\u{1B}[31mb\u{9B}c\u{202E}d", "a␛[31mb<U+009B>c<U+202E>d\n"),
    Case("control characters in JSON", json, "{\"a\":\"\u{1B}[2J\"}", "{\n  \"a\": \"\\u001b[2J\"\n}\n"),
    Case("in a pipe they stay", "text/plain", "a\u{1B}[31m", isForTerminal: false, "a\u{1B}[31m\n"),
    Case("Latin-1", "text/plain; charset=iso-8859-1", [0xE4, 0x0A], "ä\n"),
    Case("UTF-16 by its mark", "text/plain", [0xFF, 0xFE, 0x61, 0, 0x62, 0], "ab\n"),
    Case(
      "binary data", "image/png", [0x89, 0x50, 0, 1, 2, 3],
      "(image/png, 6 bytes: not shown, since it is not text; -o FILE stores it)\n"),
    Case(
      "XML", "application/xml", "<a x=\"1\"><b>t</b><c/><!-- n --><d><e>u <i>v</i></e></d></a>",
      "<a x=\"1\">\n  <b>t</b>\n  <c/>\n  <!-- n -->\n  <d>\n    <e>u <i>v</i></e>\n  </d>\n</a>\n"),
    Case(
      "XML with CDATA and a sign in a value", "text/xml", "<a><b y='>'><![CDATA[<x>]]></b><c></c></a>",
      "<a>\n  <b y='>'><![CDATA[<x>]]></b>\n  <c></c>\n</a>\n"),
    Case("XML that doesn't match", "text/xml", "<a><b></a>", "<a><b></a>\n"),
    Case(
      "HTML", "text/html",
      "<!DOCTYPE html><html><head><meta x><SCRIPT>if (a<b) {}</SCRIPT></head><body><br><p>t</p></body></html>",
      "<!DOCTYPE html>\n<html>\n  <head>\n    <meta x>\n    <SCRIPT>if (a<b) {}</SCRIPT>\n  </head>\n  <body>\n    <br>\n    <p>t</p>\n  </body>\n</html>\n"
    ),
    Case(
      "colours of markup", "text/xml", "<a b=\"1\">t</a>", isFormatted: false, isColored: true,
      "\u{1B}[36m<a b=\u{1B}[0m\u{1B}[32m\"1\"\u{1B}[0m\u{1B}[36m>\u{1B}[0mt\u{1B}[36m</a>\u{1B}[0m\n"),
  ]

  @Test(arguments: cases)
  func text(_ test: Case) {
    let style = ConsoleStyle(isColored: test.isColored)
    let text = BodyText(style: style, isFormatted: test.isFormatted, isForTerminal: test.isForTerminal)
    #expect(text.text(of: test.body, contentType: test.type) == test.expected)
  }

  @Test("what nests deeply isn't indented without end", arguments: ["[", "<a>"])
  func depth(_ open: String) {
    let close = open == "[" ? "]" : "</a>"
    let body = String(repeating: open, count: 20_000) + String(repeating: close, count: 20_000)
    let type = open == "[" ? Self.json : "text/xml"
    let text = BodyText(style: ConsoleStyle(isColored: false), isFormatted: true, isForTerminal: true)
    #expect(text.text(of: Array(body.utf8), contentType: type).utf8.count < 6_000_000)
  }
}
