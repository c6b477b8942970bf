import Testing
import YAMLNodes

struct CoreSchemaTests {
  @Test(
    arguments: [
      ("null", .null), ("~", .null), ("true", .bool(true)), ("false", .bool(false)),
      ("no", .text("no")), ("on", .text("on")), ("Yes", .text("Yes")), ("nULL", .text("nULL")),
      ("0", .number("0")), ("-0", .number("-0")), ("-17", .number("-17")),
      ("12345678901234567890", .number("12345678901234567890")), ("0.10", .number("0.10")), ("1e3", .number("1e3")),
      ("1.0E+5", .number("1.0E+5")), (".5", .number("0.5")), ("-.5", .number("-0.5")), ("1.", .number("1.0")),
      ("1.e2", .number("1.0e2")),
      ("0x1F", .number("31")), ("0xffffffffffffffffffff", .number("1208925819614629174706175")),
      ("0o17", .number("15")),
      ("0x0", .number("0")), ("0x1G", .text("0x1G")), ("0o8", .text("0o8")), ("-0x1F", .text("-0x1F")),
      ("1_000", .text("1_000")), ("1.2.3", .text("1.2.3")), ("2024-05-01", .text("2024-05-01")), ("1e", .text("1e")),
      (".", .text(".")), ("12:30", .text("12:30")),
      (".inf", .nonFinite(".inf")), ("-.INF", .nonFinite("-.inf")), (".NaN", .nonFinite(".nan")),
      ("'1'", .text("1")), ("\"true\"", .text("true")), ("\"\"", .text("")),
      ("!!str 1", .text("1")), ("! 1", .text("1")), ("!!str", .text("")), ("!!null ''", .null),
      ("!!int '42'", .number("42")), ("!!float 1", .number("1")), ("!!bool 'true'", .bool(true)),
      ("!!binary aGVsbG8=", .binary(Array("hello".utf8))), ("!!timestamp 2024-05-01", .timestamp("2024-05-01")),
      ("!date 2024-05-01T10:00:00Z", .timestamp("2024-05-01T10:00:00Z")),
      ("!uuid", .null), ("!regex '\\d'", .text("\\d")), ("!optional 5", .number("5")),
    ] as [(String, YAMLScalar.Meaning)])
  func meaning(of text: String, is meaning: YAMLScalar.Meaning) throws {
    let reading = YAMLReading("- " + text)
    #expect(reading.messages == [])
    #expect(reading.root?.items?.first?.scalar?.meaning == meaning)
  }

  @Test func hexadecimalOfTenThousandDigitsIsExactAndMoreIsRefused() throws {
    let digits = String(repeating: "0", count: 9999) + "a"
    #expect(YAMLReading("- 0x\(digits)").json == "[10]")
    #expect(YAMLReading("- 0x\(digits)0").messages == ["the number has more than 10000 digits"])
  }

  @Test func localTagsAreKeptOnScalarsAndCollections() throws {
    let root = try #require(YAMLReading("a: !uuid\nb: !each {x: 1}\nc: !array [1]\nd: !!str x\n").root)
    #expect(root.members?.map(\.value.localTag?.name) == ["uuid", "each", "array", nil])
  }

  @Test(
    "A bracket ends a tag, and text that looks like one stays as it is",
    arguments: [
      ("in a list", "a: [!uuid]\n", "uuid []"),
      ("in a mapping", "a: {b: !uuid}\n", "uuid {}"),
      ("optional", "a: {b: !uuid?}\n", "uuid? {}"),
      (
        "several on several lines", "a: [!any, {b: !uuid},\n  !string]\nb: [[!each [!any]]]\n",
        "any uuid string each any"
      ),
      ("text in quotes", "a: ['x [!uuid] y', \"{!any}\", !string]\n", "string | x [!uuid] y | {!any}"),
      ("text without quotes", "a: x [!uuid] {!any} y\nb: [!string]\n", "string | x [!uuid] {!any} y"),
      ("text in a block", "a: |-\n  [!uuid]\n  {b: !any}\nb: [!string]\n", "string | [!uuid]\n{b: !any}"),
      ("a comment", "# [!uuid]\na: [!string] # [!any]\n", "string"),
      ("a key", "a [!b]: [!string]\n", "string"),
      ("text after what is not ASCII", "ä: 'ö [!uuid]'\nb: [ü, !string]\n", "string | ö [!uuid] | ü"),
    ])
  func bracketsEndTags(name: String, yaml: String, found: String) throws {
    let reading = YAMLReading(yaml)
    #expect(reading.messages == [])
    var tags: [String] = []
    var texts: [String] = []
    func walk(_ node: YAMLNode) {
      if let tag = node.localTag {
        tags.append(String(tag.text.dropFirst()))
        #expect(tag.range.text == tag.text)
      }
      switch node.content {
      case .scalar(let scalar): if case .text(let text) = scalar.meaning { texts.append(text) }
      case .sequence(let items): items.forEach(walk)
      case .mapping(let members): members.forEach { walk($0.value) }
      }
    }
    walk(try #require(reading.root))
    let expected = found.replacing(" []", with: "").replacing(" {}", with: "")
    #expect(([tags.joined(separator: " ")] + texts).joined(separator: " | ") == expected)
  }

  @Test(
    "A value has one tag; what is meant is said",
    arguments: [
      ("a: !each !uuid\nb: 1\n", "write it in a list: `!each [!uuid]`"),
      ("a: {b: !each !uuid}\n", "write it in a list: `!each [!uuid]`"),
      ("a: [!optional !uuid, 1]\n", "write `!uuid?` alone"),
      ("a: &x 1\nb: !optional *x\n", "write `!is? {equals: *x}`"),
      ("a: [!int]\n", "write `!integer` for what is expected, `!!int` for the type of a value"),
      ("a: [!uuidd]\n", "did you mean `!uuid`?"),
      ("a: [!string??]\n", "did you mean `!string`?"),
      ("a: !optional? 1\n", "did you mean `!optional`?"),
    ])
  func tagMistakes(yaml: String, help: String) {
    #expect(YAMLReading(yaml).diagnostics.map(\.help) == [help])
  }

  @Test func kindsHaveNamesForDiagnostics() throws {
    let root = try #require(
      YAMLReading("[{}, [], a, 1, .inf, null, true, !date 2024-05-01, !!binary aGVsbG8=]").root)
    #expect(
      root.items?.map(\.kindPhrase) == [
        "a mapping", "a list", "text", "a number", "a number", "null", "true or false", "a date", "data",
      ])
  }
}
