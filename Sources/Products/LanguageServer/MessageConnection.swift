import DocumentQueries
import LibC
import OperatingSystem
import ReqrunKit
import Synchronization

/// A request or a notification of the client (JSON-RPC 2.0).
struct Message: Sendable {
  /// Nil for a notification.
  let id: JSONValue?
  let method: String
  let params: JSONValue

  /// Nil for the response to a request of the server.
  init?(_ json: JSONValue) {
    guard let method = json["method"]?.stringValue else { return nil }
    (id, self.method, params) = (json["id"], method, json["params"] ?? .null)
  }
}

/// The reason why a request has no result.
struct ResponseError: Error {
  let code: Int
  let message: String

  static let notInitialized = ResponseError(code: -32002, message: "the server is not initialized")
  static let cancelled = ResponseError(code: -32800, message: "the request was cancelled")
  static func unknown(_ method: String) -> ResponseError {
    ResponseError(code: -32601, message: "there is no method \(method)")
  }
  static func invalid(_ message: String) -> ResponseError { ResponseError(code: -32602, message: message) }
  static func failed(_ message: String) -> ResponseError { ResponseError(code: -32803, message: message) }
}

/// Messages over standard input and output, each behind its `Content-Length` (LSP 3.17, "Base Protocol").
final class MessageConnection: Sendable {
  private static let sizeLimit = 64 << 20
  private let writing = Mutex(())
  private let cancelled = Mutex<Set<JSONValue>>([])
  private let write: @Sendable ([UInt8]) -> Void

  init(write: @escaping @Sendable ([UInt8]) -> Void) { self.write = write }

  /// Receives messages until the client is gone, or sends what isn't a message; then true or false.
  ///
  /// - Parameter read: the next bytes; none at the end.
  func receive(from read: () -> [UInt8], _ take: (Message) -> Void) -> Bool {
    var buffer: [UInt8] = []
    while true {
      let piece = read()
      if piece.isEmpty { return buffer.isEmpty }
      buffer += piece
      while let head = MessageConnection.head(of: buffer) {
        guard let length = head.length, length <= MessageConnection.sizeLimit else { return false }
        guard buffer.count - head.end >= length else { break }
        let body = Array(buffer[head.end..<head.end + length])
        buffer.removeFirst(head.end + length)
        guard let json = (try? JSONDocument(parsing: body)).map({ JSONValue($0.root.value) }) else {
          respond(.null, .failure(ResponseError(code: -32700, message: "this is not JSON")))
          continue
        }
        guard let message = Message(json) else { continue }
        if message.method == "$/cancelRequest" {
          if let id = message.params["id"] { _ = cancelled.withLock { $0.insert(id) } }
        } else {
          take(message)
        }
      }
      if buffer.count > MessageConnection.sizeLimit * 2 { return false }
    }
  }

  /// The end of a message's header, and the length that it gives; nil while the header is incomplete.
  private static func head(of buffer: [UInt8]) -> (end: Int, length: Int?)? {
    let limit = min(buffer.count, 4096)
    guard let end = (0..<max(0, limit - 3)).first(where: { buffer[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) }) else {
      return buffer.count > 4096 ? (0, nil) : nil
    }
    let lines = String(decoding: buffer[..<end], as: UTF8.self).split(whereSeparator: \.isNewline)
    let field = lines.first { $0.lowercased().hasPrefix("content-length:") }
    let length = field.flatMap { Int($0.dropFirst(15).filter { !$0.isWhitespace }) }
    return (end + 4, length.flatMap { $0 >= 0 ? $0 : nil })
  }

  /// Returns whether the client doesn't want the result of a request any more.
  func isCancelled(_ id: JSONValue) -> Bool { cancelled.withLock { $0.contains(id) } }

  func respond(_ id: JSONValue, _ result: Result<JSONValue, ResponseError>) {
    cancelled.withLock { _ = $0.remove(id) }
    switch result {
    case .success(let value): send(["jsonrpc": "2.0", "id": id, "result": value])
    case .failure(let error):
      let error: JSONValue = ["code": .number(String(error.code)), "message": .string(error.message)]
      send(["jsonrpc": "2.0", "id": id, "error": error])
    }
  }

  func notify(_ method: String, _ params: JSONValue) {
    send(["jsonrpc": "2.0", "method": .string(method), "params": params])
  }

  private func send(_ message: JSONValue) {
    let body = Array(message.description.utf8)
    writing.withLock { _ in write(Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body) }
  }
}
