import HTTPSemantics
import Testing
import Values

@Suite("Options and their words")
struct EncodingOptionsTests {
  @Test("the words are those of the file format, the default first")
  func words() {
    func words<Option: CaseIterable & RawRepresentable<String>>(_ type: Option.Type) -> [String] {
      type.allCases.map(\.rawValue)
    }
    #expect(words(EncodingOptions.Format.self) == ["form", "json"])
    #expect(words(EncodingOptions.Destination.self) == ["method_dependent", "query", "body"])
    #expect(words(EncodingOptions.ArrayEncoding.self) == ["no_brackets", "brackets", "index_in_brackets"])
    #expect(words(EncodingOptions.BoolEncoding.self) == ["literal", "numeric"])
    #expect(words(EncodingOptions.DataEncoding.self) == ["base64", "bytes"])
    #expect(
      words(EncodingOptions.KeyEncoding.self)
        == ["unchanged", "snake_case", "kebab_case", "capitalized", "uppercased", "lowercased"])
    #expect(words(EncodingOptions.KeyPathEncoding.self) == ["brackets", "dots"])
    #expect(words(EncodingOptions.NilEncoding.self) == ["drop_key", "drop_value", "null"])
    #expect(words(EncodingOptions.SpaceEncoding.self) == ["percent", "plus"])
    #expect(words(JSONLayout.self) == ["compact", "pretty"])
    #expect(
      EncodingOptions.DateEncoding.words
        == ["iso8601", "seconds_since_1970", "milliseconds_since_1970", "seconds_since_2001"])
    #expect(EncodingOptions.DateEncoding(rawValue: "seconds_since_2001") == .secondsSince2001)
    #expect(EncodingOptions.DateEncoding(rawValue: "unix") == nil)
  }

  @Test("the defaults: as written and literal, or Alamofire's")
  func defaults() {
    let parameters = Mapping([
      ("b", .bool(true)), ("a", .date(Timestamp(seconds: 978_307_323))), ("u", .text("a/b")),
    ])
    func form(_ options: EncodingOptions) -> String {
      URLEncodedFormEncoder(options: options).encode(parameters).string
    }
    func json(_ options: EncodingOptions) -> String { jsonBody(.mapping(parameters), options: options).string }
    #expect(form(.standard) == "b=true&a=2001-01-01T00%3A02%3A03Z&u=a/b")
    #expect(form(.alamofire) == "a=123.0&b=1&u=a/b")
    #expect(json(.standard) == #"{"b":true,"a":"2001-01-01T00:02:03Z","u":"a/b"}"#)
    #expect(json(.alamofire) == #"{"a":123,"b":true,"u":"a\/b"}"#)
  }
}
