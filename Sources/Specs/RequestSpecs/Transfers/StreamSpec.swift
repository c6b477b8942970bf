import Values
import DocumentQueries
import Templates

/// `stream`: a response that is read event by event.
@usableFromInline package struct StreamSpec: Sendable {
  package let range: SourceRange
  package let format: EventStreamFormat
  /// The number of events after which the request ends.
  package let maxEvents: Field<Int>?
  /// The conditions of the event that ends the request.
  package let until: EventConditions?
  /// The time to listen.
  package let timeout: Field<Duration>?
  /// The number of reconnections.
  package let reconnect: Field<Int>?
  /// Sent once the stream is open.
  package let during: [RequestSpec]

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
