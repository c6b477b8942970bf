import DocumentQueries
import OperatingSystem
import TestSupport
import Testing

private let feed = """
  <?xml version="1.0" encoding="ISO-8859-1"?>
  <!DOCTYPE feed PUBLIC "-//X//Y" "http://127.0.0.1:9/never.dtd">
  <feed xmlns="http://www.w3.org/2005/Atom" xmlns:p="urn:p" version="2">
    <title>Größe &amp; <![CDATA[<Weite>]]></title><!-- note -->
    <p:price currency="EUR">10.50</p:price><p:price currency="USD">12</p:price>
    <entry id="a"><title>One</title></entry><entry id="b"/>
  </feed>
  """

private let page = """
  <!DOCTYPE html><HTML><head><title>The harbour</title><body><p class=lead>Ships &amp; boats<br>more
  <ul><li>Anna<li>Bertha<li>Clara</ul><script>if (a < b) {}</script>&nbsp;&unknown;
  """

@Suite struct MarkupDocumentTests {
  private static let namespaces = [(prefix: "a", uri: "http://www.w3.org/2005/Atom"), (prefix: "p", uri: "urn:p")]

  private func evaluate(_ text: String, in source: String, _ language: MarkupDocument.Language) throws -> XPathResult {
    let document = try MarkupDocument(parsing: Array(source.utf8), as: language)
    return try document.evaluate(try XPath(text), namespaces: MarkupDocumentTests.namespaces)
  }

  @Test(arguments: [
    ("/a:feed/a:title", ["Größe & <Weite>"]), ("/*/a:title/text()", ["Größe & <Weite>"]), ("//title", []),
    ("//a:entry/@id", ["a", "b"]), ("//comment()", [" note "]),
    ("//p:price | //a:entry/@id", ["10.50", "12", "a", "b"]),
    ("//a:entry/@id | //p:price", ["10.50", "12", "a", "b"]), ("//*[local-name() = 'price'][2]", ["12"]),
    ("(//p:price)[last()]/preceding-sibling::p:price", ["10.50"]), ("//a:entry[2]", [""]), ("/", [feedText]),
    (".", [feedText]), ("a:feed/a:entry/@id", ["a", "b"]), (".//p:price[2]", ["12"]), ("..", []),
  ])
  func nodeSets(_ text: String, _ expected: [String]) throws {
    guard case .nodes(let found) = try evaluate(text, in: feed, .xml) else {
      Issue.record("no node-set")
      return
    }
    #expect(found == expected)
  }

  private static let feedText = "\n  Größe & <Weite>\n  10.5012\n  One\n"

  @Test(arguments: [
    ("string(//a:title)", "Größe & <Weite>"), ("string(//nope)", ""), ("normalize-space('  a  b ')", "a b"),
    ("name(/*)", "feed"), ("namespace-uri(//p:price)", "urn:p"), ("string(sum(//p:price))", "22.5"),
    ("string(number('x'))", "NaN"), ("string(1 div 0)", "Infinity"), ("substring('12345', 2, 3)", "234"),
    ("translate('bar', 'abc', 'AB')", "BAr"), ("string(/a:feed/@version)", "2"),
    ("string()", feedText), ("name(*)", "feed"), ("string(number())", "NaN"),
  ])
  func strings(_ text: String, _ expected: String) throws {
    guard case .string(let found) = try evaluate(text, in: feed, .xml) else {
      Issue.record("no string")
      return
    }
    #expect(found == expected)
  }

