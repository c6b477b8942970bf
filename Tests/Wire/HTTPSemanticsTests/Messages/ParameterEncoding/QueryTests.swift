import HTTPSemantics
import Testing
import Values

@Suite("Queries and destinations")
struct QueryTests {
  @Test(
    "a query is appended to what the URL has, before its fragment",
    arguments: [
      ("http://h/p", "a=1", "http://h/p?a=1"), ("http://h", "a=1", "http://h?a=1"),
      ("http://h/p?x=1", "a=1", "http://h/p?x=1&a=1"), ("http://h/p?x=1#f", "a=1", "http://h/p?x=1&a=1#f"),
      ("http://h/p#f?x", "a=1", "http://h/p?a=1#f?x"), ("http://h/p?x=1", "", "http://h/p?x=1"),
      ("http://h/p#f", "", "http://h/p#f"), ("/p", "a=1", "/p?a=1"),
      ("http://h/p?x=%5B#ü", "ü=1", "http://h/p?x=%5B&ü=1#ü"),
    ])
  func appending(_ url: String, _ query: String, _ expected: String) {
    #expect(appendingQuery(Text(query), to: Text(url)).string == expected)
  }

  @Test("secrets of URL and query stay marked where they move")
  func secrets() {
    let url = Text("http://h/") + Text(secret: "päth") + "?x=" + Text(secret: "1") + "#" + Text(secret: "ü")
    let result = appendingQuery(Text("a=") + Text(secret: "2"), to: url)
    #expect(result.string == "http://h/päth?x=1&a=2#ü")
    #expect(result.masked == "http://h/***?x=***&a=***#***")
  }

  @Test("characters that may stand in each place")
  func allowed() {
    let all = String((0x20..<0x7F).map { Character(Unicode.Scalar($0)) })
    func kept(_ allowed: AllowedCharacters) -> String {
      String(all.filter { allowed.contains($0.asciiValue ?? 0) })
    }
    let alphanumerics = all.filter { $0.isLetter || $0.isNumber }
    #expect(Set(kept(.unreserved)) == Set(alphanumerics + "-._~"))
    #expect(Set(kept(.formQuery)) == Set(alphanumerics + "-._~/?"))
    #expect(Set(kept(.pathSegment)) == Set(alphanumerics + "-._~!$&'()*+,;=:@"))
    #expect(percentEncoded("a/b c\u{7F}ü%", allowed: .unreserved) == "a%2Fb%20c%7F%C3%BC%25")
    #expect(percentEncoded(Text("a/") + Text(secret: "ü"), allowed: .unreserved).masked == "a%2F***")
  }

  @Test("JSON goes into the body by every method")
  func json() throws {
    let options = EncodingOptions(format: .json)
    let encoded = try encode(parameters: Mapping([("a", .null)]), method: "GET", options: options)
    #expect(encoded == EncodedParameters(body: #"{"a":null}"#, contentType: "application/json"))
  }

  @Test("JSON in the query is refused")
  func jsonInQuery() {
    let error = #expect(throws: ParameterEncodingError.self) {
      try encode(parameters: Mapping(), method: "GET", options: EncodingOptions(format: .json, destination: .query))
    }
    #expect(error?.message.contains("destination: query") == true)
  }
}
