import Diagnostics
import EventStreams
import Templates

/// `stream`: a response that is read event by event.
package struct StreamSpec: Sendable {
  package let range: SourceRange
  package let format: EventStreamFormat
  /// So many are enough.
  package let maxEvents: Field<Int>?
  /// What the event meets that ends the request.
  package let until: EventConditions?
  /// How long to listen.
  package let timeout: Field<Duration>?
  /// How often to connect again.
  package let reconnect: Field<Int>?
  /// Sent once the stream is open.
  package let during: [RequestSpec]

  /// Those that are evaluated before the request is sent.
  var templates: [Template] {
    (maxEvents?.templates ?? []) + (timeout?.templates ?? []) + (reconnect?.templates ?? [])
      + (until?.conditions ?? []).flatMap(\.templates)
  }
}

/// `until`: what one event must meet, all of it.
package struct EventConditions: Sendable {
  package let range: SourceRange
  package let conditions: [EventCondition]
}

/// What a part of an event must meet.
package struct EventCondition: Sendable {
  package enum Part: Sendable {
    case type, id, data
    /// A path into the event `{event, id, data, json}`.
    case json(JSONPathSpec)
  }

  package let part: Part
  /// Such as `data` or `json $.json.status`.
  package let label: String
  package let predicates: [PredicateSpec]
  package let places: ExpectedPlaces

  var templates: [Template] {
    let path: Template? = if case .json(let path) = part { path.template } else { nil }
    return (path.map { [$0] } ?? []) + predicates.flatMap(\.templates)
  }
}
