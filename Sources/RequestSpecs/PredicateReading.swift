import Diagnostics
import Matching
import Values
import YAMLNodes

extension SpecReader {
  /// What is expected of a subject: a written mapping is predicates, anything else is `equals`.
  mutating func predicates(_ node: YAMLNode, unit: OperandUnit = .plain) -> [PredicateSpec]? {
    guard isUsable(node) else { return nil }
    guard let members = node.members?.filter({ !$0.key.hasPrefix("x-") }) else {
      return predicate(.equals, node, unit: unit).map { [$0] }
    }
    if members.isEmpty {
      bag.error(
        "an empty mapping checks nothing", at: node.range, notes: useNote(node),
        help: "write `{equals: {}}` or `{exists: true}`")
      return nil
    }
    var result: [PredicateSpec] = []
    for member in members {
      guard let name = PredicateName(rawValue: member.key) else {
        unknownPredicate(member)
        continue
      }
      if let spec = predicate(name, member.value, unit: unit) { result.append(spec) }
    }
    return result.count == members.count ? result : nil
  }

  private mutating func unknownPredicate(_ member: YAMLMember) {
    if let nearest = suggestion(member.key, among: PredicateName.allCases.map(\.rawValue)) {
      bag.error("unknown predicate `\(jsonEscaped(member.key))`", at: member.keyRange, help: nearest)
    } else {
      bag.error(
        "`\(jsonEscaped(member.key))` is no predicate: a mapping under `expect` is read as predicates",
        at: member.keyRange,
        help: "to compare with a mapping write `includes` (other members may be there) or `equals`")
    }
  }

  mutating func predicate(_ name: PredicateName, _ node: YAMLNode, unit: OperandUnit) -> PredicateSpec? {
    guard isUsable(node) else { return nil }
    switch name {
    case .every, .any, .none: return predicates(node, unit: unit).map { nested(name, $0) }
    case .count: return count(node, unit: unit)
    case .not:
      guard node.members != nil else {
        bag.error(
          "`not` takes \(name.operandPhrase), found \(node.kindPhrase)", at: node.range, notes: useNote(node),
          help: "write `not_equals`")
        return nil
      }
      return predicates(node, unit: unit).map { nested(name, $0) }
    case .includes where !checkIncluded(node): return nil
    default: break
    }
    guard let operand = valueTemplate(node) else { return nil }
    guard let literal = operand.literal else { return .operand(name, operand, unit) }
    do {
      return .fixed(try makePredicate(name, operand: literal, unit: unit))
    } catch {
      report(error, at: node)
      return nil
    }
  }

  private mutating func count(_ node: YAMLNode, unit: OperandUnit) -> PredicateSpec? {
    guard let specs = predicates(node, unit: unit == .size ? .size : .plain) else { return nil }
    if node.members == nil, case .fixed(.equals(let value))? = specs.first, !isCount(value) {
      bag.error(
        "`count` takes \(PredicateName.count.operandPhrase), found \(value.phrase)", at: node.range,
        notes: useNote(node))
      return nil
    }
    return nested(.count, specs)
  }

  private func isCount(_ value: Value) -> Bool {
    if case .number(let number) = value { number.isInteger && number >= Number(0) } else { false }
  }

  /// An empty mapping or list is included in every one, and so checks nothing.
  private mutating func checkIncluded(_ node: YAMLNode) -> Bool {
    let parts = node.members?.map(\.value) ?? node.items
    if parts?.isEmpty == true {
      let what = node.members == nil ? "list" : "mapping"
      bag.error(
        "every \(what) includes the empty one: this checks nothing", at: node.range, notes: useNote(node),
        help: "write `equals` or `{count: 0}` for what must be empty")
      return false
    }
    return (parts ?? []).map { checkIncluded($0) }.allSatisfy { $0 }
  }

  /// Made once where nothing inside is left to resolve.
  private func nested(_ name: PredicateName, _ specs: [PredicateSpec]) -> PredicateSpec {
    var predicates: [Predicate] = []
    for spec in specs {
      guard case .fixed(let predicate) = spec else { return .nested(name, specs) }
      predicates.append(predicate)
    }
    return .fixed(nestedPredicate(name, predicates))
  }
}

func nestedPredicate(_ name: PredicateName, _ predicates: [Predicate]) -> Predicate {
  switch name {
  case .count: .count(predicates)
  case .every: .every(predicates)
  case .any: .any(predicates)
  case .none: .none(predicates)
  default: .not(predicates)
  }
}
