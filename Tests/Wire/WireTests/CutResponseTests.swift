import HTTPSemantics
import TestSupport
import Testing

/// Responses that end after each of their bytes: only the whole one is a success.
@Suite(.timeLimit(.minutes(10)))
struct CutResponseTests {
  struct Response: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var body: String
    /// What comes behind is not missed when the connection closes.
    var isCompleteFrom: Int
    var testDescription: String { name }

    init(_ name: String, _ text: String, _ body: [UInt8], expected: String, unmissed: Int = 0) {
      self.name = name
      bytes = Array(text.utf8) + body
      self.body = expected
      isCompleteFrom = bytes.count - unmissed
    }
  }

  static let answers = [
    Response(
      "a length", "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 5\r\n\r\n", Array("hello".utf8), expected: "hello"),
    Response(
      "chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
      Array("2\r\nhe\r\n3;x\r\nllo\r\n0\r\n\r\n".utf8),
      expected: "hello", unmissed: 1),
    Response(
      "gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 25\r\n\r\n",
      [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 0xFF, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0],
      expected: "hello"),
    Response(
      "an interim response before", "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
      Array("hello".utf8), expected: "hello"),
    Response("until the end", "HTTP/1.1 200 OK\r\nX-A: b\r\n\r\n", Array("hello".utf8), expected: "hello", unmissed: 5),
  ]

  private static let kinds: [TransportError.Kind] = [.reset, .truncated, .invalidResponse]

  @Test("cut or reset after each byte", arguments: answers)
  func curl(_ answer: Response) async throws {
    try await check(.curl, answer, lengths: Array(0...answer.bytes.count))
  }

  #if os(Linux)
    // Each cut inside the headers costs a worker process.
    @Test("cut or reset after some bytes", arguments: answers)
    func worker(_ answer: Response) async throws {
      let lengths =
        Array(stride(from: 0, to: answer.bytes.count, by: 7)) + [answer.bytes.count - 1, answer.bytes.count]
      try await check(.worker, answer, lengths: lengths)
    }
  #endif

  private func check(_ kind: TransportUnderTest, _ answer: Response, lengths: [Int]) async throws {
    var steps: [String: [FaultScript.Step]] = [:]
    for length in lengths {
      steps["/close\(length)"] = [.send(Array(answer.bytes.prefix(length))), .close]
      steps["/reset\(length)"] = [.send(Array(answer.bytes.prefix(length))), .wait(.milliseconds(2)), .reset]
    }
    let server = try FaultServer.start(FaultScript(steps))
    defer { server.stop() }
    let transport = kind.make()
    for length in lengths {
      for ending in ["close", "reset"] {
        let sink = CollectingSink()
        let error = await transport.failure(WireRequest(.get, server, "/\(ending)\(length)"), into: sink)
        let isWhole = length == answer.bytes.count
        let mayPass = isWhole || length >= answer.isCompleteFrom && ending == "close"
        #expect(error != nil || mayPass, "\(ending) after \(length) of \(answer.bytes.count): \(sink.text)")
        if isWhole, ending == "close" {
          #expect(error == nil)
          #expect(sink.text == answer.body)
        }
        #expect(answer.body.hasPrefix(sink.text))
        guard let error else { continue }
        let isExpected = Self.kinds.contains(error.kind) || kind != .curl && error.kind == .workerEnded
        #expect(isExpected, "\(ending) after \(length): \(error)")
      }
    }
  }
}
