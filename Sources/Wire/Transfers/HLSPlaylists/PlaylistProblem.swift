import Values

/// The reason why a text isn't a playlist that can be downloaded.
package struct PlaylistProblem: Error, Sendable, Hashable {
  /// The line, counted from 1.
  package let line: Int
  package let message: String
  package let help: String?

  init(_ message: String, line: Int, help: String? = nil) {
    self.message = message
    self.line = line
    self.help = help
  }
}

/// A part of a playlist for a message, short enough to read at a glance.
func excerpt(_ text: some StringProtocol) -> Excerpt { Excerpt(text, limit: 80) }
