import DocumentQueries
import ReqrunKit
import Synchronization

/// Messages of JSON-RPC 2.0 over a pair of streams.
package final class MessageConnection: Sendable {
  /// A form in which messages follow each other.
  package enum Framing: Sendable {
    /// Each behind its `Content-Length` (LSP 3.17, "Base Protocol").
    case header
    /// One in each line (MCP, "stdio").
    case lines
  }

  private struct BadFrame: Error {}

  private static let sizeLimit = 64 << 20
  private let framing: Framing
  private let writing = Mutex(())
  private let cancelled = Mutex<Set<JSONValue>>([])
  private let write: @Sendable ([UInt8]) -> Void

  package init(_ framing: Framing, write: @escaping @Sendable ([UInt8]) -> Void) {
    (self.framing, self.write) = (framing, write)
  }

  /// Receives messages until the client is gone, or sends what isn't framed as a message.
  ///
  /// - Parameter read: the next bytes; none at the end.
  package func receive(from read: () -> [UInt8], _ take: (Message) -> Void) {
    var buffer: [UInt8] = []
    while true {
      let piece = read()
      if piece.isEmpty { return }
      // A long message is searched for its end once.
      var searched = buffer.count
      buffer += piece
      var used = 0
      do throws(BadFrame) {
        while let body = try firstBody(of: buffer[used...], searched: searched) {
          (used, searched) = (body.endIndex, body.endIndex)
          receive(body, take)
        }
      } catch {
        return
      }
      buffer.removeFirst(used)
      if buffer.count > MessageConnection.sizeLimit { return }
    }
  }

  private func receive(_ body: ArraySlice<UInt8>, _ take: (Message) -> Void) {
    if framing == .lines, body.allSatisfy({ $0 <= 0x20 }) { return }
    guard let json = (try? JSONDocument(parsing: Array(body))).map({ JSONValue($0.root.value) }) else {
      return respond(.null, .failure(.notJSON))
    }
    // MCP 2025-03-26 has batches.
    let messages = if case .array(let batch) = json, !batch.isEmpty { batch } else { [json] }
    for json in messages {
      if let message = Message(json) {
        // Also taken: a run in progress ends by it.
        if message.method == "$/cancelRequest" { cancel(message.params["id"]) }
        take(message)
      } else if json["result"] == nil, json["error"] == nil {
        respond(json["id"] ?? .null, .failure(.notMessage))
      }
    }
  }

  private func cancel(_ id: JSONValue?) {
    guard let id else { return }
    cancelled.withLock { ids in
      // Those of requests that had their responses already.
      if ids.count > 1000 { ids = [] }
      ids.insert(id)
    }
  }

  /// The first message in a buffer; nil while it is incomplete.
  ///
  /// - Parameter searched: the index before which no message ends.
  private func firstBody(of buffer: ArraySlice<UInt8>, searched: Int) throws(BadFrame) -> ArraySlice<UInt8>? {
    switch framing {
    case .lines: return buffer[searched...].firstIndex(of: 0x0A).map { buffer[...$0] }
    case .header:
      guard let head = MessageConnection.head(of: buffer) else { return nil }
      guard let length = head.length, length <= MessageConnection.sizeLimit else { throw BadFrame() }
      return buffer.endIndex - head.end < length ? nil : buffer[head.end..<head.end + length]
    }
  }

  /// The end of a message's header, and the length that it gives; nil while the header is incomplete.
  private static func head(of buffer: ArraySlice<UInt8>) -> (end: Int, length: Int?)? {
    let start = buffer.prefix(4096)
    guard let end = start.indices.dropLast(3).first(where: { start[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) }) else {
      return buffer.count > 4096 ? (buffer.startIndex, nil) : nil
    }
    let lines = String(decoding: start[..<end], as: UTF8.self).split(whereSeparator: \.isNewline)
    let field = lines.first { $0.lowercased().hasPrefix("content-length:") }
    let length = field.flatMap { Int($0.dropFirst(15).filter { !$0.isWhitespace }) }
    return (end + 4, length.flatMap { $0 >= 0 ? $0 : nil })
  }

  /// Returns whether the client doesn't want the result of a request any more.
  package func isCancelled(_ id: JSONValue) -> Bool { cancelled.withLock { $0.contains(id) } }

  package func respond(_ id: JSONValue, _ result: Result<JSONValue, ResponseError>) {
    cancelled.withLock { _ = $0.remove(id) }
    switch result {
    case .success(let value): send(["jsonrpc": "2.0", "id": id, "result": value])
    case .failure(let error):
      let error: JSONValue = ["code": .number(String(error.code)), "message": .string(error.message)]
      send(["jsonrpc": "2.0", "id": id, "error": error])
    }
  }

  package func notify(_ method: String, _ params: JSONValue) {
    send(["jsonrpc": "2.0", "method": .string(method), "params": params])
  }

  private func send(_ message: JSONValue) {
    let body = Array(message.description.utf8)
    let frame =
      switch framing {
      case .header: Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
      case .lines: body + [0x0A]
      }
    writing.withLock { _ in write(frame) }
  }
}
