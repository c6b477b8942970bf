/// Why a stream cannot be read on.
package enum EventStreamError: Error, Sendable, Hashable {
  /// An event, or a line, has more than so many bytes.
  case tooLarge(limit: Int)
  /// A line that should be JSON is none.
  ///
  /// - `line`: from 1, all lines counted.
  case notJSON(line: Int, column: Int, message: String, text: String)
}
