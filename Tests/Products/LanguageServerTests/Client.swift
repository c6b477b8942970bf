import DocumentQueries
import Foundation
import OperatingSystem
import ReqrunKit
import Synchronization

@testable import LanguageServer

/// A client of a server in this process.
final class Client: Sendable {
  private struct State {
    var received: [UInt8] = []
    var messages: [JSONValue] = []
  }

  private let pipe = Pipe()
  private let state = Mutex(State())
  private let count = Mutex(0)
  private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
  private let server: Mutex<Task<Int32, Never>?> = Mutex(nil)

  init() {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let task = Task { [self] in
      await LanguageServer.run(
        read: {
          var buffer = [UInt8](repeating: 0, count: 4096)
          let count = Foundation.read(descriptor, &buffer, buffer.count)
          return Array(buffer.prefix(max(0, count)))
        }, write: { self.take($0) })
    }
    server.withLock { $0 = task }
  }

  private func take(_ bytes: [UInt8]) {
    state.withLock { state in
      let body = bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false).last ?? []
      if let json = try? JSONDocument(parsing: Array(body)) { state.messages.append(JSONValue(json.root.value)) }
    }
    arrival.yield()
  }

  func send(_ bytes: [UInt8]) { pipe.fileHandleForWriting.write(Data(bytes)) }

  func send(_ message: JSONValue) {
    let body = Array(message.description.utf8)
    send(Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body)
  }

  func notify(_ method: String, _ params: JSONValue) {
    send(["jsonrpc": "2.0", "method": .string(method), "params": params])
  }

  /// The response to a request.
  func request(_ method: String, _ params: JSONValue) async -> JSONValue {
    let id = count.withLock { count in
      count += 1
      return JSONValue.number(String(count))
    }
    send(["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params])
    return await next { $0["id"] == id }
  }

  /// The next message of a kind, which is then gone.
  func next(_ isWanted: (JSONValue) -> Bool) async -> JSONValue {
    var iterator = arrivals.makeAsyncIterator()
    while true {
      let found = state.withLock { state in
        state.messages.firstIndex(where: isWanted).map { state.messages.remove(at: $0) }
      }
      if let found { return found }
      guard await iterator.next() != nil else { return .null }
    }
  }

  func initialize(_ encodings: [JSONValue] = []) async -> JSONValue {
    let capabilities: JSONValue = ["general": ["positionEncodings": .array(encodings)]]
    return await request("initialize", ["capabilities": capabilities])
  }

  func open(_ uri: String, _ text: String) {
    notify(
      "textDocument/didOpen",
      ["textDocument": ["uri": .string(uri), "languageId": "yaml", "version": 1, "text": .string(text)]])
  }

  /// The diagnostics that are published for a version.
  func diagnostics(_ uri: String, version: Int = 1) async -> [JSONValue] {
    let message = await next {
      $0["params"]?["uri"]?.stringValue == uri && $0["params"]?["version"]?.intValue == version
    }
    guard case .array(let items)? = message["params"]?["diagnostics"] else { return [] }
    return items
  }

  /// Ends the server, and returns its exit code.
  func end() async -> Int32? {
    pipe.fileHandleForWriting.closeFile()
    return await server.withLock { $0 }?.value
  }
}
