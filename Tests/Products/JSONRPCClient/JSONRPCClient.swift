import DocumentQueries
import Foundation
import JSONRPC
import ReqrunKit
import Synchronization

/// A client of a server in this process.
package final class JSONRPCClient: Sendable {
  private struct State {
    var messages: [JSONValue] = []
    var received: [UInt8] = []
  }

  /// Serves until there are no bytes to read, and returns the exit code.
  package typealias Server =
    @Sendable (_ read: @escaping @Sendable () -> [UInt8], _ write: @escaping @Sendable ([UInt8]) -> Void) async -> Int32

  private let framing: MessageConnection.Framing
  private let pipe = Pipe()
  private let state = Mutex(State())
  private let count = Mutex(0)
  private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
  private let server: Mutex<Task<Int32, Never>?> = Mutex(nil)

  package init(_ framing: MessageConnection.Framing, _ serve: @escaping Server) {
    self.framing = framing
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let task = Task { [self] in
      await serve(
        {
          var buffer = [UInt8](repeating: 0, count: 4096)
          let count = Foundation.read(descriptor, &buffer, buffer.count)
          return Array(buffer.prefix(max(0, count)))
        }, { self.take($0) })
    }
    server.withLock { $0 = task }
  }

  private func take(_ bytes: [UInt8]) {
    state.withLock { state in
      state.received += bytes
      let body = bytes.drop { $0 != UInt8(ascii: "{") }
      if let json = try? JSONDocument(parsing: Array(body)) { state.messages.append(JSONValue(json.root.value)) }
    }
    arrival.yield()
  }

  /// All that the server sent.
  package var received: String { String(decoding: state.withLock { $0.received }, as: UTF8.self) }

  package func send(_ bytes: [UInt8]) { pipe.fileHandleForWriting.write(Data(bytes)) }

  package func send(_ message: JSONValue) {
    let body = Array(message.description.utf8)
    switch framing {
    case .header: send(Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body)
    case .lines: send(body + [0x0A])
    }
  }

  package func notify(_ method: String, _ params: JSONValue) {
    send(["jsonrpc": "2.0", "method": .string(method), "params": params])
  }

  /// Sends a request, and returns its identifier.
  package func start(_ method: String, _ params: JSONValue) -> JSONValue {
    let id = count.withLock { count in
      count += 1
      return JSONValue.number(String(count))
    }
    send(["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params])
    return id
  }

  /// The response to a request.
  package func request(_ method: String, _ params: JSONValue) async -> JSONValue {
    let id = start(method, params)
    return await next { $0["id"] == id }
  }

  /// The next message of a kind, which is then gone.
  package func next(_ isWanted: (JSONValue) -> Bool) async -> JSONValue {
    var iterator = arrivals.makeAsyncIterator()
    while true {
      let found = state.withLock { state in
        state.messages.firstIndex(where: isWanted).map { state.messages.remove(at: $0) }
      }
      if let found { return found }
      guard await iterator.next() != nil else { return .null }
    }
  }

  /// Ends the server, and returns its exit code.
  package func end() async -> Int32? {
    pipe.fileHandleForWriting.closeFile()
    return await server.withLock { $0 }?.value
  }
}
