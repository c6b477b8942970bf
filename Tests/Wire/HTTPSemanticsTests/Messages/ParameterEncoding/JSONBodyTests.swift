import Foundation
import HTTPSemantics
import Testing
import Values

@Suite("JSON bodies")
struct JSONBodyTests {
  @Test("members stay in their order, numbers as written, slashes and DEL unescaped")
  func standard() {
    let value = Value.mapping(
      Mapping([
        ("z", .number(Number(lexeme: "1.0"))), ("a", .number(Number(lexeme: "1E400"))),
        ("s", .text("a/\"\u{7F}\u{1}ü\u{2028}")), ("n", .null),
      ]))
    #expect(
      jsonBody(value, options: .standard).string
        == "{\"z\":1.0,\"a\":1E400,\"s\":\"a/\\\"\u{7F}\\u0001ü\u{2028}\",\"n\":null}")
  }

  @Test("sorted as JSONEncoder sorts, pretty as JSONEncoder prints", arguments: [JSONLayout.compact, .pretty])
  func asFoundation(_ layout: JSONLayout) throws {
    let names = ["a10", "a2", "B", "a", "Z", "é", "e\u{301}x", "\u{1F600}", "\u{FFFD}", "z", "A", "_", "a/b", ""]
    let encoder = JSONEncoder()
    encoder.outputFormatting = layout == .pretty ? [.sortedKeys, .prettyPrinted] : .sortedKeys
    let foundation = try encoder.encode(
      Dictionary(uniqueKeysWithValues: names.map { ($0, [["x": [Int]()], ["y": [1]]]) }))
    let inner: Value = .list([
      .mapping(Mapping([("x", .list([]))])), .mapping(Mapping([("y", .list([.integer(1)]))])),
    ])
    var options = EncodingOptions.alamofire
    options.json = layout
    let body = jsonBody(.mapping(Mapping(names.map { ($0, inner) })), options: options)
    #expect(body.string == String(decoding: foundation, as: UTF8.self))
  }

  @Test("dates as Foundation writes them")
  func dates() throws {
    let strategies: [(EncodingOptions.DateEncoding, JSONEncoder.DateEncodingStrategy)] = [
      (.iso8601, .iso8601), (.secondsSince1970, .secondsSince1970), (.millisecondsSince1970, .millisecondsSince1970),
      (.secondsSince2001, .deferredToDate),
    ]
    for (encoding, strategy) in strategies {
      for (seconds, nanoseconds) in [(1_714_557_600, 0), (1_714_557_600, 250_000_000), (-1, 0), (0, 0)] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = strategy
        let date = Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9)
        let timestamp = Timestamp(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds))
        #expect(
          jsonBody(.list([.date(timestamp)]), options: EncodingOptions(dateEncoding: encoding)).string
            == String(decoding: try encoder.encode([date]), as: UTF8.self))
      }
    }
  }

  @Test("data as base64, as numbers, a hash as digits")
  func data() {
    let list = Value.list([.data(Bytes([1, 2, 255])), .data(Bytes([0xAB], textForm: .hex))])
    #expect(jsonBody(list, options: .standard).string == #"["AQL/","ab"]"#)
    #expect(jsonBody(list, options: EncodingOptions(dataEncoding: .bytes)).string == "[[1,2,255],[171]]")
  }

  @Test("secrets stay marked through escapes")
  func secrets() {
    let value = Value.mapping(
      Mapping([
        ("p", .text(Text("x\"") + Text(secret: "a\"b") + "y")), ("n", .number(Number(lexeme: "7", isSecret: true))),
      ]))
    let body = jsonBody(value, options: .standard)
    #expect(body.string == #"{"p":"x\"a\"by","n":7}"#)
    #expect(body.masked == #"{"p":"x\"***y","n":***}"#)
  }
}
