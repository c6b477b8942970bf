import HTTPSemantics
import Matching
import Templates
import Values

/// The name of a stored body, and its ignored parts.
package struct SnapshotSpec: Sendable {
  /// The name; nil is the request's name.
  package internal(set) var name: Field<Text>?
  package internal(set) var ignored: [JSONPathSpec] = []
}

/// One assertion: a subject, and its predicates.
///
/// A class, since layers pass it on.
package final class Assertion: Sendable {
  package enum Check: Sendable {
    case predicates([PredicateSpec])
    case extracted([ExtractedPredicates])
    case status(Field<StatusSet>)
    case contentType(Field<Text>)
    case snapshot(SnapshotSpec)
    case schema(SchemaSpec)
  }

  package let subject: ResponseSubject
  /// The assertion's name in reports, such as `json $.user.id`.
  package let label: String
  package let check: Check
  /// The places of the expected value.
  package let places: ExpectedPlaces

  package var range: SourceRange { places.range }

  init(subject: ResponseSubject, label: String, check: Check, places: ExpectedPlaces) {
    self.subject = subject
    self.label = label
    self.check = check
    self.places = places
  }
}

extension Assertion {
  /// Indicates whether any value meets it.
  var asksForExistence: Bool {
    guard case .predicates(let specs) = check else { return false }
    return specs.allSatisfy {
      if case .fixed(let predicate) = $0, predicate.kind === PredicateKind.exists, case .flag(true) = predicate.operand
      {
        true
      } else {
        false
      }
    }
  }

  /// Indicates whether predicates apply to a field's lines, not only to its text.
  package var countsLines: Bool {
    guard subject.type == .lines, case .predicates(let specs) = check else { return false }
    return specs.contains(where: \.countsLines)
  }
}

/// Assertions that are evaluated only if a condition holds.
package struct AssertionGroup: Sendable {
  package enum Condition: Sendable {
    case value(Field<Bool>)
    case response(ResponseCondition)
  }

  package let condition: Condition
  package let assertions: [Assertion]
  /// The place of the condition.
  package let range: SourceRange
}

/// Assertions that are a condition: `when` of a group, `until` and `fail_if` of a poll.
package struct ResponseCondition: Sendable {
  package let assertions: [Assertion]
  package let range: SourceRange

  package var expectsStatus: Bool { assertions.expectStatus }
}

extension Sequence<Assertion> {
  package var expectStatus: Bool { contains { if case .status = $0.subject { true } else { false } } }
  package var expectContentType: Bool { contains { if case .contentType = $0.subject { true } else { false } } }
}

/// The assertions of one layer; each is replaced whole by a higher layer's of the same key.
package struct ExpectSettings: Sendable {
  package struct Entry: Sendable {
    /// The key by which a higher layer can replace it.
    package let key: String
    package let range: SourceRange
    /// The assertion; nil removes the lower layer's.
    package let assertion: Assertion?
  }

  package var dropsLower = false
  /// The prefixes of keys that are not inherited from lower layers, by `json: null` and the like.
  package var droppedGroups: [String] = []
  package var entries: [Entry] = []
  /// Those of lower layers come first.
  package var groups: [AssertionGroup] = []
  /// `error:`: the exchange must fail that way.
  package var failure = Setting<Field<[TransportFailure]>>.inherited

  /// The content that removes everything from lower layers.
  static let removed: ExpectSettings = {
    var result = ExpectSettings()
    result.dropsLower = true
    return result
  }()

  package var assertions: [Assertion] {
    var found: [Assertion] = []
    found.reserveCapacity(entries.count)
    for entry in entries { if let assertion = entry.assertion { found.append(assertion) } }
    return found
  }

  package var isEmpty: Bool { entries.allSatisfy { $0.assertion == nil } && groups.isEmpty && failure.value == nil }

  /// Visits its assertions, those of groups, and those that are conditions.
  package func forEachAssertion(_ body: (Assertion) -> Void) {
    for entry in entries { if let assertion = entry.assertion { body(assertion) } }
    for group in groups {
      if case .response(let condition) = group.condition { condition.assertions.forEach(body) }
      group.assertions.forEach(body)
    }
  }

  func addTemplates(to found: inout [Template]) {
    failure.addTemplates(to: &found)
    forEachAssertion { $0.addTemplates(to: &found) }
    for group in groups { if case .value(let field) = group.condition { found += field.templates } }
  }

  package var snapshot: SnapshotSpec? {
    for entry in entries { if case .snapshot(let spec)? = entry.assertion?.check { return spec } }
    return nil
  }

  package var schemas: [(assertion: Assertion, spec: SchemaSpec)] {
    var found: [(assertion: Assertion, spec: SchemaSpec)] = []
    forEachAssertion { if case .schema(let spec) = $0.check { found.append(($0, spec)) } }
    return found
  }

  package var expectsStatus: Bool {
    entries.lazy.compactMap(\.assertion).expectStatus
  }

  package var expectsContentType: Bool {
    entries.lazy.compactMap(\.assertion).expectContentType
  }

  /// Indicates whether the layer has no `expect`.
  private var isUnmentioned: Bool {
    guard entries.isEmpty, groups.isEmpty, !dropsLower, droppedGroups.isEmpty, case .inherited = failure else {
      return false
    }
    return true
  }

  /// The places of `null` for assertions that no lower layer has.
  package var idleRemovals: [SourceRange] { entries.filter { $0.assertion == nil }.map(\.range) }

  func over(_ base: ExpectSettings) -> ExpectSettings {
    if dropsLower || base.isUnmentioned { return self }
    if isUnmentioned { return base }
    var result = base
    // An expected error and assertions on a response exclude each other.
    if failure.value != nil { (result.entries, result.groups) = ([], []) }
    result.entries.removeAll { entry in droppedGroups.contains { entry.key.hasPrefix($0) } }
    if !groups.isEmpty || entries.contains(where: { $0.assertion != nil }) { result.failure = .inherited }
    result.groups += groups
    result.failure = failure.over(result.failure)
    for entry in entries {
      if let index = result.entries.firstIndex(where: { $0.key == entry.key }) {
        if entry.assertion == nil { result.entries.remove(at: index) } else { result.entries[index] = entry }
      } else {
        result.entries.append(entry)
      }
    }
    return result
  }
}
