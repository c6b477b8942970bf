import DocumentQueries
import Templates
import Values

/// `stream`: a response that is read event by event.
@usableFromInline package struct StreamSpec: Sendable {
  package let range: SourceRange
  package internal(set) var format = EventStreamFormat.sse
  /// The number of events after which the request ends.
  package internal(set) var maxEvents: Field<Int>?
  /// The conditions of the event that ends the request.
  package internal(set) var until: EventConditions?
  /// The time to listen.
  package internal(set) var timeout: Field<Duration>?
  /// The number of reconnections.
  package internal(set) var reconnect: Field<Int>?
  /// The subprotocols that are offered to a WebSocket's server.
  package internal(set) var subprotocols: [Field<Text>] = []
  /// The messages that are sent once a WebSocket is open, and the waits in between.
  package internal(set) var messages: [MessageSpec] = []
  /// Sent once the stream is open.
  package internal(set) var during: [RequestSpec] = []
  /// The places of keys that not all formats have.
  var reconnectKey: SourceRange?
  var messageKeys: [SourceRange] = []

  /// The templates that are evaluated before the request is sent.
  var templates: [Template] {
    (maxEvents?.templates ?? []) + (timeout?.templates ?? []) + (reconnect?.templates ?? [])
      + subprotocols.flatMap(\.templates) + (until?.conditions ?? []).flatMap(\.templates)
  }

  /// Indicates whether something else than the server ends the stream.
  var hasEnd: Bool {
    maxEvents != nil || until != nil || timeout != nil || messages.contains { $0.isWait || $0.isClose }
      || during.contains { $0.settings.transferBox?.content.messages.value?.contains(where: \.isClose) ?? false }
  }
}

/// `until`: the conditions that one event must meet.
package struct EventConditions: Sendable {
  package let range: SourceRange
  package let conditions: [EventCondition]
}

/// A condition on a part of an event.
package struct EventCondition: Sendable {
  package enum Part: Sendable {
    case type, id, code
    /// The event's data, of a message only if it is that part of it: `data`, `text` or `reason`.
    case data(_ name: String)
    /// A path into the event.
    case json(JSONPathSpec)
  }

  package let part: Part
  /// The name, such as `data` or `json $.json.status`.
  package let label: String
  package let predicates: [PredicateSpec]
  package let places: ExpectedPlaces

  var templates: [Template] {
    let path: Template? = if case .json(let path) = part { path.template } else { nil }
    return (path.map { [$0] } ?? []) + predicates.flatMap(\.templates)
  }
}
