import Values

/// Comments in HTTP archives about messages of WebSockets that they don't have as a whole.
package enum ArchivedMessages {
  private static let beginning = "the beginning of "
  private static let omission = " left out"

  /// The comment of a message of which the beginning is there.
  package static func cut(from size: Int) -> String { beginning + counted(size, "byte") }

  /// The comment of an exchange with more messages, whose number may be unknown.
  package static func omitted(_ count: Int? = nil) -> String {
    (count.map { counted($0, "message") } ?? "more messages") + " are" + omission
  }

  /// Returns whether it is the comment of a message that was cut.
  package static func isCut(_ comment: String) -> Bool { comment.hasPrefix(beginning) }

  /// The part of an exchange's comment about messages that are not there; nil if it has none.
  package static func omission(in comment: String) -> String? {
    guard let part = comment.split(separator: ", ").last(where: { $0.contains("message") }), part.hasSuffix(omission)
    else { return nil }
    return String(part)
  }
}
