import DocumentQueries
import ReqrunKit

/// A request or a notification of the client (JSON-RPC 2.0).
package struct Message: Sendable {
  /// Nil for a notification.
  package let id: JSONValue?
  package let method: String
  package let params: JSONValue

  /// Nil for the response to a request of the server.
  init?(_ json: JSONValue) {
    guard let method = json["method"]?.stringValue else { return nil }
    (id, self.method, params) = (json["id"], method, json["params"] ?? .null)
  }
}

/// The reason why a request has no result.
package struct ResponseError: Error {
  let code: Int
  package let message: String

  static let notJSON = ResponseError(code: -32700, message: "this is not JSON")
  static let notMessage = ResponseError(code: -32600, message: "this is not a message of JSON-RPC 2.0")
  package static let notInitialized = ResponseError(code: -32002, message: "the server is not initialized")
  package static let cancelled = ResponseError(code: -32800, message: "the request was cancelled")
  package static func unknown(_ method: String) -> ResponseError {
    ResponseError(code: -32601, message: "there is no method \(method)")
  }
  package static func invalid(_ message: String) -> ResponseError { ResponseError(code: -32602, message: message) }
  /// MCP, "Resources": there is none of that URI.
  package static func noResource(_ uri: String) -> ResponseError {
    ResponseError(code: -32002, message: "there is no resource \(uri)")
  }
  package static func failed(_ message: String) -> ResponseError { ResponseError(code: -32803, message: message) }
}
