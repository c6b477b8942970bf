import Templates
import Values

/// The values that an export keeps open: those that only a run knows, and those that have a name.
package protocol OpenValues: Sendable {
  /// Indicates whether a list of rows may be open.
  var openRows: Bool { get }
  /// The text for an expression, marked as open; nil for one that is evaluated.
  ///
  /// - Parameter variable: the list or mapping that the value becomes a part of.
  func value(
    of expression: OpenExpression, in scope: FileScope, partOf variable: String?
  ) throws(TemplateError) -> Value?
  /// The placeholder of a captured value, or of a member of what a needed file captured: `name.member`.
  func capture(_ name: String, isURL: Bool) -> Text
}
