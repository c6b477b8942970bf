internal import Values

/// Why a text is no playlist that can be fetched.
package struct PlaylistProblem: Error, Sendable, Hashable {
  /// From 1.
  package let line: Int
  package let message: String
  package let help: String?

  init(_ message: String, line: Int, help: String? = nil) {
    self.message = message
    self.line = line
    self.help = help
  }
}

/// A part of a playlist for a message: no more than can be read at a glance.
func excerpt(_ text: some StringProtocol) -> Excerpt { Excerpt(text, limit: 80) }
