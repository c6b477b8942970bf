import Matching
import RequestSpecs
import Templates
import Values

extension [Assertion] {
  /// Returns whether those on the status hold; nil if there are none.
  ///
  /// An expectation that cannot be resolved now is reported when the response is evaluated.
  func accept(status: Int, in scope: FileScope) -> Bool? {
    do throws(TemplateError) {
      return try hold(forStatus: status, in: scope)
    } catch {
      return false
    }
  }

  private func hold(forStatus status: Int, in scope: FileScope) throws(TemplateError) -> Bool? {
    var isExpected: Bool?
    for assertion in self {
      guard case .status = assertion.subject else { continue }
      isExpected = true
      switch assertion.check {
      case .status(let field): if try !field.resolve(in: scope).contains(status) { return false }
      case .predicates(let specs):
        let predicates = try specs.map { spec throws(TemplateError) in try spec.resolve(in: scope) }
        if !failures(of: predicates, against: .value(.integer(status))).isEmpty { return false }
      default: continue
      }
    }
    return isExpected
  }
}
