import Values

/// Limits for the values of templates: a larger or deeper value is an error at its place.
///
/// Otherwise a few templates that repeat each other's values would fill any memory, and recursion over a value could
/// exhaust the stack.
package struct ResultLimit: Sendable {
  /// The maximum size in bytes.
  package static let size = 64 << 20
  /// The maximum depth, the same as a JSON document's; structure that a spec puts around a template's value doesn't
  /// count.
  package static let depth = 512

  private var left = ResultLimit.size

  package init() {}

  /// Counts a part of a value.
  package mutating func take(_ value: Value, at range: SourceRange) throws(TemplateError) {
    switch value.remainder(of: left, levels: ResultLimit.depth) {
    case .success(let rest): left = rest
    case .failure(.tooLarge): throw ResultLimit.tooLarge(range)
    case .failure(.tooDeep):
      throw TemplateError("the value would nest deeper than \(ResultLimit.depth) levels", at: range)
    }
  }

  /// - Parameter size: in bytes; nil if it overflowed.
  static func check(size: Int?, at range: SourceRange) throws(TemplateError) {
    guard let size, size <= ResultLimit.size else { throw tooLarge(range) }
  }

  private static func tooLarge(_ range: SourceRange) -> TemplateError {
    TemplateError("the value would be larger than \(size >> 20) MiB", at: range)
  }
}