  /// libxml2 compares each attribute of a tag with all before it.
  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      ("values", #" x%="1""#), ("no values", " x%"), ("slashes", "/x%"), ("quotes that open nothing", " ' x% "),
      ("blanks around the sign", " x% = 1"), ("line breaks", "\nx%='>'"),
    ])
  func tooManyAttributesAreRefused(_ name: String, _ attribute: String) {
    let attributes = (0..<50_000).map { attribute.replacing("%", with: String($0)) }.joined()
    for language in [MarkupDocument.Language.xml, .html] {
      let error = #expect(throws: MarkupParseError.self) {
        _ = try MarkupDocument(parsing: Array("<a\(attributes)></a>".utf8), as: language)
      }
      #expect(error?.message == "its tags have too many attributes")
    }
  }

  @Test func manyTagsAndLongTextsAreNoAttributes() throws {
    let tags = String(repeating: #"<b a="x y z" c='1 < 2'>one two three a=b</b>"#, count: 20_000)
    let script = "<!-- if (a < b) " + String(repeating: "then else ", count: 20_000) + "-->"
    guard case .number(20_000) = try evaluate("count(//b)", in: "<a>\(script)\(tags)</a>", .html) else {
      Issue.record("a tag is missing")
      return
    }
  }

  @Test func numbersAndBooleans() throws {
    if case .number(let number) = try evaluate("sum(//p:price)", in: feed, .xml) { #expect(number == 22.5) }
    if case .number(let number) = try evaluate("count(//a:entry)", in: feed, .xml) { #expect(number == 2) }
    if case .boolean(let flag) = try evaluate("//p:price > 11", in: feed, .xml) { #expect(flag) }
    if case .boolean(let flag) = try evaluate("boolean(//nope)", in: feed, .xml) { #expect(!flag) }
  }

  @Test(arguments: [
    ("//title", ["The harbour"]), ("//li", ["Anna", "Bertha", "Clara"]), ("//p/@class", ["lead"]),
    ("//p/text()", ["Ships & boats", "more\n"]), ("//LI", []), ("//script", ["if (a < b) {}"]),
  ])
  func html(_ text: String, _ expected: [String]) throws {
    guard case .nodes(let found) = try evaluate(text, in: page, .html) else {
      Issue.record("no node-set")
      return
    }
    #expect(found == expected)
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    let text: String
    var language = MarkupDocument.Language.xml
    let message: String
    var line: Int?
    var column: Int?
    var testDescription: String { String(text.prefix(60)) }
  }

  @Test(arguments: [
    Fault(text: "", message: "document is empty", line: 1, column: 1),
    Fault(text: "hello", message: "start tag expected, '<' not found", line: 1, column: 1),
    Fault(text: "<a>\n  <b></a>", message: "opening and ending tag mismatch: b line 2 and a", line: 2, column: 10),
    Fault(text: "<a>\n<b>", message: "premature end of data in tag b line 2", line: 2, column: 4),
    Fault(text: "<a>&x;</a>", message: "entity 'x' not defined", line: 1, column: 7),
    Fault(text: "<a b=1/>", message: "AttValue: \" or ' expected", line: 1, column: 6),
    Fault(text: "<a/><b/>", message: "extra content at the end of the document", line: 1, column: 5),
    Fault(
      text: "<!DOCTYPE a [\n<!ENTITY e SYSTEM \"file:///etc/passwd\">]><a>&e;</a>",
      message: "it declares entities, which are not expanded here", line: 2),
    Fault(
      text: "<!DOCTYPE a [<!ENTITY % e SYSTEM \"file:///etc/passwd\">%e;]><a/>",
      message: "it declares entities, which are not expanded here", line: 1),
    Fault(
      text: "<!DOCTYPE a [<!ENTITY e \"\(String(repeating: "x", count: 1000))\">]><a b='&e;&e;'/>",
      message: "it declares entities, which are not expanded here", line: 1),
    Fault(text: String(repeating: "<a>", count: 5000), message: "it nests deeper than 256 levels", line: 1),
    Fault(
      text: String(repeating: "<b>", count: 200_000) + String(repeating: "</x>", count: 100_000), language: .html,
      message: "it nests deeper than 256 levels", line: 1),
    Fault(text: "", language: .html, message: "it has no element"),
    Fault(text: String(repeating: "x", count: 33 << 20), message: "the text is larger than 32 MiB"),
  ])
  func faults(_ fault: Fault) {
    let error = #expect(throws: MarkupParseError.self) {
      try MarkupDocument(parsing: Array(fault.text.utf8), as: fault.language)
    }
    #expect(error?.message == fault.message)
    #expect(error?.line == fault.line)
    if let column = fault.column { #expect(error?.column == column) }
  }

  /// Each element would get a copy of its own: a way to make a small document a huge one.
  @Test func defaultValuesOfAttributesAreNotRead() throws {
    let source = "<!DOCTYPE a [<!ATTLIST b c CDATA 'd'>]><a><b/></a>"
    guard case .nodes(let found) = try evaluate("//b/@c", in: source, .xml) else { return }
    #expect(found.isEmpty)
  }

  @Test func prefixesWithoutANamespaceAreNames() throws {
    guard case .nodes(let found) = try evaluate("//*[name() = 'q:a']", in: "<q:a>x</q:a>", .xml) else { return }
    #expect(found == ["x"])
  }

  @Test func declaredEncodingsAreIgnored() throws {
    guard case .string(let found) = try evaluate("string(//a:title)", in: feed, .xml) else { return }
    #expect(found.hasPrefix("Größe"))
    let html = "<html><head><meta charset=iso-8859-1><title>Größe</title></head></html>"
    guard case .string(let title) = try evaluate("string(//title)", in: html, .html) else { return }
    #expect(title == "Größe")
  }

  @Test(
    arguments: [
      ("//title", "`title` is in the namespace http://www.w3.org/2005/Atom here: write `a:title`"),
      ("//a:Title", nil), ("//nope", nil), ("//a:title", nil),
      (
        "//x:title",
        "nothing in the document is in the namespace urn:other (`x`); its namespaces are http://www.w3.org/2005/Atom, urn:p"
      ),
    ] as [(String, String?)])
  func absences(_ text: String, _ expected: String?) throws {
    let document = try MarkupDocument(parsing: Array(feed.utf8), as: .xml)
    let namespaces = MarkupDocumentTests.namespaces + [(prefix: "x", uri: "urn:other")]
    #expect(document.absence(of: try XPath(text), namespaces: namespaces) == expected)
  }

  @Test func namesOfHTMLAreInLowerCase() throws {
    let document = try MarkupDocument(parsing: Array(page.utf8), as: .html)
    #expect(
      document.absence(of: try XPath("//LI"), namespaces: [])
        == "the names of HTML elements are in lower case: write `li`")
  }

  /// Each of these kept libxml2's own evaluator busy for minutes.
  @Test(
    arguments: [
      ("//div//div//div//span", 0), ("//*//*//*//*", 237), ("//div//div//div", 238), ("//div[.//div[.//div]]", 238),
      ("//div/ancestor::div/descendant::div/ancestor::div", 239), ("//div//div | //div//div", 239),
      ("//div[not(.//div//div//div//div)]", 4), ("//div[count(ancestor::*) > 200]", 39),
      ("//div/descendant::div[last()]", 1), ("//div//div[1]", 239),
    ])
  func nestedElements(_ text: String, _ count: Int) throws {
    let source = String(repeating: "<div>", count: 240) + "x" + String(repeating: "</div>", count: 240)
    let time = try processorTime {
      guard case .nodes(let found) = try evaluate(text, in: source, .xml) else {
        Issue.record("no node-set")
        return
      }
      #expect(found.count == count)
    }
    #expect(time < .seconds(30))
  }

  /// Siblings without end: what is found from each of them is found once.
  @Test(
    arguments: [
      "//a//b", "//a/following::b", "//b/preceding::b", "//a/following-sibling::a/b", "//a/preceding-sibling::a",
      "//a/following::b/preceding::b", "//a[b]/..//b", "//b/ancestor::*//b",
    ])
  func manySiblings(_ text: String) throws {
    let growth = try growth(to: 1000) { count in
      let source = "<r>" + String(repeating: "<a><b>1</b></a>", count: count) + "</r>"
      guard case .nodes(let found) = try evaluate(text, in: source, .xml) else {
        Issue.record("no node-set")
        return
      }
      #expect((count - 2...count).contains(found.count))
    }
    #expect(growth < 1.5)
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      "count(//a[count(//a[count(//b) > 1]) > 1])", "//a[count(//a[sum(//b) > 0]) > 1]",
      "//a[contains(string(..), concat(string(..), .))]", "sum(//a[string-length(translate(string(..), '1', '')) = 1])",
    ])
  func runawayQueriesEnd(_ text: String) throws {
    let source = "<r>" + String(repeating: "<a><b>1</b></a>", count: 5000) + "</r>"
    let document = try MarkupDocument(parsing: Array(source.utf8), as: .xml)
    let budget = EvaluationBudget(limit: .milliseconds(100))
    #expect(throws: XPathError.self) {
      try budget.limit { () throws(XPathError) in try document.evaluate(try XPath(text), namespaces: []) }
    }
  }

  @Test(arguments: [
    "concat(/,/,/,/,/,/,/,/)", "string-length(concat(/,concat(/,/,/,/,/,/,/)))", "//a[concat(/,/,/,/,/,/,/,/)]",
  ])
  func textsOfFunctionsAreBounded(_ text: String) throws {
    let source = "<a>" + String(repeating: "x", count: 9 << 20) + "</a>"
    let document = try MarkupDocument(parsing: Array(source.utf8), as: .xml)
    let error = #expect(throws: XPathError.self) { try document.evaluate(try XPath(text), namespaces: []) }
    #expect(error?.message == "the query makes a text larger than 64 MiB")
  }

  @Test(arguments: [
    ("string(0.1 + 0.2)", "0.30000000000000004"), ("string(1000000 * 1000000 * 1000000)", "1000000000000000000"),
    ("string(1 div 10000000)", "0.0000001"), ("string(-0)", "0"), ("string(-1 div 0)", "-Infinity"),
    ("string(number(' 12.50 '))", "12.5"), ("string(number('1e3'))", "NaN"), ("string(number('.5'))", "0.5"),
    ("string(number('5.'))", "5"), ("string(number('+5'))", "NaN"), ("string(number(''))", "NaN"),
    ("string(number('-'))", "NaN"), ("string(round(-2.5))", "-2"), ("string(round(2.5))", "3"),
    ("string(1 div round(-0.1))", "-Infinity"), ("string(1 div round(-0.5))", "-Infinity"),
    ("string(round(0.49999999999999994))", "0"), ("string(round(-0.6))", "-1"),
    ("string(count(/*/namespace::*))", "1"), ("name(/*/namespace::*)", "xml"),
    ("string(5 mod -2)", "1"), ("string(-5 mod 2)", "-1"), ("substring('12345', 1.5, 2.6)", "234"),
    ("substring('12345', 0, 3)", "12"), ("substring('12345', 0 div 0, 3)", ""),
    ("substring('12345', -42, 1 div 0)", "12345"), ("substring('12345', -1 div 0, 1 div 0)", ""),
    ("translate('--aaa--', 'abc-', 'ABC')", "AAA"), ("substring-before('1999/04/01', '/')", "1999"),
    ("substring-after('1999/04/01', '/')", "04/01"), ("string(--1)", "1"), ("string(true() = 'x')", "true"),
  ])
  func values(_ text: String, _ expected: String) throws {
    guard case .string(let found) = try evaluate(text, in: "<a/>", .xml) else {
      Issue.record("no string")
      return
    }
    #expect(found == expected)
  }

  @Test func textsOfNestedNodesAreBounded() throws {
    let text = String(repeating: "x", count: 1 << 20)
    let source = String(repeating: "<a>", count: 100) + text + String(repeating: "</a>", count: 100)
    let document = try MarkupDocument(parsing: Array(source.utf8), as: .xml)
    let error = #expect(throws: XPathError.self) { try document.evaluate(try XPath("//a"), namespaces: []) }
    #expect(error?.message == "the texts of the 100 nodes that it finds take more than 64 MiB")
  }
}

@Suite("What a markup document takes of memory")
struct MarkupFootprintTests {
  @Test(
    "Elements, texts and attributes are counted, those that are none too",
    arguments: [
      ("<a/>", 1, 0), ("<a>text</a>", 2, 0), ("<a b='1' c=\"2\"/>", 1, 2), ("<a b c d>", 1, 3), ("<a b='<<'>", 3, 1),
      ("", 0, 0), ("<", 1, 0), ("<<<<", 4, 0), ("<a b='", 1, 1), ("<!-- a b c -->", 1, 0),
    ])
  func counts(text: String, marks: Int, attributes: Int) {
    #expect(MarkupFootprint(of: Array(text.utf8)).memory == 2 * text.utf8.count + 288 * marks + 480 * attributes)
  }
}
