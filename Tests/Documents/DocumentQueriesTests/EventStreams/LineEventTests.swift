import DocumentQueries
import Testing

@Suite("Lines as events, and events as JSON")
struct LineEventTests {
  @Test(
    "Lines of text",
    arguments: [
      ("a\nb\n", ["a", "b"]), ("a\r\nb", ["a", "b"]), ("\n\na\n", ["", "", "a"]), ("a\rb\n", ["a\rb"]), ("", []),
      ("\u{FEFF}a\n\u{FEFF}b\n", ["a", "\u{FEFF}b"]), ("42\n", ["42"]),
    ])
  func text(stream: String, lines: [String]) throws {
    for size in [1, 2, 3, 100] {
      let found = try events(.text, cut(Array(stream.utf8), into: size))
      #expect(found.map(\.data) == lines)
      #expect(found.allSatisfy { !$0.isJSON && $0.type == nil && $0.id == nil })
    }
  }

  @Test("A last line without its end is an event only where the stream ends")
  func lastLine() throws {
    #expect(try events(.text, [Array("a\nb".utf8)], ends: false).map(\.data) == ["a"])
    #expect(try events(.ndjson, [Array("1\n2".utf8)], ends: true).map(\.data) == ["1", "2"])
  }

  @Test("NDJSON is a value in each line; empty lines keep the connection alive")
  func values() throws {
    let found = try events(.ndjson, cut(Array("{\"a\": 1}\n\n \t\r\n[1.0]\r\n\"x\"\n".utf8), into: 3))
    #expect(found.map(\.data) == ["{\"a\": 1}", "[1.0]", "\"x\""])
    #expect(found.allSatisfy { $0.isJSON })
  }

  @Test("A line that is not JSON is an error with its number, and ends the stream")
  func malformed() throws {
    var seen: [String] = []
    var reader = EventReader(.ndjson)
    #expect {
      _ = try push(Array("1\n\n{\"a\": }\n4\n".utf8), to: &reader) { event in
        seen.append(event.data)
        return true
      }
    } throws: { error in
      guard case .notJSON(3, 7, _, "{\"a\": }")? = error as? EventStreamError else { return false }
      return true
    }
    #expect(seen == ["1"])
    #expect(throws: EventStreamError.self) { try events(.ndjson, [[0x22, 0xFF, 0x22, 0x0A]]) }
  }

  @Test(
    "Data that is JSON stands in the event as written, any other data as text alone",
    arguments: [
      ("{\"n\": 1.50}", true), ("  [1]\n", true), ("\"a\"", true), ("-1", true), ("null", true), ("\u{FEFF}7", true),
      ("", false), ("hello", false), ("1],[2", false), ("{", false), ("nul", false), ("[DONE]", false), ("+1", false),
      ("a\u{0}\"\\\u{7F}\u{2028}", false),
    ])
  func documents(data: String, isJSON: Bool) throws {
    let lines = data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }.joined()
    let event = try #require(try events(.sse, [Array("id: 1\n\(lines)\n".utf8)]).first)
    #expect(event.isJSON == isJSON)
    let document = try JSONDocument(parsing: Array("[".utf8) + event.jsonText + Array("]".utf8))
    let object = document.root.firstChild
    #expect(object.members.map(\.key) == ["event", "id", "data"] + (isJSON ? ["json"] : []))
    #expect(object[member: "data"]?.string == data)
    if isJSON {
      let written = try JSONDocument(parsing: data).root.text
      #expect(object[member: "json"]?.text == written)
    }
  }

  @Test("JSON that nests too deep to stand in a list of events is text")
  func depth() throws {
    func nested(_ depth: Int) throws -> StreamEvent? {
      let data = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return try events(.sse, [Array("data: \(data)\n\n".utf8)]).first
    }
    let deepest = try #require(try nested(JSONDocument.depthLimit - 2))
    #expect(deepest.isJSON)
    _ = try JSONDocument(parsing: Array("[".utf8) + deepest.jsonText + Array("]".utf8))
    #expect(try nested(JSONDocument.depthLimit - 1)?.isJSON == false)
    #expect(try nested(JSONDocument.depthLimit + 9)?.isJSON == false)
  }
}
