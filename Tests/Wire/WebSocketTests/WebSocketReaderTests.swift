import Testing
import TestSupport
import WebSocket

/// Reads bytes in pieces of a size.
func messages(
  _ bytes: [UInt8], _ reader: inout WebSocketReader, size: Int = .max
) throws(WebSocketError) -> [WebSocketMessage] {
  var found: [WebSocketMessage] = []
  try read(bytes, &reader, size: size, into: &found)
  return found
}

private func read(
  _ bytes: [UInt8], _ reader: inout WebSocketReader, size: Int, into found: inout [WebSocketMessage]
) throws(WebSocketError) {
  var rest = bytes[...]
  repeat {
    let piece = Array(rest.prefix(size))
    rest = rest.dropFirst(piece.count)
    var result = Result<Bool, WebSocketError>.success(true)
    piece.withUnsafeBytes { piece in
      do throws(WebSocketError) {
        result = .success(
          try reader.read(piece) {
            found.append($0)
            return true
          })
      } catch {
        result = .failure(error)
      }
    }
    if try !result.get() { return }
  } while !rest.isEmpty
}

@Suite("Frames of WebSockets")
struct WebSocketReaderTests {
  @Test("Allowed frames are read, whole and cut at every byte", arguments: allowedFrames + allowedCompressedFrames)
  func allowed(_ example: ReadCase) throws {
    for size in [.max] + Array(1...example.bytes.count) {
      var reader = WebSocketReader(as: example.role, decompresses: example.isCompressed)
      #expect(try messages(example.bytes, &reader, size: size) == example.messages, "in pieces of \(size)")
    }
  }

  @Test(
    "Forbidden frames are an error with its section and its close code, however they are cut",
    arguments: forbiddenFrames + forbiddenCompressedFrames)
  func forbidden(_ example: ReadCase) throws {
    let violation = try #require(example.violation)
    for size in [.max] + Array(1...example.bytes.count) {
      var reader = WebSocketReader(as: example.role, decompresses: example.isCompressed)
      var found: [WebSocketMessage] = []
      let error = #expect(throws: WebSocketError.self) {
        try read(example.bytes, &reader, size: size, into: &found)
      }
      #expect(error?.section.hasSuffix(", section \(violation.section)") == true, "in pieces of \(size)")
      #expect(error?.closeCode == violation.code)
      #expect(found == example.messages)
    }
  }

  @Test("The codes that can be sent are read", arguments: closeCodes)
  func closeCode(_ code: Int) throws {
    var reader = WebSocketReader(as: .client)
    let bytes = [0x88, 2, UInt8(code >> 8), UInt8(code & 0xFF)]
    #expect(try messages(bytes, &reader) == [.close(code: code, reason: "")])
    #expect(reader.isClosed)
    try reader.finish()
  }

  @Test("A message at the limit is read, and one above it is an error before its payload arrives")
  func limit() throws {
    var reader = WebSocketReader(as: .client, limit: 4)
    #expect(try messages(frame(0x82, [1, 2, 3, 4]), &reader) == [.data([1, 2, 3, 4])])
    #expect(try messages(frame(0x02, [1, 2]) + frame(0x80, [3, 4]), &reader) == [.data([1, 2, 3, 4])])
    #expect(try messages(frame(0x89, "a ping has a limit of its own"), &reader).count == 1)
    var error = #expect(throws: WebSocketError.self) { try messages([0x82, 5], &reader) }
    #expect(error?.closeCode == 1009)
    reader = WebSocketReader(as: .client, limit: 4)
    error = #expect(throws: WebSocketError.self) { try messages(frame(0x02, [1, 2]) + [0x00, 3], &reader) }
    #expect(error?.message == "a message has more than 4 bytes")
  }

  @Test("Reading ends when nothing more is wanted")
  func early() throws {
    var reader = WebSocketReader(as: .client)
    var count = 0
    let goesOn = try (frame(0x81, "a") + frame(0x81, "b")).withUnsafeBytes { bytes in
      try reader.read(bytes) { _ in
        count += 1
        return false
      }
    }
    #expect(!goesOn && count == 1)
  }

  @Test(
    "The end of a connection without a close frame is an error",
    arguments: [
      ([], "the connection ended without a close frame"),
      (frame(0x81, "x"), "the connection ended without a close frame"),
      ([0x81], "the connection ended within a message"),
      ([0x81, 2, 0x61], "the connection ended within a message"),
      (frame(0x01, "x"), "the connection ended within a message"),
    ] as [([UInt8], String)])
  func abnormalEnd(_ bytes: [UInt8], _ message: String) throws {
    var reader = WebSocketReader(as: .client)
    _ = try messages(bytes, &reader)
    let error = #expect(throws: WebSocketError.self) { try reader.finish() }
    #expect(error?.message == message)
    #expect(error?.closeCode == nil)
  }

  @Test(
    "Many tiny frames take time by their number alone",
    arguments: [
      ("messages", frame(0x81), []), ("fragments", frame(0x00), frame(0x01)), ("bytes", frame(0x00, "x"), frame(0x02)),
      ("pings", frame(0x89, "x"), []),
    ] as [(String, [UInt8], [UInt8])])
  func linearity(_ name: String, _ frame: [UInt8], _ start: [UInt8]) throws {
    let growth = try growth(to: 200_000) { count in
      var reader = WebSocketReader(as: .client)
      _ = try messages(start + Array(repeatElement(frame, count: count).joined()), &reader, size: 4096)
    }
    #expect(growth < 1.5)
  }
}
