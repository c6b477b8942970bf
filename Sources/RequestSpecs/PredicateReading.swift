import Diagnostics
import Matching
import Values
import YAMLNodes

extension SpecReader {
  /// What is expected of a subject: a written mapping is predicates, anything else is `equals`.
  mutating func predicates(_ node: YAMLNode, unit: OperandUnit = .plain) -> [PredicateSpec]? {
    if node.hasError { return nil }
    guard node.localTag == nil, let all = node.members else {
      return predicate(.equals, node, unit: unit).map { [$0] }
    }
    var order = PredicateOrder.asWritten
    guard let members = predicateMembers(all, &order) else { return nil }
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
      if let spec = predicate(name, member.value, unit: unit, order) { result.append(spec) }
    }
    return result.count == members.count ? result : nil
  }

  /// The members that are predicates; `unordered` says how others compare.
  private mutating func predicateMembers(_ all: [YAMLMember], _ order: inout PredicateOrder) -> [YAMLMember]? {
    let members = all.filter { !$0.key.hasPrefix("x-") && $0.key != "unordered" }
    guard let word = all.first(where: { $0.key == "unordered" }) else { return members }
    let equality = [PredicateName.equals, .notEquals].map(\.rawValue)
    guard members.contains(where: { equality.contains($0.key) }) else {
      let hasIncludes = members.contains { $0.key == PredicateName.includes.rawValue }
      bag.error(
        "`unordered` says how `equals` compares, which is not here", at: word.keyRange,
        help: hasIncludes ? "remove it: `includes` never looks at the order" : "write `equals` beside it")
      return nil
    }
    guard let isUnordered = constant(word.value, as: "unordered", .boolean) else { return nil }
    order = isUnordered ? .any : .asWritten
    return members
  }

  private mutating func unknownPredicate(_ member: YAMLMember) {
    let comparing = "to compare with a mapping write `includes` (other members may be there) or `equals`"
    if let sign = comparisonSigns[member.key.lowercased()] {
      bag.error(
        "unknown predicate `\(jsonEscaped(member.key))`", at: member.keyRange,
        help: "did you mean `\(sign.rawValue)`?")
    } else if let word = predicateSynonyms[member.key], !hasTags(member.value) {
      bag.error(
        "`\(jsonEscaped(member.key))` is no predicate: a mapping under `expect` is read as predicates",
        at: member.keyRange, help: "write `\(word.rawValue)`; \(comparing)")
    } else if let nearest = suggestion(member.key, among: PredicateName.allCases.map(\.rawValue) + ["unordered"]),
      !hasTags(member.value), nearest != suggestion("is", among: ["is"]) || member.value.plainText != nil
    {
      bag.error("unknown predicate `\(jsonEscaped(member.key))`", at: member.keyRange, help: nearest)
    } else {
      bag.error(
        "`\(jsonEscaped(member.key))` is no predicate: a mapping under `expect` is read as predicates",
        at: member.keyRange, help: comparing)
    }
  }

  mutating func predicate(
    _ name: PredicateName, _ node: YAMLNode, unit: OperandUnit, _ order: PredicateOrder = .asWritten
  ) -> PredicateSpec? {
    if node.hasError { return nil }
    switch name {
    case .every, .any: return predicates(node, unit: unit).map { nested(name, $0) }
    case .none: return denied(node, unit: unit).map { nested(name, $0) }
    case .count: return count(node, unit: unit)
    case .not:
      guard node.members != nil, node.localTag == nil else {
        bag.error(
          "`not` takes \(name.operandPhrase), found \(node.kindPhrase)", at: node.range, notes: useNote(node),
          help: "write `not_equals`")
        return nil
      }
      return denied(node, unit: unit).map { nested(name, $0) }
    case .includes where !checkIncluded(node): return nil
    default: break
    }
    if shapedNames.contains(name), !checkLiteral(node, of: name) { return nil }
    let isUnordered = order == .any && (name == .equals || name == .notEquals)
    if shapedNames.contains(name), isUnordered || hasTags(node) {
      return shapedPredicate(name, node, unit: unit, isUnordered: isUnordered)
    }
    if let tag = node.localTag {
      let isKind = name == .isKind || name == .isNotKind
      bag.error(
        "`\(name.rawValue)` takes \(name.operandPhrase), found the tag `\(tag.text)`", at: tag.range,
        notes: useNote(node),
        help: isKind && MatchKind(rawValue: tag.name) != nil ? "write `\(name.rawValue): \(tag.name)`" : nil)
      return nil
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

  private mutating func denied(_ node: YAMLNode, unit: OperandUnit) -> [PredicateSpec]? {
    denials += 1
    defer { denials -= 1 }
    return predicates(node, unit: unit)
  }

  private mutating func count(_ node: YAMLNode, unit: OperandUnit) -> PredicateSpec? {
    if let tag = node.localTag {
      bag.error(
        "`count` takes \(PredicateName.count.operandPhrase), found the tag `\(tag.text)`", at: tag.range,
        notes: useNote(node))
      return nil
    }
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
    if node.localTag != nil { return true }
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

/// What other tools call a comparison, which is seldom a name of data.
let comparisonSigns: [String: PredicateName] = [
  "lt": .lessThan, "<": .lessThan, "lte": .atMost, "le": .atMost, "<=": .atMost, "gt": .greaterThan,
  ">": .greaterThan, "gte": .atLeast, "ge": .atLeast, ">=": .atLeast, "eq": .equals, "==": .equals, "ne": .notEquals,
  "neq": .notEquals, "!=": .notEquals,
]

/// What other tools call a predicate, which may as well be a name of data.
private let predicateSynonyms: [String: PredicateName] = [
  "regex": .matches, "regexp": .matches, "pattern": .matches, "like": .matches, "type": .isKind, "length": .count,
  "len": .count, "size": .count, "present": .exists, "in": .oneOf, "enum": .oneOf, "min": .atLeast, "minimum": .atLeast,
  "max": .atMost, "maximum": .atMost, "has": .contains, "all": .every, "each": .every, "some": .any, "range": .between,
  "approx": .closeTo, "subset": .includes,
]

/// Whether lists compare in their order.
enum PredicateOrder {
  case asWritten, any
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
