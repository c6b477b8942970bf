import DocumentQueries
import Values

/// The course of a GraphQL subscription over a WebSocket, in the protocol that the server has chosen.
package struct SubscriptionCourse: Sendable {
  /// The subprotocols, the preferred one first.
  package enum Dialect: String, Sendable, CaseIterable {
    /// The protocol of graphql-ws, the library.
    case current = "graphql-transport-ws"
    /// The protocol of subscriptions-transport-ws.
    case older = "graphql-ws"
  }

  /// A consequence of a message.
  package enum Step: Sendable, Hashable {
    case send(String)
    /// The payload of a `next` or an `error` message, as JSON text.
    case event(type: String, payload: String)
    /// The server refuses the connection or breaks the protocol.
    case failure(String)
    /// Nothing follows.
    case end
  }

  private let dialect: Dialect
  /// The query with its variables, and the payload of the first message, as JSON text.
  private let query: String
  private let connection: String?
  private var isAcknowledged = false
  private static let id = "1"

  package init(_ dialect: Dialect, query: String, connection: String?) {
    (self.dialect, self.query, self.connection) = (dialect, query, connection)
  }

  /// The first message.
  package var opening: String { message("connection_init", payload: connection) }

  /// The messages that end the subscription.
  package var closing: [String] {
    switch dialect {
    case .current: [message("complete", hasID: true)]
    case .older: [message("stop", hasID: true), message("connection_terminate")]
    }
  }

  /// Takes a message of the server.
  package mutating func receive(_ text: String) -> [Step] {
    guard let root = (try? JSONDocument(parsing: Array(text.utf8)))?.root, root.kind == .mapping,
      let type = root[member: "type"], type.kind == .text
    else { return [.failure("a message that is not of \(dialect.rawValue): \(text)")] }
    let payload = root[member: "payload"]?.text
    switch (type.string, dialect) {
    case ("connection_ack", _):
      if isAcknowledged { return [] }
      isAcknowledged = true
      return [.send(message(dialect == .current ? "subscribe" : "start", hasID: true, payload: query))]
    case ("connection_error", .older): return [.failure("the server refuses the connection: \(payload ?? "")")]
    case ("ping", .current): return [.send(message("pong", payload: payload))]
    case ("pong", .current), ("ka", .older): return []
    case ("next", .current), ("data", .older):
      return isOwn(root) ? [.event(type: "next", payload: payload ?? "null")] : []
    case ("error", _): return isOwn(root) ? [.event(type: "error", payload: payload ?? "null"), .end] : []
    case ("complete", _): return isOwn(root) ? [.end] : []
    default: return [.failure("a message of the type \"\(type.string)\", which \(dialect.rawValue) doesn't have")]
    }
  }

  /// Returns whether a message belongs to the subscription.
  private func isOwn(_ root: JSONNode) -> Bool { root[member: "id"]?.string == Self.id }

  private func message(_ type: String, hasID: Bool = false, payload: String? = nil) -> String {
    (hasID ? "{\"id\":\"\(Self.id)\"," : "{") + "\"type\":\"\(type)\"" + (payload.map { ",\"payload\":\($0)" } ?? "")
      + "}"
  }
}
