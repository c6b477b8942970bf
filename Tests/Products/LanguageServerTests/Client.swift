import JSONRPCClient
import ReqrunKit

@testable import LanguageServer

typealias Client = JSONRPCClient

extension JSONRPCClient {
  convenience init() {
    self.init(.header) { read, write in await LanguageServer.run(read: read, write: write) }
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
}
