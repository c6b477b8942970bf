import Matching
import Values
import YAMLNodes

extension SpecReader {
  /// The predicates on a subject: a literal mapping contains them, anything else is `equals`.
  mutating func predicates(_ node: YAMLNode, unit: OperandUnit = .plain) -> [PredicateSpec]? {
    if node.hasError { return nil }
    guard node.localTag == nil, let all = node.members else {
      return predicate(.equals, node, unit: unit).map { [$0] }
    }
    return predicates(all, of: node, unit: unit)
  }

  /// The predicates among the members of a mapping, and then those of its `all`.
  mutating func predicates(_ all: [YAMLMember], of node: YAMLNode, unit: OperandUnit) -> [PredicateSpec]? {
    var order = PredicateOrder.asWritten
    guard let members = predicateMembers(all.filter { !isConjunction($0) }, &order) else { return nil }
    let conjunctions = all.filter(isConjunction)
    if members.isEmpty, conjunctions.isEmpty {
      return reject(
        .emptyValue, "an empty mapping checks nothing", at: node, help: "write `{equals: {}}` or `{exists: true}`")
    }
    if !members.isEmpty, reportPlainMapping(members, node) { return nil }
    var result: [PredicateSpec] = []
    for member in members {
      guard let kind = PredicateKind.named(member.key) else {
        unknownPredicate(member, isAlone: all.count == 1)
        continue
      }
      if let spec = predicate(kind, member.value, unit: unit, order) { result.append(spec) }
    }
    var isGood = result.count == members.count
    for member in conjunctions {
      guard let items = conjunction(member) else {
        isGood = false
        continue
      }
      for item in items {
        if let specs = predicates(item, unit: unit) { result += specs } else { isGood = false }
      }
    }
    return isGood ? result : nil
  }

  /// The mappings of an `all`; nil, and reported, if it has anything else.
  mutating func conjunction(_ member: YAMLMember) -> [YAMLNode]? {
    let items = member.value.items ?? []
    if items.isEmpty {
      return reject(
        .emptyValue, "an empty list checks nothing", at: member.value,
        help: "write mappings of predicates: `all: [{contains: a}, {contains: b}]`")
    }
    guard let other = items.first(where: { $0.members == nil || $0.localTag != nil }) else { return items }
    if !other.hasError {
      report(
        .wrongType, "`all` takes a list of mappings of predicates, found \(other.kindPhrase)", at: other,
        help: "write {equals: \(other.range.firstLine.text)}, or `includes` for items that a list has")
    }
    return nil
  }

  /// The members that are predicates; `unordered` sets the order of the others.
  private mutating func predicateMembers(_ all: [YAMLMember], _ order: inout PredicateOrder) -> [YAMLMember]? {
    let members = all.filter { !$0.key.hasPrefix("x-") && $0.key != "unordered" }
    guard let word = all.first(where: { $0.key == "unordered" }) else { return members }
    guard members.contains(where: { PredicateKind.named($0.key)?.operand == .anyValue }) else {
      let hasIncludes = members.contains { $0.key == PredicateKind.includes.name }
      return reject(
        .orphanedKey, "`unordered` says how `equals` compares, which is not here", at: word.keyRange,
        help: hasIncludes ? "remove it: `includes` never looks at the order" : "write `equals` beside it")
    }
    guard let isUnordered = constant(word.value, as: "unordered", .boolean) else { return nil }
    order = isUnordered ? .any : .asWritten
    return members
  }

  /// Reports a mapping of data in place of predicates, once.
  private mutating func reportPlainMapping(_ members: [YAMLMember], _ node: YAMLNode) -> Bool {
    guard members.allSatisfy({ PredicateKind.named($0.key) == nil }),
      members.contains(where: { predicateAdvice($0) == nil })
    else { return false }
    if members.contains(where: { $0.value.hasError }) { return true }
    let names = members.prefix(3).map { "`\(jsonEscaped($0.key))`" }.joined(separator: ", ")
    let text = node.useSite == nil ? includedText(members) : nil
    bag.error(
      .unknownPredicate,
      "a mapping under `expect` is read as predicates, and \(names) \(members.count == 1 ? "is not one" : "are not")",
      at: members[0].keyRange, notes: useNote(node),
      help: (text.map { "write {includes: \($0)}" } ?? "write `includes:` above, and indent these below it")
        + " (other members may be there), or `equals`")
    return true
  }

