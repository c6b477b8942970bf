package import Diagnostics
package import Values

/// What templates may make: a larger or deeper value is an error at its place.
///
/// A few templates that repeat each other's values would fill any memory; and whoever walks a value calls itself for each
/// level of it.
package struct ResultLimit: Sendable {
  /// In bytes.
  package static let size = 64 << 20
  /// As deep as a JSON document may nest; what a spec writes around a template's value does not count.
  package static let depth = 512

  private var left = ResultLimit.size

  package init() {}

  /// Takes a part of a value.
  package mutating func take(_ value: Value, at range: SourceRange) throws(TemplateError) {
    switch value.remainder(of: left, levels: ResultLimit.depth) {
    case .success(let rest): left = rest
    case .failure(.tooLarge): throw ResultLimit.tooLarge(range)
    case .failure(.tooDeep):
      throw TemplateError("the value would nest deeper than \(ResultLimit.depth) levels", at: range)
    }
  }

  /// - Parameter size: in bytes; nil is more than can be counted.
  static func check(size: Int?, at range: SourceRange) throws(TemplateError) {
    guard let size, size <= ResultLimit.size else { throw tooLarge(range) }
  }

  private static func tooLarge(_ range: SourceRange) -> TemplateError {
    TemplateError("the value would be larger than \(size >> 20) MiB", at: range)
  }
}
