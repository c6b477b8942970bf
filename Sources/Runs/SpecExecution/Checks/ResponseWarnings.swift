import DocumentQueries
import Matching
import RequestSpecs
import Values

/// Doubts about captures and assertions of a response that hold.
package struct ResponseWarnings {
  private let registry: SecretRegistry
  package private(set) var warnings: [AssertionReport] = []
  /// The objects that were reported, each once.
  private var known: Set<Int> = []

  package init(registry: SecretRegistry) {
    self.registry = registry
  }

  /// Warns of duplicate names in an object, if a path uses them: RFC 8259 leaves open which member counts, and other
  /// parsers may choose another one.
  ///
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

  /// Warns of a subject that is missing, as was expected, but only since it is misspelt.
  ///
  /// - Parameter name: the existing name that was meant.
  mutating func report(misspelling name: String, of subject: String, at range: SourceRange?) {
    warnings.append(
      AssertionReport(
        subject: subject, range: range,
        failure: MatchFailure(
          predicate: Text("nothing has that name"), expected: Text("a name that is there, or may be"),
          actual: Text("nothing, beside ") + registry.filtered("`\(name)`"), hint: "did you mean `\(name)`?"),
        registry: registry))
  }
}

extension AssertionEvaluation {
  /// Warns of what is missing only since the assertion misspells it.
  mutating func warnOfMisspelling(
    of assertion: Assertion, _ predicates: [Predicate] = [], _ subject: MatchSubject = .missing
  ) throws {
    let name =
      subject.isAbsent
      ? try subjects.misspelling(of: assertion.subject)
      : predicates.lazy.compactMap { $0.misspelling(in: subject) }.first
    if let name { responseWarnings.report(misspelling: name, of: assertion.label, at: assertion.range) }
  }
}
