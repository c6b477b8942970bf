/// Why a pattern is no regular expression.
package struct RegularExpressionError: Error, Sendable, Hashable {
  package let message: String
  /// Where in the pattern, in bytes of its UTF-8.
  package let offset: Int
}

/// Why a search ended without a verdict: too much backtracking, mostly.
package struct RegularExpressionMatchError: Error, Sendable, Hashable {
  package let message: String
}
