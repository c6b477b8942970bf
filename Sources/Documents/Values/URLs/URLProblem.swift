/// The reason why a text isn't a URL that a request can be sent to.
package struct URLProblem: Error, Sendable, Hashable {
  package let message: String
  /// Advice on what to write instead.
  package let help: String?
  /// The UTF-8 offsets of the invalid part.
  package let range: Range<Int>

  package init(_ message: String, at range: Range<Int>, help: String? = nil) {
    self.message = message
    self.help = help
    self.range = range
  }
}
