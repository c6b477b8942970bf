import DocumentQueries
import HTTPSemantics
import Matching
import RequestSpecs
import Values

/// Doubts about captures and assertions of a response that hold.
package struct ResponseWarnings {
  private let registry: SecretRegistry
  package private(set) var warnings: [AssertionReport] = []
  /// The objects that were reported, each once.
  private var known: Set<Int> = []

  /// The number of absent subjects for which a near name is looked up, and those so far.
  static let absenceLimit = 1000
  fileprivate var absences = 0

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

  mutating func report(_ doubt: Doubt, of subject: String, at range: SourceRange?) {
    let marks = registry.filtered(doubt.actual.string).secretRanges
    warnings.append(
      AssertionReport(
        subject: subject, range: range,
        failure: MatchFailure(
          predicate: Text(doubt.message), expected: doubt.expected,
          actual: Text(doubt.actual.string, secretRanges: doubt.actual.secretRanges + marks), hint: doubt.hint),
        registry: registry))
  }
}

extension ResponseEvaluation {
  /// Warns of the request's own credentials for Digest that nobody asked for, so that they were not sent.
  ///
  /// With a cookie, the server may know who it is.
  func warningsOfCredentials(_ response: Response) -> [AssertionReport] {
    guard case .password(.digest, _, _)? = response.request.credentials, (200..<300).contains(response.head.status),
      let place = request.settings.auth.value?.range, place.isInSameSource(as: request.extent),
      request.extent.bytes.overlaps(place.bytes),
      !response.result.hops.contains(where: { hop in
        hop.isChallenged || ["Authorization", "Cookie"].contains { hop.request.headers.contains($0) }
      })
    else { return [] }
    var warnings = ResponseWarnings(registry: scope.registry)
    warnings.report(
      Doubt(
        "the credentials were not sent: the server asked for none", expected: Text("a challenge for Digest"),
        actual: Text("status \(response.head.status) without one"),
        hint: "if the path needs none, leave `auth` out; `basic` sends credentials at once"), of: "auth", at: place)
    return warnings.warnings
  }
}

extension AssertionEvaluation {
  /// Warns of an assertion that holds, but would not as it was probably meant.
  ///
  /// - Parameter isDenied: whether it is a condition that should not hold.
  mutating func warnOfDoubt(
    of assertion: Assertion, _ predicates: [Predicate], _ subject: MatchSubject, isDenied: Bool = false
  ) throws {
    // Each absence looks at all names of the response.
    if subject.isAbsent {
      guard responseWarnings.absences < ResponseWarnings.absenceLimit else { return }
      responseWarnings.absences += 1
    }
    let doubt =
      subject.isAbsent
      ? try subjects.doubt(of: assertion.subject)
      : try doubt(about: predicates, of: assertion, subject, isDenied: isDenied)
        ?? subjects.doubt(of: assertion.subject, subject, predicates)
    guard let doubt, !expects(doubt.meant, besides: assertion) else { return }
    responseWarnings.report(doubt, of: assertion.label, at: assertion.range)
  }

  private func doubt(
    about predicates: [Predicate], of assertion: Assertion, _ subject: MatchSubject, isDenied: Bool
  ) -> Doubt? {
    var areComputed: [Bool] = []
    if case .predicates(let specs) = assertion.check, specs.count == predicates.count {
      areComputed = specs.map { !$0.templates.isEmpty }
    }
    for (index, predicate) in predicates.enumerated() {
      let isComputed = index < areComputed.count && areComputed[index]
      if let doubt = predicate.doubt(in: subject, isDenied: isDenied, isComputed: isComputed) { return doubt }
    }
    return nil
  }

  /// Returns whether other assertions of the request are about a name: then one near it is meant, too, unless more
  /// follows it in the path.
  private func expects(_ name: String?, besides assertion: Assertion) -> Bool {
    func steps(_ path: String) -> Int { path.utf8.count { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") } }
    guard let name, steps(assertion.label) == steps(name) else { return false }
    return request.assertions.contains { $0.label.hasSuffix(" \(name)") || $0.label.contains(" \(name).") }
  }

  /// The same for one that was evaluated as a condition.
  mutating func warnOfDoubt(ofCondition assertion: Assertion) throws {
    guard case .predicates(let specs) = assertion.check else { return }
    var predicates: [Predicate] = []
    for spec in specs { predicates.append(try spec.resolve(in: scope)) }
    try warnOfDoubt(of: assertion, predicates, try subjects.value(of: assertion.subject), isDenied: true)
  }
}
