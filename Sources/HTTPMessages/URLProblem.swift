/// Why a text is no URL that a request can be sent to.
package struct URLProblem: Error, Sendable, Hashable {
  package let message: String
  /// What to write instead.
  package let help: String?
  /// The UTF-8 offsets of what is wrong in the text.
  package let range: Range<Int>

  package init(_ message: String, at range: Range<Int>, help: String? = nil) {
    self.message = message
    self.help = help
    self.range = range
  }
}
