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

/// A part of a playlist as it may be shown: one line, and no more than can be read at a glance.
func excerpt(_ text: some StringProtocol) -> String {
  let limit = 80
  var result = ""
  for scalar in text.unicodeScalars.prefix(limit) {
    result.unicodeScalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
  }
  return text.unicodeScalars.dropFirst(limit).isEmpty ? result : result + "…"
}
