import DocumentQueries
import Foundation
import TestSupport
import Testing

private struct Expectation: Decodable {
  struct Event: Decodable, Equatable {
    let event: String
    let data: String
    let id: String
  }

  let connection_accepted: Bool
  let events: [Event]
  let reconnection_time_ms: Int?
  let last_event_id: String?
}

private struct ConformanceCase: Decodable {
  let name: String
  let content_type: String
  let chunks: [String]
  let expect: Expectation
}

@Suite("Server-sent events")
struct ServerSentEventTests {
  @Test(
    "WHATWG's streams, wherever their chunks end",
    .enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE is not set"))
  func conformance() throws {
    let root = try #require(conformanceRoot)
    let data = try Data(contentsOf: URL(fileURLWithPath: root + "/sse/cases.json"))
    let cases = try JSONDecoder().decode([ConformanceCase].self, from: data)
    for test in cases {
      #expect(isEventStream(contentType: test.content_type) == test.expect.connection_accepted, "\(test.name)")
      guard test.expect.connection_accepted else { continue }
      let chunks = test.chunks.map { Array($0.utf8) }
      let whole = chunks.flatMap { $0 }
      try check(test, chunks)
      for size in [1, 2, 3, 4, 5, 7, 16, max(1, whole.count)] { try check(test, cut(whole, into: size)) }
      // Every place where a stream can be cut in two, with nothing between.
      for place in 0...min(whole.count, 400) {
        try check(test, [Array(whole[..<place]), [], Array(whole[place...])])
      }
    }
    #expect(cases.count >= 47)
  }

  private func check(_ test: ConformanceCase, _ chunks: [[UInt8]]) throws {
    var reader = EventReader(.sse)
    let found = try events(&reader, chunks).map {
      Expectation.Event(event: $0.type ?? "", data: $0.data, id: $0.id ?? "")
    }
    let comment: Comment = "\(test.name) in chunks of \(chunks.map(\.count))"
    #expect(found == test.expect.events, comment)
    #expect(reader.reconnectionTime == test.expect.reconnection_time_ms.map { .milliseconds($0) }, comment)
    #expect(reader.lastEventID == test.expect.last_event_id, comment)
  }

  @Test(
    "Content types",
    arguments: [
      ("text/event-stream", true), ("Text/Event-Stream", true), (" text/event-stream ; charset=utf-8", true),
      ("text/event-stream;", true), ("text/event-streams", false), ("text/event", false), ("", false),
    ])
  func contentTypes(type: String, isAccepted: Bool) {
    #expect(isEventStream(contentType: type) == isAccepted)
    #expect(!isEventStream(contentType: nil))
  }

  @Test("An event comes with the end of its block, not with the next chunk")
  func promptness() throws {
    var reader = EventReader(.sse)
    #expect(try events(&reader, [Array("data: a\r\r".utf8)], ends: false).map(\.data) == ["a"])
    #expect(try events(&reader, [Array("\ndata: b\n\n".utf8)], ends: false).map(\.data) == ["b"])
    #expect(try events(&reader, [Array("data: c\r\n\r".utf8)], ends: false).map(\.data) == ["c"])
    #expect(try events(&reader, [Array("\n".utf8), Array("data: d\n".utf8)], ends: false).isEmpty)
    #expect(try events(&reader, [], ends: true).isEmpty)
  }

  @Test("What is not UTF-8 is replaced, also where a chunk cuts it")
  func replacement() throws {
    let bytes = Array("data: a".utf8) + [0xFF, 0xE2, 0x82] + Array("b\n\n".utf8)
    for size in 1...bytes.count {
      #expect(try events(.sse, cut(bytes, into: size)).map(\.data) == ["a\u{FFFD}\u{FFFD}b"])
    }
  }

  @Test("A new connection keeps the last event ID, and drops what was incomplete")
  func reconnection() throws {
    var reader = EventReader(.sse)
    _ = try events(&reader, [Array("retry: 5\nid: 7\ndata: a\n\nid: 8\ndata: b\n".utf8)], ends: false)
    #expect(reader.lastEventID == "7")
    reader.restart()
    let next = try events(&reader, [Array("\u{FEFF}data: c\n\n".utf8)], ends: false)
    #expect(next == [StreamEvent(type: "message", id: "7", data: "c")])
    #expect(reader.reconnectionTime == .milliseconds(5))
  }

  @Test("Nothing is handed out once it is enough")
  func stopping() throws {
    var reader = EventReader(.sse)
    var count = 0
    let goesOn = try push(Array("data: a\n\ndata: b\n\ndata: c\n\n".utf8), to: &reader) { _ in
      count += 1
      return count < 2
    }
    #expect(!goesOn)
    #expect(count == 2)
  }

  @Test("A retry time that no one waits for is cut, one that is not a number is let pass")
  func retryTimes() throws {
    var reader = EventReader(.sse)
    _ = try events(&reader, [Array("retry: 99999999999999999999999999\n\n".utf8)])
    #expect(reader.reconnectionTime == .milliseconds(1 << 40))
    _ = try events(&reader, [Array("retry: 10\nretry: -1\nretry: +1\nretry: 1 \n\n".utf8)])
    #expect(reader.reconnectionTime == .milliseconds(10))
  }

  @Test(
    "An event without an end is an error, as a line and as data",
    arguments: ["data: " + String(repeating: "x", count: 64), String(repeating: "data: 12345678\n", count: 8)])
  func limit(text: String) throws {
    for size in [1, 7, 1000] {
      #expect(throws: EventStreamError.tooLarge(limit: 32)) {
        try events(.sse, cut(Array(text.utf8), into: size), limit: 32)
      }
    }
    let atLimit = "data: " + String(repeating: "x", count: 26) + "\n\n"
    #expect(try events(.sse, [Array(atLimit.utf8)], limit: 32).count == 1)
  }

  @Test("A long event in small chunks takes time by its length alone")
  func linearity() throws {
    let growth = try growth(to: 8 << 20) { count in
      let bytes = Array(("data: " + String(repeating: "x", count: count) + "\n\n").utf8)
      let found = try events(.sse, cut(bytes, into: 4096))
      #expect(found.first?.data.utf8.count == count)
    }
    #expect(growth < 1.5)
  }
}