  /// The form in which `includes` accepts such a mapping: paths as names of members, predicates as `!is`.
  private func includedText(_ members: [YAMLMember], depth: Int = 0) -> String? {
    guard depth < 4 else { return nil }
    var parts: [String] = []
    for member in members {
      let inner = member.value.localTag == nil ? member.value.members ?? [] : []
      let names = inner.compactMap { PredicateKind.likely($0.key) }
      var value: String?
      if inner.isEmpty {
        value = flowText(member.value)
      } else if names.count == inner.count {
        let operands = inner.compactMap { flowText($0.value) }
        guard operands.count == names.count else { return nil }
        value = "!is {\(zip(names, operands).map { "\($0.name): \($1)" }.joined(separator: ", "))}"
      } else {
        value = includedText(inner, depth: depth + 1)
      }
      guard let value else { return nil }
      guard member.key.hasPrefix("$.") else {
        parts.append("\(member.keyRange.text): \(value)")
        continue
      }
      let path = member.key.dropFirst(2).split(separator: ".", omittingEmptySubsequences: false)
      guard path.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }) else {
        return nil
      }
      parts.append(path.joined(separator: ": {") + ": \(value)" + String(repeating: "}", count: path.count - 1))
    }
    let text = "{\(parts.joined(separator: ", "))}"
    return text.utf8.count <= 80 ? text : nil
  }

  /// A value in a form that is valid within braces; nil for a long one.
  func flowText(_ node: YAMLNode) -> String? {
    let text = node.range.text
    guard text.utf8.count <= 80, !text.contains(where: \.isNewline) else { return nil }
    switch node.content {
    case .mapping(let members):
      return text.hasPrefix("{") || node.localTag != nil || members.isEmpty ? text : "{\(text)}"
    case .sequence: return text.hasPrefix("- ") ? nil : text
    case .scalar:
      let isQuoted = text.hasPrefix("'") || text.hasPrefix("\"")
      return isQuoted || !text.contains(where: { "{}[],".contains($0) }) ? text : nil
    }
  }

  /// - Parameter isAlone: whether the mapping has no other member, and so hardly means data.
  private mutating func unknownPredicate(_ member: YAMLMember, isAlone: Bool) {
    let comparing = "to compare with a mapping write `includes` (other members may be there) or `equals`"
    if let help = predicateAdvice(member) {
      let kind = PredicateKind.all.first { help == "write `\($0.name)`" }
      let operand = kind.flatMap { _ in flowText(member.value) }
      let isClear = isAlone && (kind?.operand != .kind || member.value.plainText.flatMap(MatchKind.init) != nil)
      let replacement =
        kind.flatMap { kind in
          operand.map { operand in
            let needsTolerance = kind.operand == .distance && member.value.members == nil
            return "write `\(kind.name): \(needsTolerance ? "{value: \(operand), within: 0.01}" : operand)`"
          }
        } ?? help
      bag.error(
        .unknownPredicate, "unknown predicate `\(jsonEscaped(member.key))`", at: member.keyRange,
        help: PredicateWord.isNameOfData(member.key) && !isClear ? "\(help); \(comparing)" : replacement)
    } else {
      bag.error(
        .unknownPredicate,
        "`\(jsonEscaped(member.key))` is not a predicate: a mapping under `expect` is read as predicates",
        at: member.keyRange, help: comparing)
    }
  }

  /// The advice for a key that is meant as a predicate; nil for names of data.
  func predicateAdvice(_ member: YAMLMember) -> String? {
    let key = member.key
    if let kind = PredicateKind.signed(key.lowercased()) { return "write `\(kind.name)`" }
    if hasTags(member.value) { return nil }
    if let help = PredicateWord.advice(key, value: member.value) { return help }
    let names = PredicateKind.all.map(\.name) + ["unordered", "all"]
    if let (scalar, _) = misleadingCharacter(in: key), names.contains(plainLooking(key)) {
      return "write `\(plainLooking(key))` anew: it has \(characterName(scalar))"
    }
    guard let nearest = nearestWord(to: key, among: names), nearest != "is" || member.value.plainText != nil else {
      return nil
    }
    return "did you mean `\(nearest)`?"
  }

  mutating func predicate(
    _ kind: PredicateKind, _ node: YAMLNode, unit: OperandUnit, _ order: PredicateOrder = .asWritten
  ) -> PredicateSpec? {
    if node.hasError { return nil }
    switch kind.operand {
    case .items: return inner(of: kind, node, unit: unit)
    case .count: return count(node, unit: unit)
    case .predicates:
      guard node.members != nil, node.localTag == nil else {
        return reject(
          .wrongType, "`\(kind.name)` takes \(kind.operand.phrase), found \(node.kindPhrase)", at: node,
          help: node.items != nil && node.localTag == nil
            ? "write `not: {one_of: \(flowText(node) ?? "[…]")}`"
            : "write `not_equals: \(node.scalar == nil || node.localTag != nil ? "…" : node.range.firstLine.text)`")
      }
      return inner(of: kind, node, unit: unit)
    case .members where !checkIncluded(node): return nil
    case .pattern: checkPattern(node)
    default: break
    }
    if kind.operand.takesShapes {
      guard checkLiteral(node, of: kind) else { return nil }
      warnOfAnything(kind, node)
      warnOfQuotedTags(node)
      let isUnordered = order == .any && kind.operand == .anyValue
      if isUnordered || hasTags(node) { return shapedPredicate(kind, node, unit: unit, isUnordered: isUnordered) }
    }
    if let tag = node.localTag {
      let isKind = kind.operand == .kind
      return reject(
        .misplacedTag,
        "`\(kind.name)` takes \(isKind ? "the word for a kind" : kind.operand.phrase), found the tag `\(tag.text)`",
        at: tag.range, notes: useNote(node),
        help: isKind && MatchKind(rawValue: tag.name) != nil ? "write `\(kind.name): \(tag.name)`" : nil)
    }
    // What must not be there may be a placeholder; whether its value is there, the response shows.
    if kind === PredicateKind.notContains { foreignPlaces.insert(node.range.bytes.lowerBound) }
    guard let operand = valueTemplate(node) else { return nil }
    guard let literal = operand.literal else { return .operand(kind, operand, unit) }
    do {
      let predicate = try makePredicate(kind, operand: literal, unit: unit)
      warnIfMatchingAnything(predicate, node)
      warnOfYear(predicate, node)
      return .fixed(predicate)
    } catch {
      return reject(error, at: node)
    }
  }

  /// A predicate that applies others.
  private mutating func inner(of kind: PredicateKind, _ node: YAMLNode, unit: OperandUnit) -> PredicateSpec? {
    if kind.isNegation { denials += 1 }
    defer { if kind.isNegation { denials -= 1 } }
    return predicates(node, unit: unit).map { nested(kind, $0) }
  }

  private mutating func count(_ node: YAMLNode, unit: OperandUnit) -> PredicateSpec? {
    if let tag = node.localTag {
      return reject(
        .misplacedTag, "`count` takes \(PredicateOperand.count.phrase), found the tag `\(tag.text)`", at: tag.range,
        notes: useNote(node))
    }
    guard let specs = predicates(node, unit: unit == .size ? .size : .plain) else { return nil }
    if node.members == nil, case .fixed(let predicate)? = specs.first, let value = predicate.value(of: .equals),
      !isCount(value)
    {
      return reject(.wrongType, "`count` takes \(PredicateOperand.count.phrase), found \(value.phrase)", at: node)
    }
    if specs.contains(where: { $0.alwaysHolds(in: .count) }) {
      warn(
        .alwaysTrue, "every count is an integer and at least 0: this always holds", at: node,
        help: "write `{at_least: 1}`, or `{exists: true}`")
    }
    return nested(.count, specs)
  }

  private func isCount(_ value: Value) -> Bool {
    if case .number(let number) = value { number.isInteger && number >= Number(0) } else { false }
  }

  /// Checks an included value: an empty mapping or list is included in every one, and so checks nothing.
  private mutating func checkIncluded(_ node: YAMLNode) -> Bool {
    if node.localTag != nil { return true }
    let parts = node.members?.map(\.value) ?? node.items
    if parts?.isEmpty == true {
      let what = node.members == nil ? "list" : "mapping"
      report(
        .emptyValue, "every \(what) includes the empty one: this checks nothing", at: node,
        help: "write `equals` or `{count: 0}` for what must be empty")
      return false
    }
    return (parts ?? []).map { checkIncluded($0) }.allSatisfy { $0 }
  }

  /// Makes the predicate now if nothing inside remains to resolve.
  private func nested(_ kind: PredicateKind, _ specs: [PredicateSpec]) -> PredicateSpec {
    var predicates: [Predicate] = []
    for spec in specs {
      guard case .fixed(let predicate) = spec else { return .nested(kind, specs) }
      predicates.append(predicate)
    }
    return .fixed(Predicate(kind, .predicates(predicates)))
  }
}

/// Returns whether a member is an `all` with several mappings of predicates; words of other tools take a value.
func isConjunction(_ member: YAMLMember) -> Bool {
  member.key == "all" && member.value.items != nil && member.value.localTag == nil
}

/// The treatment of lists' order in comparisons.
enum PredicateOrder {
  case asWritten, any
}
