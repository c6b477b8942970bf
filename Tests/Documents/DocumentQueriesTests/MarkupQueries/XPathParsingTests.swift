import DocumentQueries
import Testing

@Suite struct XPathParsingTests {
  @Test(arguments: [
    ("/", XPathType.nodeSet), ("//title", .nodeSet), ("/a/b[1]/@id", .nodeSet), ("@*", .nodeSet), (".", .nodeSet),
    ("..//x", .nodeSet), ("a | b/c", .nodeSet), ("(//a)[1]/text()", .nodeSet), ("id('x')/a", .nodeSet),
    ("child::a/descendant-or-self::node()", .nodeSet), ("//processing-instruction('x')", .nodeSet),
    ("//comment()", .nodeSet), ("ns:*", .nodeSet), ("//ns:a/@ns:b", .nodeSet), ("div", .nodeSet),
    ("/div/div", .nodeSet), ("//*[@a and @b or not(@c)]", .nodeSet), ("a[b = 'c'][2]", .nodeSet),
    ("text", .nodeSet), ("or", .nodeSet), ("a[text()='x']", .nodeSet), ("  //a  ", .nodeSet),
    ("string(//a)", .string), ("concat('a', \"b\", 'c')", .string), ("'x'", .string), ("name(..)", .string),
    ("count(//a)", .number), ("1 + 2 * -3", .number), ("a div b", .number), ("6 mod 4", .number), (".5", .number),
    ("- a", .number), ("2*3", .number), ("a*b", .number), ("* * *", .number), ("12.", .number),
    ("a = b", .boolean), ("a != 1", .boolean), ("a < 3", .boolean), ("a>=b", .boolean), ("a or b", .boolean),
    ("a and b", .boolean), ("not(a)", .boolean), ("true()", .boolean), ("contains(a, 'x')", .boolean),
    ("string(//a)='x'", .boolean), ("(1)", .number), ("(('a'))", .string), ("lang('en')", .boolean),
  ])
  func types(_ text: String, _ type: XPathType) throws { #expect(try XPath(text).type == type) }

  struct Fault: Sendable, CustomTestStringConvertible {
    let text: String
    /// What the range holds.
    let at: String
    let message: String
    var help: String?
    var testDescription: String { text }
  }

  @Test(arguments: [
    Fault(
      text: "", at: "", message: "expected a step: a name, `*`, `@…`, `.` or `..`, found the end of the expression"),
    Fault(
      text: "//", at: "", message: "expected a step: a name, `*`, `@…`, `.` or `..`, found the end of the expression"),
    Fault(
      text: "//a[", at: "", message: "expected a step: a name, `*`, `@…`, `.` or `..`, found the end of the expression"),
    Fault(text: "//a[1", at: "[", message: "the `[` that starts here has no closing `]`"),
    Fault(text: "count(//a", at: "(", message: "the `(` that starts here has no closing `)`"),
    Fault(
      text: "//a]", at: "]", message: "expected an operator or the end of the expression, found `]`",
      help: "there is no `[` that it closes"),
    Fault(
      text: "//a/", at: "", message: "expected a step: a name, `*`, `@…`, `.` or `..`, found the end of the expression"),
    Fault(
      text: "//a == 1", at: "=", message: "expected a step: a name, `*`, `@…`, `.` or `..`, found `=`",
      help: "XPath compares with `=`"),
    Fault(
      text: "a && b", at: "&", message: "expected an operator or the end of the expression, found `&`",
      help: "write `and`"),
    Fault(
      text: "a || b", at: "|", message: "expected a step: a name, `*`, `@…`, `.` or `..`, found `|`",
      help: "write `or`"),
    Fault(text: "//a[@id='x]", at: "'", message: "the string that starts here has no closing `'`"),
    Fault(text: "cuont(//a)", at: "cuont", message: "unknown function `cuont()`", help: "did you mean `count()`?"),
    Fault(
      text: "ends-with(a, 'x')", at: "ends-with", message: "unknown function `ends-with()`",
      help: "XPath 1.0 does not have it: use the predicate `ends_with`"),
    Fault(
      text: "fn:count(a)", at: "fn:count", message: "there are no functions with a prefix",
      help: "the functions are those of XPath 1.0"),
    Fault(text: "count('a')", at: "'a'", message: "`count()` takes a node-set, and this is a string"),
    Fault(text: "count()", at: "count()", message: "`count()` takes one argument, found 0"),
    Fault(text: "concat('a')", at: "concat('a')", message: "`concat()` takes two arguments or more, found 1"),
    Fault(text: "substring('a')", at: "substring('a')", message: "`substring()` takes 2 or 3 arguments, found 1"),
    Fault(text: "$x", at: "$x", message: "an XPath has no variables here", help: "write a template: ${{ name }}"),
    Fault(text: "$.a.b", at: "$.a.b", message: "this is a JSONPath", help: "write it under `json`"),
    Fault(text: "childs::a", at: "childs", message: "unknown axis `childs`", help: "did you mean `child`?"),
    Fault(text: "'a'[1]", at: "'a'", message: "`[…]` chooses from a node-set, and this is a string"),
    Fault(text: "1/a", at: "1", message: "`/` goes on from a node-set, and this is a number"),
    Fault(text: "a | 1", at: "1", message: "`|` joins node-sets, and this is a number"),
    Fault(text: "//a b", at: "b", message: "expected an operator or the end of the expression, found `b`"),
    Fault(
      text: ".[1]", at: "[", message: "expected a step or an operator, found `[`",
      help: "`.` and `..` take no `[…]`: write self::node()[…]"),
    Fault(
      text: "größe(1)", at: "größe", message: "unknown function `größe()`",
      help: "the functions are those of XPath 1.0"),
    Fault(text: "a:", at: "", message: "expected a name or `*` after `a:`, found the end of the expression"),
  ])
  func faults(_ fault: Fault) {
    let error = #expect(throws: XPathError.self) { try XPath(fault.text) }
    #expect(error?.message == fault.message)
    #expect(error?.help == fault.help)
    let bytes = Array(fault.text.utf8)
    #expect(error.map { String(decoding: bytes[$0.range], as: UTF8.self) } == fault.at)
  }

  @Test func depthAndLengthAreBounded() {
    let deep = String(repeating: "(", count: 100_000) + "1"
    #expect(throws: XPathError.self) { try XPath(deep) }
    #expect(throws: XPathError.self) { try XPath(String(repeating: "a[", count: 100_000)) }
    #expect(throws: XPathError.self) { try XPath(String(repeating: "a/", count: 100_000) + "a") }
    #expect(throws: XPathError.self) { try XPath(String(repeating: "-", count: 100_000) + "1") }
    #expect(throws: Never.self) { try XPath(String(repeating: "a/", count: 300) + "a") }
  }

  @Test func prefixesAreFoundWhereTheyStand() throws {
    let xpath = try XPath("//a:b[@c:d]/a:e | f:*")
    #expect(xpath.prefixes.map(\.name) == ["a", "c", "f"])
    #expect(xpath.prefixes.map(\.range) == [2..<3, 7..<8, 18..<19])
  }

  @Test(arguments: [
    ("plain", "'plain'"), ("it's", "\"it's\""), ("a\"b", "'a\"b'"), ("'\"", "concat('', \"'\", '\"')"),
  ])
  func literals(_ text: String, _ literal: String) throws {
    #expect(XPath.literal(text) == literal)
    let document = try MarkupDocument(parsing: Array("<a/>".utf8), as: .xml)
    guard case .string(let value) = try document.evaluate(try XPath("string(\(literal))"), namespaces: []) else {
      Issue.record("no string")
      return
    }
    #expect(value == text)
  }
}
