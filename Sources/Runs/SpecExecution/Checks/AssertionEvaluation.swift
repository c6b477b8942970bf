import DocumentQueries
import HTTPSemantics
import JSONSchemas
import Matching
import RequestSpecs
import Templates
import Values

/// Evaluates all assertions of a request on its response, even after failures.
package struct AssertionEvaluation {
  package let response: Response
  package let scope: FileScope
  let subjects: SubjectEvaluation
  let request: RequestStep
  package private(set) var count = 0
  package private(set) var failures: [AssertionReport] = []
  /// An error in the spec that only running could find.
  package private(set) var problem: TemplateError?
  /// Duplicate names on the paths of captures and assertions.
  package internal(set) var responseWarnings: ResponseWarnings
  /// Indicates whether the predicates are described, for a report.
  private let describes: Bool
  /// The predicates of the last assertion, if they are described; nil if it has none.
  private(set) var description: Text?

  package init(
    response: Response, scope: FileScope, request: RequestStep, responseWarnings: ResponseWarnings,
    describes: Bool = false
  ) {
    self.describes = describes
    self.responseWarnings = responseWarnings
    self.response = response
    self.scope = scope
    subjects = SubjectEvaluation(response: response, scope: scope)
    self.request = request
  }

  /// Each of its predicates counts. ``SnapshotChecking`` evaluates a snapshot, after everything else.
  package mutating func check(_ assertion: Assertion) {
    description = nil
    if case .snapshot = assertion.check { return }
    count += assertion.check.count
    do {
      switch assertion.check {
      case .status(let field):
        let set = try field.resolve(in: scope)
        if describes { description = Text("equals \(set)") }
        if !set.contains(response.head.status) {
          fail(
            assertion,
            MatchFailure(
              predicate: Text("equals \(set)"), expected: Text("\(set)"), actual: Text("\(response.head.status)"),
              hint: response.statusNote), body: response.errorBeginning, cause: .status)
        }
      case .snapshot: break
      case .schema(let spec):
        if let failure = try schemaFailure(assertion, spec) { fail(assertion, failure, cause: causeOfAbsence) }
      case .contentType(let field):
        try checkContentType(assertion, try field.resolve(in: scope))
      case .predicates(let specs):
        if response.certainlyMeets(specs, assertion.subject) {
          if describes { describe(specs.compactMap(\.fixed), assertion.subject.unit) }
        } else {
          try check(specs, of: assertion)
        }
      case .extracted(let parts):
        var position = 0
        for part in parts {
          if part.extractions.isEmpty {
            try check(part.predicates, of: assertion, from: position)
          } else {
            try check(part, of: assertion, from: position)
          }
          position += part.predicates.count
        }
      }
    } catch let error as TemplateError {
      if problem == nil { problem = error }
    } catch let error as Response.Unreadable {
      failUnreadable(assertion, error)
    } catch let error as RegularExpressionMatchError {
      fail(
        assertion,
        MatchFailure(
          predicate: Text(""), expected: Text("a match of the regular expression"),
          actual: response.filtered(error.message)))
    } catch let error as XPathError {
      failUndecided(assertion, error.message, error.help)
    } catch let error as JSONPathError {
      failUndecided(assertion, error.message, error.help)
    } catch {
      fail(assertion, MatchFailure(predicate: Text(""), expected: Text(""), actual: Text("\(error)")))
    }
  }

  /// - Parameter position: the number of the assertion's predicates before these.
  private mutating func check(
    _ specs: [PredicateSpec], of assertion: Assertion, from position: Int = 0
  ) throws {
    let predicates = try resolved(specs, assertion.subject.unit)
    var repeated: JSONRepeatedMember?
    let subject: MatchSubject
    if let (path, document) = try subjects.query(assertion.subject) {
      let selection = try response.selection(of: path, in: document)
      subject = response.subject(of: selection, path)
      repeated = selection.ambiguity
      if repeated == nil, predicates.contains(where: \.takesMembersByName) { repeated = selection.innerAmbiguity }
    } else {
      subject = try subjects.value(of: assertion.subject)
    }
    let failures = Matching.failures(
      of: predicates, against: subject, path: assertion.subject.path, unit: assertion.subject.unit)
    try checkMemory(for: assertion)
    for var failure in failures {
      failure.index += position
      failure.hint = try hint(failure.hint, for: assertion, subject)
      let isStatus = if case .status = assertion.subject { true } else { false }
      if isStatus, failure.hint == nil { failure.hint = response.statusNote }
      if case .body = assertion.subject, let form = response.binaryForm {
        let index = failure.index
        failure = MatchFailure(
          predicate: failure.predicate, expected: failure.expected, actual: Text(form), hint: failure.hint)
        failure.index = index
      }
      fail(
        assertion, failure, body: isStatus ? response.errorBeginning : nil,
        cause: isStatus ? .status : subject.isAbsent ? causeOfAbsence : nil)
    }
    if let repeated, failures.isEmpty { responseWarnings.report(repeated, of: assertion.label, at: assertion.range) }
    if failures.isEmpty { try warnOfDoubt(of: assertion, predicates, subject) }
  }

  /// Checks what is taken from a subject.
  private mutating func check(
    _ part: ExtractedPredicates, of assertion: Assertion, from position: Int
  ) throws {
    var memory: [Int] = []
    defer { for count in memory { response.memory.giveBack(count) } }
    let label = scope.registry.masked(
      message: ([assertion.label] + part.extractions.map(\.label)).joined(separator: " "))
    let extracting = Extracting(response: response, scope: scope)
    func reserve(_ count: Int) throws(Response.Unreadable) {
      try response.take(count, for: "what `\(assertion.label)` compares")
      memory.append(count)
    }
    let (whole, repeated) = try subjects.wholeValue(of: assertion.subject, reserving: reserve)
    var value = whole
    var absence = whole == nil ? try subjects.absence(of: assertion.subject) : nil
    for extraction in part.extractions {
      guard let found = value else { break }
      switch try extracting.result(of: extraction, from: found, reserving: reserve) {
      case .value(let part): value = part
      case .nothing:
        value = nil
        absence = "the regular expression has no match in \(found.phrase)"
      case .unconverted(let other, let conversion):
        let isEmpty = if case .list(let items) = other { items.isEmpty } else { false }
        var failure = MatchFailure(
          predicate: Text(""), expected: Text(conversion.phrase),
          actual: Text(isEmpty ? "an empty list" : other.phrase),
          hint: isEmpty ? try subjects.absence(of: assertion.subject) : nil)
        failure.index = position
        return fail(assertion, failure, label: label)
      }
    }
    let predicates = try resolved(part.predicates, "")
    let isText = part.extractions.last?.yieldsText ?? false
    let failures = Matching.failures(of: predicates, against: value.map { $0.subject(isUntyped: isText) } ?? .missing)
    try checkMemory(for: assertion)
    for var failure in failures {
      failure.index += position
      if value == nil, let absence { failure.hint = failure.hint.map { "\(absence)\n\($0)" } ?? absence }
      fail(assertion, failure, label: label, cause: value == nil ? causeOfAbsence : nil)
    }
    if let repeated, failures.isEmpty { responseWarnings.report(repeated, of: assertion.label, at: assertion.range) }
  }

  /// The cause of a failure for want of a value: responses with an error lack most of what others have.
  private var causeOfAbsence: AssertionReport.Cause? {
    let isQuery = if case .graphQL? = request.settings.body.value { true } else { false }
    return isQuery || response.head.status >= 400 ? .absent : nil
  }

  private func checkMemory(for assertion: Assertion) throws(Response.Unreadable) {
    if let shortage = response.memory.takeShortage() {
      throw Response.Unreadable(shortage, "what `\(assertion.label)` compares")
    }
  }

  private mutating func resolved(_ specs: [PredicateSpec], _ unit: String) throws(TemplateError) -> [Predicate] {
    var predicates: [Predicate] = []
    predicates.reserveCapacity(specs.count)
    for spec in specs {
      let predicate = try spec.resolve(in: scope)
      // A value that a template derived from a secret, such as its hash, is secret too.
      if case .fixed = spec {} else { predicate.addSecrets(to: scope.registry) }
      predicates.append(predicate)
    }
    if describes { describe(predicates, unit) }
    return predicates
  }

  private mutating func schemaFailure(_ assertion: Assertion, _ spec: SchemaSpec) throws -> MatchFailure? {
    // A plan has the schemas of all its requests.
    guard let schema = request.schema(of: assertion) else { return nil }
    let root = try response.json().root
    // Each item is noted to check that all are unique.
    let memory = 24 * (root.end - root.position)
    try response.take(memory, for: "the validation")
    defer { response.memory.giveBack(memory) }
    let result = schema.validate(root, limit: DifferenceList.limit)
    for doubt in [result.misspelling.map { .misspelling(of: $0) }, result.doubt].compactMap(\.self) {
      responseWarnings.report(doubt, of: assertion.label, at: assertion.range)
    }
    return result.isValid ? nil : SchemaFailureText(result, of: spec, response: response).matchFailure
  }

  /// Adds predicates to the description of the assertion.
  private mutating func describe(_ predicates: [Predicate], _ unit: String) {
    for predicate in predicates {
      let text = Matching.describe(predicate, unit: unit)
      description = description.map { $0 + Text(", ") + text } ?? text
    }
  }

  private mutating func checkContentType(_ assertion: Assertion, _ expected: Text) throws(TemplateError) {
    if describes { description = Text("matches ") + expected }
    let actual = response.head.headers.first("Content-Type")
    if let actual, mediaType(actual, matches: expected.string) { return }
    fail(
      assertion,
      MatchFailure(
        predicate: Text("matches ") + expected, expected: expected,
        actual: actual.map { response.filtered($0) } ?? Text("no content type")), cause: .contentType)
  }

  private mutating func fail(
    _ assertion: Assertion, _ failure: MatchFailure, label: String? = nil, body: String? = nil,
    cause: AssertionReport.Cause? = nil
  ) {
    let root = assertion.subject.path
    let place = assertion.places.range(
      ofPredicate: failure.index, line: failure.differences.first?.expectedLine,
      paths: failure.differences.lazy.map { difference in
        let path = difference.expectedPath ?? String(withoutItems(difference.path))
        return path.hasPrefix("[") ? path[...] : path.hasPrefix(root) ? path.dropFirst(root.count) : ""
      })
    var report = AssertionReport(
      subject: label ?? assertion.label, range: place, failure: failure, body: body, registry: scope.registry)
    report.cause = cause
    if let target = assertion.places.target {
      report.notes.append(Diagnostic.Note("the alias stands for this", at: target.firstLine))
    }
    let extent = request.extent
    if !assertion.range.isInSameSource(as: extent) || !extent.bytes.overlaps(assertion.range.bytes) {
      report.notes.append(Diagnostic.Note("expected of the request at \(request.range.location)"))
    }
    failures.append(report)
  }

  /// Fails an assertion whose result could not be determined.
  private mutating func failUndecided(_ assertion: Assertion, _ message: String, _ help: String?) {
    fail(
      assertion,
      MatchFailure(predicate: Text(""), expected: Text("a value"), actual: response.filtered(message), hint: help))
  }

  /// The first such failure has the reason, the others refer to it.
  private mutating func failUnreadable(_ assertion: Assertion, _ error: Response.Unreadable) {
    let form = assertion.subject.form
    fail(assertion, response.failure(error, form: form), cause: error.isUndecided ? nil : .unreadable(form))
  }
}
