/// Why a pattern is no regular expression.
package struct RegularExpressionError: Error, Sendable, Hashable {
  package let message: String
  /// Where in the pattern, in bytes of its UTF-8.
  package let offset: Int
  /// Whether it is one, and only larger than PCRE2 takes.
  var isTooLarge = false

  init(message: String, offset: Int, isTooLarge: Bool = false) {
    self.message = message
    self.offset = offset
    self.isTooLarge = isTooLarge
  }
}

/// Why a search ended without a verdict: too much backtracking, mostly.
package struct RegularExpressionMatchError: Error, Sendable, Hashable {
  package let message: String
}
