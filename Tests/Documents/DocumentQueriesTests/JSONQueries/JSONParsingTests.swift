import DocumentQueries
import Testing
import Values

@Suite struct JSONParsingTests {
  @Test(arguments: [
    ("", "expected a value, found the end of the text", 1, 1),
    ("[", "expected a value, found the end of the text", 1, 2),
    ("]", "expected a value, found `]`", 1, 1),
    ("[1,]", "expected a value after `,`, found `]`; JSON has no trailing commas", 1, 4),
    ("{\"a\": 1,\n }", "expected a member name after `,`, found `}`; JSON has no trailing commas", 2, 2),
    ("[1 2]", "expected `,` or `]` after an item, found `2`", 1, 4),
    ("{\"a\" 1}", "expected `:` after a member name, found `1`", 1, 6),
    ("{a: 1}", "expected a member name in double quotes or `}`, found `a`; names stand in double quotes", 1, 2),
    ("{'a': 1}", "expected a member name in double quotes or `}`, found `'`; strings stand in double quotes", 1, 2),
    ("{\"a\": 1 \"b\": 2}", "expected `,` or `}` after a member, found `\"`", 1, 9),
    ("{\"é\": True}", "expected a value, found `True`; JSON writes `true`", 1, 7),
    ("NaN", "expected a value, found `NaN`; JSON has no such number", 1, 1),
    ("{} {}", "expected the end of the text after the value, found `{`", 1, 4),
    ("<html>", "expected a value, found `<`; the text looks like HTML or XML", 1, 1),
    ("[1, // one\r\n2]", "expected a value, found `/`; JSON has no comments", 1, 5),
    ("[01]", "a number has no leading zeros", 1, 2),
    ("[1.]", "expected a digit after `.`, found `]`", 1, 4),
    ("[-]", "expected a digit after `-`, found `]`", 1, 3),
    ("[1e]", "expected a digit in the exponent, found `]`", 1, 4),
    ("[+1]", "expected a value, found `+`; a number has no plus sign", 1, 2),
    ("[\r\n \"abc]", "the string that starts here has no closing `\"`", 2, 2),
    ("[\"a\nb\"]", "the control character U+000A cannot stand in a string as it is; write `\\n`", 1, 4),
    ("\"\\x\"", "`\\x` is not an escape of JSON; a backslash itself is written `\\\\`", 1, 2),
    ("\"\\u12\"", "`\\u` needs four hexadecimal digits, as in `\\u00e9`", 1, 2),
    ("\u{FEFF}\u{FEFF}1", "expected a value, found `\u{FEFF}`", 1, 1),
    ("é", "expected a value, found `é`", 1, 1),
    ("[1]\u{0}", "expected the end of the text after the value, found the control character U+0000", 1, 4),
  ])
  func tellsWhatIsWrongAndWhere(text: String, message: String, line: Int, column: Int) {
    let error = #expect(throws: JSONParseError.self) { try JSONDocument(parsing: text) }
    #expect(error?.message == message)
    #expect(error?.line == line)
    #expect(error?.column == column)
  }

