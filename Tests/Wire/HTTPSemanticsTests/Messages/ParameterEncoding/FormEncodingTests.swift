import HTTPSemantics
import Testing
import Values

@Suite("Forms")
struct FormEncodingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let value: Value
    var options = EncodingOptions.standard
    let expected: String

    var testDescription: String { name }
  }

  static let one = Value.integer(1)
  static let two = Value.integer(2)
  static func mapping(_ pairs: (String, Value)...) -> Value { .mapping(Mapping(pairs)) }
  static let indexed = EncodingOptions(arrayEncoding: .indexInBrackets)

  static let cases = [
    Case(
      name: "numbers stay as written",
      value: mapping(
        ("a", .number(Number(lexeme: "1.0"))), ("b", .number(Number(lexeme: "12345678901234567890123"))),
        ("c", .number(Number(lexeme: "1E+2")))),
      expected: "a=1.0&b=12345678901234567890123&c=1E%2B2"),
    Case(
      name: "an object stays whole behind a dropped null",
      value: mapping(("a", .list([.null, mapping(("x", one), ("y", two))]))), options: indexed,
      expected: "a%5B0%5D%5Bx%5D=1&a%5B0%5D%5By%5D=2"),
    Case(
      name: "an object stays whole behind an empty list and an empty mapping",
      value: mapping(("a", .list([.list([]), mapping(), mapping(("x", one), ("y", two))]))), options: indexed,
      expected: "a%5B0%5D%5Bx%5D=1&a%5B0%5D%5By%5D=2"),
    Case(
      name: "a list stays whole behind a dropped null",
      value: mapping(("a", .list([.null, .list([one, two])]))), options: indexed,
      expected: "a%5B0%5D%5B0%5D=1&a%5B0%5D%5B1%5D=2"),
    Case(
      name: "data as bytes stays whole behind empty data",
      value: mapping(("a", .list([.data(Bytes([])), .data(Bytes([1, 2]))]))),
      options: EncodingOptions(arrayEncoding: .indexInBrackets, dataEncoding: .bytes),
      expected: "a%5B0%5D%5B0%5D=1&a%5B0%5D%5B1%5D=2"),
    Case(
      name: "nulls in every position, dropped: the others move up",
      value: mapping(("a", .list([.null, one, .null, two, .null])), ("b", .null), ("c", mapping(("d", .null)))),
      options: indexed, expected: "a%5B0%5D=1&a%5B1%5D=2"),
    Case(
      name: "nulls in every position, written",
      value: mapping(("a", .list([.null, one, .null])), ("b", .null), ("c", mapping(("d", .null)))),
      options: EncodingOptions(arrayEncoding: .indexInBrackets, nilEncoding: .null),
      expected: "a%5B0%5D=null&a%5B1%5D=1&a%5B2%5D=null&b=null&c%5Bd%5D=null"),
    Case(
      name: "names that are numbers are names, not places in a list",
      value: mapping(("1", mapping(("0", one), ("7", two)))), expected: "1%5B0%5D=1&1%5B7%5D=2"),
    Case(
      name: "brackets and dots of a name are kept beside those of its path",
      value: mapping(("a.b[c]", mapping(("d]", one), (".", .list([two]))))),
      options: EncodingOptions(keyPathEncoding: .dots), expected: "a.b%5Bc%5D.d%5D=1&a.b%5Bc%5D..=2"),
    Case(
      name: "every ASCII character",
      value: .mapping(Mapping([("a", .text(String(String.UnicodeScalarView((0..<128).map { Unicode.Scalar($0) }))))])),
      expected: "a=%00%01%02%03%04%05%06%07%08%09%0A%0B%0C%0D%0E%0F%10%11%12%13%14%15%16%17%18%19%1A%1B%1C%1D%1E%1F"
        + "%20%21%22%23%24%25%26%27%28%29%2A%2B%2C-./0123456789%3A%3B%3C%3D%3E?%40ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        + "%5B%5C%5D%5E_%60abcdefghijklmnopqrstuvwxyz%7B%7C%7D~%7F"),
    Case(
      name: "empty structures give nothing, not even a separator",
      value: mapping(("a", .list([])), ("b", mapping(("c", .null), ("d", mapping())))), expected: ""),
    Case(
      name: "empty structures between others leave no separator",
      value: mapping(("a", one), ("b", .list([.list([])])), ("c", two)), expected: "a=1&c=2"),
    Case(
      name: "null in a list, kept by its place",
      value: mapping(("a", .list([one, .null, two]))),
      options: EncodingOptions(arrayEncoding: .indexInBrackets, nilEncoding: .dropValue),
      expected: "a%5B0%5D=1&a%5B1%5D=&a%5B2%5D=2"),
    Case(
      name: "sorted, index 10 comes before 2",
      value: mapping(("a", .list((0...10).map { .integer($0) }))),
      options: EncodingOptions(arrayEncoding: .indexInBrackets, sort: true),
      expected: "a%5B0%5D=0&a%5B1%5D=1&a%5B10%5D=10&"
        + (2...9).map { "a%5B\($0)%5D=\($0)" }.joined(separator: "&")),
    Case(
      name: "sorted, a list loses its order", value: mapping(("a", .list([two, one]))),
      options: EncodingOptions(sort: true), expected: "a=1&a=2"),
    Case(
      name: "data as bytes", value: mapping(("a", .data(Bytes([1, 255]))), ("b", .data(Bytes([])))),
      options: EncodingOptions(dataEncoding: .bytes), expected: "a=1&a=255"),
    Case(name: "data as base64", value: mapping(("a", .data(Bytes([251, 255])))), expected: "a=%2B/8%3D"),
    Case(
      name: "a hash as hexadecimal digits", value: mapping(("a", .data(Bytes([0xAB, 1], textForm: .hex)))),
      expected: "a=ab01"),
    Case(
      name: "the key encoding acts on the whole flattened key",
      value: mapping(("userInfo", mapping(("firstName", one)))), options: EncodingOptions(keyEncoding: .snakeCase),
      expected: "user_info%5Bfirst_name%5D=1"),
    Case(
      name: "a capitalized key path keeps its later parts", value: mapping(("user", mapping(("name", one)))),
      options: EncodingOptions(keyEncoding: .capitalized, keyPathEncoding: .dots), expected: "User.name=1"),
    Case(name: "a key that stands twice is sent twice", value: mapping(("a", one), ("a", two)), expected: "a=1&a=2"),
    Case(name: "an empty text", value: mapping(("a", .text(""))), expected: "a="),
    Case(
      name: "a plus is never taken for a space", value: mapping(("a +", .text("+ b"))),
      options: EncodingOptions(spaceEncoding: .plus), expected: "a+%2B=%2B+b"),
    Case(
      name: "milliseconds since 1970", value: mapping(("a", .date(Timestamp(seconds: 1, nanoseconds: 500_000_000)))),
      options: EncodingOptions(dateEncoding: .millisecondsSince1970), expected: "a=1500.0"),
  ]

  @Test("forms", arguments: cases)
  func form(_ item: Case) throws {
    let parameters = try #require(item.value.parameters)
    #expect(URLEncodedFormEncoder(options: item.options).encode(parameters).string == item.expected)
  }

  @Test(
    "words of a key",
    arguments: [
      ("oneTwoThree", "one_two_three"), ("myURLProperty", "my_url_property"), ("URL", "u_rl"), ("aURL", "a_url"),
      ("a", "a"), ("", ""), ("already_snake", "already_snake"), ("aBcDE", "a_bc_de"), ("Ünder", "ünder"),
      ("naïveÉtude", "naïve_étude"), ("one2Two", "one2_two"), ("myID1x", "my_id_1x"),
    ])
  func words(_ key: String, _ expected: String) {
    let options = EncodingOptions(keyEncoding: .snakeCase)
    let text = URLEncodedFormEncoder(options: options).encode(Mapping([(key, .text("v"))]))
    #expect(text.string == percentEncoded(expected, allowed: .formQuery) + "=v")
  }

  @Test("a date of one's own pattern")
  func pattern() throws {
    let options = EncodingOptions(dateEncoding: .formatted(try DatePattern("dd.MM.yyyy HH:mm X", timeZone: "+02:00")))
    let text = URLEncodedFormEncoder(options: options).encode(
      Mapping([("a", .date(Timestamp(seconds: 86_400)))]))
    #expect(text.string == "a=02.01.1970%2002%3A00%20%2B02")
  }

  @Test("secrets stay marked, and nothing else is")
  func secrets() {
    let value = Text("Bearer ") + Text(secret: "a b/ü")
    let parameters = Mapping([
      Mapping.Member(key: "key", value: .text(value)),
      Mapping.Member(key: Text("x") + Text(secret: "y z"), value: .number(Number(lexeme: "42", isSecret: true))),
      Mapping.Member(key: "open", value: .list([.data(Bytes([1, 2], isSecret: true)), .text("shown")])),
      Mapping.Member(key: "when", value: .date(Timestamp(seconds: 0)).tainted),
    ])
    let text = URLEncodedFormEncoder(options: .standard).encode(parameters)
    #expect(
      text.string == "key=Bearer%20a%20b/%C3%BC&xy%20z=42&open=AQI%3D&open=shown"
        + "&when=1970-01-01T00%3A00%3A00Z")
    #expect(text.masked == "key=Bearer%20***&x***=***&open=***&open=shown&when=***")
    let snake = URLEncodedFormEncoder(options: EncodingOptions(keyEncoding: .snakeCase)).encode(parameters)
    #expect(snake.masked.contains("&***=***&"))
  }

  @Test("the order of pairs does not depend on what is secret")
  func sortedSecrets() {
    let parameters = Mapping([("b", .text(Text(secret: "1"))), ("a", .text("2"))])
    let text = URLEncodedFormEncoder(options: EncodingOptions(sort: true)).encode(parameters)
    #expect(text.string == "a=2&b=1")
    #expect(text.masked == "a=2&b=***")
  }
}
