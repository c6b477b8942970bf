import DocumentQueries
import Templates
import Values

/// An item of `send`: a message to a WebSocket's server, or the wait for one from it.
package struct MessageSpec: Sendable {
  package enum Content: Sendable {
    /// A value, as JSON text.
    case json(ValueTemplate)
    case text(Field<Text>)
    /// Bytes in base64.
    case data(Field<Text>)
    case ping(Field<Text>)
    case close(Field<Int>, reason: Field<Text>?)
    /// The conditions of a message to wait for, and the paths of what is captured from it.
    case until(EventConditions, captures: [MessageCapture])
  }

  package let range: SourceRange
  package let content: Content

  var templates: [Template] {
    switch content {
    case .json(let value): value.templates
    case .text(let text), .data(let text), .ping(let text): text.templates
    case .close(let code, let reason): code.templates + (reason?.templates ?? [])
    case .until(let conditions, let captures):
      conditions.conditions.flatMap(\.templates) + captures.compactMap(\.path.template)
    }
  }

  var captures: [MessageCapture] { if case .until(_, let captures) = content { captures } else { [] } }

  /// Indicates whether it is the wait for a message.
  package var isWait: Bool { if case .until = content { true } else { false } }

  /// Indicates whether it closes the connection.
  package var isClose: Bool { if case .close = content { true } else { false } }
}

/// A value that is captured from a message.
package struct MessageCapture: Sendable {
  package let name: String
  package let range: SourceRange
  /// A path into the event.
  package let path: JSONPathSpec
}