  @Test(
    arguments: [
      ([0x22, 0xFF, 0x22], "the byte 0xFF is not valid UTF-8", 1),
      ([0x22, 0xC0, 0x80, 0x22], "the byte 0xC0 is not valid UTF-8", 1),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], "the byte 0xED is not valid UTF-8", 1),
      ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], "the byte 0xF4 is not valid UTF-8", 1),
      ([0x22, 0xE2, 0x82], "the byte 0xE2 is not valid UTF-8", 1),
      ([0xFF], "expected a value, found the byte 0xFF, which is not UTF-8", 0),
      ([0xFF, 0xFE, 0x31, 0x00], "the text is UTF-16; JSON is exchanged as UTF-8", 0),
    ] as [([UInt8], String, Int)])
  func refusesWhatIsNotUTF8(bytes: [UInt8], message: String, offset: Int) {
    let error = #expect(throws: JSONParseError.self) { try JSONDocument(parsing: bytes) }
    #expect(error?.message == message)
    #expect(error?.offset == offset)
  }

  @Test func nestingIsBounded() throws {
    let deep =
      String(repeating: "[", count: JSONDocument.depthLimit) + String(repeating: "]", count: JSONDocument.depthLimit)
    let document = try JSONDocument(parsing: deep)
    #expect(document.root.value.jsonText().string == deep)
    let error = #expect(throws: JSONParseError.self) { try JSONDocument(parsing: "[" + deep + "]") }
    #expect(error?.message == "arrays and objects nest deeper than 512 levels")
    #expect(error?.column == 513)
    #expect(throws: JSONParseError.self) {
      try JSONDocument(parsing: String(repeating: "{\"a\":", count: 100_000))
    }
  }

  @Test(arguments: [
    "null", "true", "false", "0", "-0", "1.10", "1e400", "123456789012345678901234567890", "\"\"", "\"größe 東京 😀\"",
    "[]", "{}", "[[],{}]", "[1,[2,[3,4],5],6]", "{\"b\":1,\"a\":{\"c\":[true,null]},\"b\":2}", "[\"\\\"\\\\\\n\"]",
  ])
  func keepsOrderDuplicatesAndNumbersAsWritten(text: String) throws {
    #expect(try JSONDocument(parsing: text).root.value.jsonText().string == text)
  }

  @Test func skipsAByteOrderMarkAndWhitespace() throws {
    let document = try JSONDocument(parsing: "\u{FEFF} \t\r\n[1 , 2 ]\n")
    #expect(document.root.value == .list([.integer(1), .integer(2)]))
  }

  @Test(arguments: [
    (#""\u0041\u00e9\/\b\f\n\r\t""#, "Aé/\u{8}\u{C}\n\r\t"),
    (#""\ud83d\uDE00""#, "😀"),
    (#""\u0000""#, "\u{0}"),
    (#""a\ud800""#, "a\u{FFFD}"),
    (#""\udc00\ud800x""#, "\u{FFFD}\u{FFFD}x"),
    (#""\ud800\u0041""#, "\u{FFFD}A"),
  ])
  func readsEscapes(text: String, string: String) throws {
    #expect(try JSONDocument(parsing: text).root.value == .text(string))
  }
}

@Suite struct JSONNodeTests {
  private static let text = #"{"id": 7,"# + "\n" + #" "rows": [{"x": "a"}, null, 2.50], "e\u0301": true, "id": "last"}"#

  @Test func walksItemsAndMembers() throws {
    let root = try JSONDocument(parsing: Self.text).root
    #expect(root.kind == .mapping)
    #expect(root.count == 4)
    #expect(root.members.map(\.key) == ["id", "rows", "e\u{301}", "id"])
    #expect(root[member: "id"]?.value == .text("last"))
    #expect(root[member: "missing"] == nil)
    let rows = try #require(root[member: "rows"])
    #expect(rows.items.map(\.kind) == [.mapping, .null, .number])
    #expect(rows[0]?[member: "x"]?.value == .text("a"))
    #expect(rows[-1]?.text == "2.50")
    #expect(rows[3] == nil && rows[-4] == nil)
    #expect(rows[member: "x"] == nil && root[0] == nil)
    #expect(root.items.isEmpty && rows.members.isEmpty)
  }

  @Test func namesAreEqualByCodePoints() throws {
    let root = try JSONDocument(parsing: Self.text).root
    #expect(root[member: "e\u{301}"]?.kind == .boolean)
    #expect(root[member: "é"] == nil)
  }

  @Test func knowsWhereItStands() throws {
    let root = try JSONDocument(parsing: Self.text).root
    let rows = try #require(root[member: "rows"])
    #expect(rows.line == 2)
    #expect(rows.text == #"[{"x": "a"}, null, 2.50]"#)
    #expect(rows[0]?[member: "x"]?.text == #""a""#)
    #expect(Array(Self.text.utf8)[rows.byteRange].elementsEqual(rows.text.utf8))
    #expect(rows[0]?[member: "x"].map { normalizedPath($0) } == "$['rows'][0]['x']")
    #expect(rows[2].map { normalizedPath($0) } == "$['rows'][2]")
    #expect(normalizedPath(root) == "$")
    let odd = try JSONDocument(parsing: #"{"a'\\\u000b\n": [[], [1]]}"#).root
    #expect(odd.members[0].value[1]?[0].map { normalizedPath($0) } == #"$['a\'\\\u000b\n'][1][0]"#)
  }
}
