import DocumentQueries
import Matching
import Values

/// Warns of duplicate names in an object of the response, if a path uses them: RFC 8259 leaves open which member
/// counts, and other parsers may choose another one.
package struct RepeatedMembers {
  private let registry: SecretRegistry
  package private(set) var warnings: [AssertionReport] = []
  /// The objects that were reported, each once.
  private var known: Set<Int> = []

  package init(registry: SecretRegistry) {
    self.registry = registry
  }

  /// - Parameter subject: the assertion or capture that used it.
  package mutating func report(_ member: JSONRepeatedMember, of subject: String, at range: SourceRange?) {
    guard known.insert(member.values[0].position).inserted else { return }
    var actual = Text("")
    for value in member.values.prefix(3) {
      if !actual.isEmpty { actual = actual + Text(", ") }
      actual = actual + rendered(registry.filtered(value.beginning(shownNodeLimit)), width: 40)
    }
    if member.values.count > 3 { actual = actual + Text(", …") }
    warnings.append(
      AssertionReport(
        subject: subject, range: range,
        failure: MatchFailure(
          predicate: Text("the name stands there \(member.times)"), expected: Text("one \(member.location)"),
          actual: actual, hint: member.message), registry: registry))
  }
}
