import DocumentQueries
import Matching
import OperatingSystem
import RequestSpecs
import Templates
import Values

/// The resolved `stream` of a request.
package struct ResolvedStream: Sendable {
  package let range: SourceRange
  package let format: EventStreamFormat
  package let maxEvents: Int?
  /// The conditions; empty if any event matches.
  package let until: [ResolvedCondition]
  package let untilRange: SourceRange
  package let timeout: Duration?
  package let reconnectionLimit: Int
  /// The subprotocols that a WebSocket's server may choose from.
  package let subprotocols: [String]
  /// The messages for a WebSocket; the templates of each are evaluated when it is sent.
  package let messages: [MessageSpec]
  /// The query that a WebSocket takes by a protocol of GraphQL.
  package var subscription: ResolvedSubscription?
  /// Indicates whether a WebSocket ends once `send` is done: it waits last for a message, and nothing else ends it.
  package let endsWithScript: Bool

  /// Indicates whether another connection may follow one that ends; a WebSocket that the spec closes stays closed.
  package var reconnects: Bool {
    format == .sse || format == .websocket && !messages.contains(where: \.isClose)
  }

  /// Indicates whether a condition or a number of events ends the stream.
  package var hasEndCondition: Bool { !until.isEmpty || maxEvents != nil }
}

/// A query for a WebSocket: both parts are JSON texts.
package struct ResolvedSubscription: Sendable {
  /// The query with its variables.
  package let query: Text
  /// The payload of the first message.
  package let connection: Text?
}

package struct ResolvedCondition: Sendable {
  package let spec: EventCondition
  /// The path; nil except for a part of the JSON.
  package let path: JSONPath?
  package let predicates: [Predicate]
}

extension StreamSpec {
  /// The default number of reconnections.
  private static let standardReconnectionLimit = 3

  package func resolve(in scope: FileScope) throws(TemplateError) -> ResolvedStream {
    var conditions: [ResolvedCondition] = []
    if let until { conditions = try until.resolve(in: scope) }
    var offered: [String] = []
    for subprotocol in subprotocols { offered.append(try subprotocol.resolve(in: scope).string) }
    return ResolvedStream(
      range: range, format: format, maxEvents: try maxEvents?.resolve(in: scope), until: conditions,
      untilRange: until?.range ?? range, timeout: try timeout?.resolve(in: scope),
      reconnectionLimit: try reconnect?.resolve(in: scope)
        ?? (format == .sse ? StreamSpec.standardReconnectionLimit : 0), subprotocols: offered, messages: messages,
      endsWithScript: messages.last?.isWait == true && until == nil && maxEvents == nil && timeout == nil
        && during.isEmpty)
  }
}

extension EventConditions {
  func resolve(in scope: FileScope) throws(TemplateError) -> [ResolvedCondition] {
    var resolved: [ResolvedCondition] = []
    for condition in conditions { resolved.append(try condition.resolve(in: scope)) }
    return resolved
  }
}

extension EventCondition {
  fileprivate func resolve(in scope: FileScope) throws(TemplateError) -> ResolvedCondition {
    let path: JSONPath? = if case .json(let spec) = part { try spec.resolve(in: scope) } else { nil }
    var resolved: [Predicate] = []
    for spec in predicates {
      let predicate = try spec.resolve(in: scope)
      if case .fixed = spec {} else { predicate.addSecrets(to: scope.registry) }
      resolved.append(predicate)
    }
    return ResolvedCondition(spec: self, path: path, predicates: resolved)
  }
}
