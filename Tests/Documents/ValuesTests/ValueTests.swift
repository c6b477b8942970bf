import Testing
import Values

@Suite("Values")
struct ValueTests {
  @Test("mappings are equal without regard to order, members that stand twice included")
  func mappingEquality() {
    let one = Value.integer(1)
    let two = Value.integer(2)
    #expect(Mapping([("a", one), ("b", two)]) == Mapping([("b", two), ("a", one)]))
    #expect(
      Mapping([("a", one), ("b", two)]).hashValue
        == Mapping([("b", two), ("a", .number(Number(lexeme: "1.0")))]).hashValue)
    #expect(Mapping([("a", one)]).hashValue != Mapping([("a", two)]).hashValue)
    #expect(Mapping([("a", one), ("a", two)]) == Mapping([("a", one), ("a", two)]))
    #expect(Mapping([("a", one), ("b", one), ("a", two)]) == Mapping([("a", one), ("a", two), ("b", one)]))
    #expect(Mapping([("a", one), ("a", two)]) != Mapping([("a", two), ("a", two)]))
    #expect(Mapping([("a", one), ("b", two)]) != Mapping([("a", one), ("a", two)]))
    #expect(Mapping([("a", one), ("a", two)]) != Mapping([("a", one), ("b", two)]))
    #expect(Mapping([("a", one)]) != Mapping([("a", one), ("b", two)]))
    #expect(Mapping([("a", .null)]) != Mapping([("b", .null)]))
    #expect(Mapping([("\u{E9}", one)]) != Mapping([("e\u{301}", one)]))
    #expect(Mapping([("\u{E9}", one), ("x", one)]) != Mapping([("x", one), ("e\u{301}", one)]))
  }

  @Test("a name finds its last member, setting replaces in place")
  func lookup() {
    var mapping = Mapping([("a", .integer(1)), ("b", .integer(2)), ("a", .integer(3))])
    #expect(mapping["a"] == .integer(3))
    #expect(mapping["c"] == nil)
    mapping["a"] = .integer(4)
    mapping["c"] = .integer(5)
    mapping["b"] = nil
    #expect(mapping.keys == ["a", "a", "c"])
    #expect(mapping["a"] == .integer(4))
    #expect(Mapping([("\u{E9}", .null)])["e\u{301}"] == nil)
  }

  @Test("kinds are never equal to each other")
  func kinds() {
    let values: [Value] = [
      .null, .bool(false), .integer(0), .text("0"), .text(""), .date(Timestamp(seconds: 0)), .data(Bytes([])),
      .list([]),
      .mapping(Mapping()),
    ]
    for i in values.indices {
      for j in values.indices { #expect((values[i] == values[j]) == (i == j)) }
    }
    #expect(Value.list([.integer(1)]) == .list([.number(Number(lexeme: "1.0"))]))
    #expect(Value.list([.integer(1), .integer(2)]) != .list([.integer(2), .integer(1)]))
  }

  @Test("as text: numbers as written, a hash as hexadecimal digits, JSON for structures")
  func asText() {
    #expect(Value.null.asText == "null")
    #expect(Value.number(Number(lexeme: "1.50")).asText == "1.50")
    #expect(Value.data(Bytes([255, 0])).asText == "/wA=")
    #expect(Value.data(Bytes([255, 0], textForm: .hex)).asText == "ff00")
    #expect(Value.list([.bool(true), .text("a\"")]).asText == #"[true,"a\""]"#)
  }

  @Test("JSON text, compact and pretty")
  func jsonText() {
    let value = Value.mapping(
      Mapping([
        ("b", .list([.integer(1), .list([]), .mapping(Mapping())])),
        ("a", .text("\u{0}\u{8}\t\n\u{C}\r\u{1F}\u{7F}\\/ü\u{1F600}")),
      ]))
    #expect(
      value.jsonText().string
        == #"{"b":[1,[],{}],"a":"\u0000\b\t\n\f\r\u001f\u007f\\/ü"# + "\u{1F600}\"}")
    #expect(
      Value.mapping(Mapping([("b", .list([.integer(1), .list([])])), ("c", .mapping(Mapping()))])).jsonText(.pretty)
        .string
        == "{\n  \"b\": [\n    1,\n    []\n  ],\n  \"c\": {}\n}")
  }

  @Test("secrets stay marked in JSON text, and taint reaches every leaf")
  func taint() {
    let value = Value.mapping(
      Mapping([
        ("a", .text(Text("x") + Text(secret: "\"s\""))), ("b", .integer(1)), ("c", .list([.data(Bytes([1])), .null])),
        ("d", .date(Timestamp(seconds: 0))),
      ]))
    #expect(value.isSecret)
    #expect(value.jsonText().masked == #"{"a":"x***","b":1,"c":["AQ==",null],"d":"1970-01-01T00:00:00Z"}"#)
    #expect(value.tainted.jsonText().masked == #"{"a":"***","b":***,"c":["***",null],"d":"***"}"#)
    #expect(!Value.list([.null, .bool(true)]).tainted.isSecret)
    #expect(value == value.tainted)
  }

  @Test("base64 and hexadecimal digits")
  func bytes() {
    #expect(hexEncoded([0, 15, 255]) == "000fff")
    #expect(base64Encoded([1, 2]) == "AQI=")
    #expect(base64Decoded("A Q\nI=") == [1, 2])
    #expect(base64Decoded("AQI") == nil)
    #expect(base64Decoded("A*==") == nil)
    #expect(base64Decoded("") == [])
  }
}
