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
  /// Sent once the stream is open.
  package internal(set) var during: [RequestSpec] = []
  /// The place of the key `reconnect`.
  var reconnectKey: SourceRange?

  /// The templates that are evaluated before the request is sent.
  var templates: [Template] {
    (maxEvents?.templates ?? []) + (timeout?.templates ?? []) + (reconnect?.templates ?? [])
      + (until?.conditions ?? []).flatMap(\.templates)
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
    case type, id, data
    /// A path into the event `{event, id, data, json}`.
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
