/// The reason why a stream cannot be read any further.
package enum EventStreamError: Error, Sendable, Hashable {
  /// An event, or a line, exceeds the limit in bytes.
  case tooLarge(limit: Int)
  /// A line that should be JSON isn't.
  ///
  /// - `line`: counted from 1, all lines included.
  case notJSON(line: Int, column: Int, message: String, text: String)
}
