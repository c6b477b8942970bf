/// The reason why a pattern isn't a regular expression.
package struct RegularExpressionError: Error, Sendable, Hashable {
  package let message: String
  /// The offset in the pattern, in bytes of its UTF-8.
  package let offset: Int
  /// Indicates whether it is valid but too large for PCRE2.
  var isTooLarge = false
}

/// The reason why a search ended without a result: usually too much backtracking.
package struct RegularExpressionMatchError: Error, Sendable, Hashable {
  package let message: String
}
