import HTTPSemantics
import Matching
import Templates
import Values
import YAMLNodes

extension SpecReader {
  /// `expect`: a mapping of assertions, or a list of such, some of which have a condition.
  mutating func expectationsOrGroups(_ node: YAMLNode) -> ExpectSettings {
    func condition(_ item: YAMLNode) -> YAMLMember? { item.members?.first { $0.key == "when" } }
    guard let items = node.items, items.contains(where: { condition($0) != nil }) else { return expectations(node) }
    var result = ExpectSettings()
    for item in items where isUsable(item) {
      guard let members = item.members else {
        report(
          .wrongType, "an item of `expect` is a mapping of assertions, found \(item.kindPhrase)", at: item,
          help: "write {status: 200}, or {when: {status: 200}, json: {…}}")
        continue
      }
      guard let when = condition(item) else {
        result.add(expectations(item), to: &bag)
        continue
      }
      let rest = members.filter { $0.key != "when" }
      guard !rest.isEmpty else {
        bag.error(
          .emptyValue, "nothing is expected under this condition", at: when.keyRange, help: "write assertions beside it"
        )
        continue
      }
      checkRepeated(when, besides: rest)
      let own = expectations(YAMLNode(content: .mapping(rest), range: item.range))
      checkGroup(own)
      guard let condition = groupCondition(when) else { continue }
      checkStatus(of: condition, besides: own.assertions)
      result.groups.append(AssertionGroup(condition: condition, assertions: own.assertions, range: when.value.place))
    }
    for group in result.groups { checkStatus(of: group.condition, besides: result.assertions, isOfAll: true) }
    return result
  }

  /// Warns of a condition with a status, and of one that is expected and excludes it.
  ///
  /// - Parameter isOfAll: whether the assertions have no condition.
  private mutating func checkStatus(
    of condition: AssertionGroup.Condition, besides assertions: [Assertion], isOfAll: Bool = false
  ) {
    guard case .response(let response) = condition, let (wanted, place) = response.assertions.status,
      let (expected, range) = assertions.status,
      !(100..<1000).contains(where: { wanted.contains($0) && expected.contains($0) })
    else { return }
    if isOfAll {
      bag.warning(
        .noEffect, "a response with this status has failed already", at: place,
        notes: [Diagnostic.Note("another status is expected here", at: range)],
        help: "add the status of the condition there, in a list")
    } else {
      bag.warning(
        .alwaysFalse, "the condition is another status: this never holds", at: range,
        notes: [Diagnostic.Note("the condition stands here", at: place)],
        help: "write what must be so under the condition")
    }
  }

  private mutating func groupCondition(_ when: YAMLMember) -> AssertionGroup.Condition? {
    if when.value.members != nil { return responseCondition(when).map { .response($0) } }
    checkCondition(when.value)
    return field(when.value, .condition).map { .value($0) }
  }

  /// Warns of an assertion that repeats its condition.
  private mutating func checkRepeated(_ when: YAMLMember, besides members: [YAMLMember]) {
    guard let conditions = when.value.members, conditions.count == 1, members.count == 1,
      conditions[0].key == members[0].key, conditions[0].value.range.text == members[0].value.range.text
    else { return }
    bag.warning(
      .alwaysTrue, "this repeats its condition: it always holds", at: members[0].keyRange,
      notes: [Diagnostic.Note("the condition stands here", at: when.keyRange)],
      help: "write what must be so under the condition")
  }

  /// Reports what can't have a condition.
  private mutating func checkGroup(_ settings: ExpectSettings) {
    if let failure = settings.failure.value {
      bag.error(
        .conflictingKeys, "`error` cannot have a condition: without a response there is nothing to look at",
        at: failure.range, help: "write `expect: {error: …}`")
    }
    for entry in settings.entries {
      switch entry.assertion?.check {
      case nil:
        bag.error(
          .orphanedKey, "there is nothing to remove here: nothing is inherited by a group with `when`", at: entry.range,
          help: "write {exists: false} for what must not be there")
      case .snapshot:
        bag.error(
          .conflictingKeys, "`snapshot` cannot have a condition", at: entry.range,
          help: "write it in an item without `when`")
      default: break
      }
    }
  }
}

extension ExpectSettings {
  /// Adds the assertions of another item of the same list.
  fileprivate mutating func add(_ other: ExpectSettings, to bag: inout DiagnosticBag) {
    for entry in other.entries {
      if let first = entries.first(where: { $0.key == entry.key }) {
        bag.error(
          .duplicateKey, "`\(entry.key)` is expected twice", at: entry.range,
          notes: [Diagnostic.Note("here too", at: first.range.firstLine)], help: "write it once, or beside a `when`")
      }
    }
    entries += other.entries
    droppedGroups += other.droppedGroups
    failure = other.failure.over(failure)
  }
}

extension [Assertion] {
  /// The first statuses that are expected in literal form, and their place.
  fileprivate var status: (StatusSet, SourceRange)? {
    lazy.compactMap { assertion in
      if case .status(let field) = assertion.check { field.literal.map { ($0, assertion.range) } } else { nil }
    }.first
  }
}
