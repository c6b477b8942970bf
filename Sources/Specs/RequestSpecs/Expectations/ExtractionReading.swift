import DocumentQueries
import Matching
import Values
import YAMLNodes

// MARK: Predicates on a part of a subject

extension SpecReader {
  /// Predicates on a subject of which a part may be taken first; nil if there are errors.
  ///
  /// - Parameter outer: the extractions before those of this mapping.
  mutating func extractedPredicates(
    _ node: YAMLNode, of label: String, _ type: SubjectType, after outer: [Extraction] = []
  ) -> [ExtractedPredicates]? {
    guard hasExtraction(node), let members = node.members else {
      guard checkPredicates(node, of: label, type), let specs = predicates(node, unit: type.unit) else { return nil }
      return [ExtractedPredicates(extractions: outer, predicates: specs)]
    }
    var parts = CaptureParts()
    let errorsBefore = bag.errorCount
    for member in members {
      if let key = CaptureKey.extraction.first(where: { $0.name == member.key }) { key.read(&self, member, &parts) }
    }
    guard bag.errorCount == errorsBefore, checkGroup(of: parts) else { return nil }
    let extraction = parts.extraction
    let chain = outer + (extraction.map { [$0] } ?? [])
    let (label, type) = (extraction.map { "\(label) \($0.label)" } ?? label, extraction?.type(of: type) ?? type)
    var result: [ExtractedPredicates] = []
    let rest = members.filter { member in !CaptureKey.extraction.contains { $0.name == member.key } }
    let own = rest.filter { !isConjunction($0) }
    if own.contains(where: { !$0.key.hasPrefix("x-") }) {
      guard checkPredicates(own, of: label, type), let specs = predicates(own, of: node, unit: type.unit) else {
        return nil
      }
      result.append(ExtractedPredicates(extractions: chain, predicates: specs))
    }
    for member in rest where isConjunction(member) {
      for item in conjunction(member) ?? [] {
        result += extractedPredicates(item, of: label, type, after: chain) ?? []
      }
    }
    if result.isEmpty, bag.errorCount == errorsBefore { reportIdleExtraction(members, node) }
    return bag.errorCount == errorsBefore ? result : nil
  }

  /// Returns whether a mapping of predicates takes a part of its subject.
  func hasExtraction(_ node: YAMLNode) -> Bool {
    guard node.localTag == nil, let members = node.members else { return false }
    return members.contains { member in
      switch member.key {
      case "regex": true
      case "as":
        Extraction.Conversion(rawValue: member.value.plainText ?? "") != nil
          || members.contains { PredicateKind.named($0.key) != nil }
      default: isConjunction(member) && (member.value.items ?? []).contains(where: hasExtraction)
      }
    }
  }

  /// Reports a part that is taken without anything being expected of it.
  private mutating func reportIdleExtraction(_ members: [YAMLMember], _ node: YAMLNode) {
    guard let member = members.first(where: { $0.key == "regex" || $0.key == "as" }) else { return }
    let value = member.value.range.firstLine.text
    let kind = member.value.plainText.flatMap(MatchKind.init(rawValue:))
    let instead =
      member.key == "regex" ? "`matches: \(value)`" : kind.map { "`is: \($0.rawValue)`" } ?? "what it must be"
    bag.error(
      .emptyValue, "nothing is expected of what `\(member.key)` takes", at: member.keyRange, notes: useNote(node),
      help: "write \(instead) instead, or a predicate beside it: {\(member.key): \(value), equals: …}")
  }
}

// MARK: Groups

extension SpecReader {
  /// `group`: a number, a name, or a list of names.
  mutating func patternGroup(_ node: YAMLNode) -> Located<PatternGroup>? {
    if let items = node.items {
      let names = items.compactMap { constant($0, as: "group", .text)?.string }
      guard names.count == items.count else { return nil }
      if names.isEmpty {
        return reject(.missingKey, "no group is named here", at: node, help: "leave the key out")
      }
      return Located(.names(names), at: node.range)
    }
    return constant(node, as: "group", .patternGroup).map { Located($0, at: node.range) }
  }

  /// Checks that a group is used with a pattern, and that a literal pattern has it.
  mutating func checkGroup(of parts: CaptureParts) -> Bool {
    guard let group = parts.group else { return true }
    guard let regex = parts.regex else {
      bag.error(
        .orphanedKey, "`group` belongs to a `regex`, and there is none", at: group.range, help: "add `regex: …`")
      return false
    }
    if let pattern = regex.literal, let problem = pattern.problem(with: group.value) {
      bag.error(problem.code, problem.message, at: group.range, help: problem.help)
      return false
    }
    return true
  }
}

extension ValueDecoder<PatternGroup> {
  fileprivate static var patternGroup: ValueDecoder {
    ValueDecoder("the number or the name of a group, or a list of names", .any([.integer(0...Int.max), .someText])) {
      value throws(DecodingProblem) in
      switch value {
      case .number(let number): number.int.flatMap { $0 >= 0 ? .number($0) : nil }
      case .text(let text) where !text.isEmpty: .name(text.string)
      default: nil
      }
    }
  }
}

extension RegularExpression {
  /// The problem if the pattern has no such group; nil if it has.
  package func problem(with group: PatternGroup) -> DecodingProblem? {
    switch group {
    case .number(let number):
      if number <= groupCount { return nil }
      let count = groupCount == 0 ? "no groups" : counted(groupCount, "group")
      return DecodingProblem(
        .invalidValue, "the pattern has \(count), and no group \(number)",
        help: groupCount == 0 ? "put parentheses around the part to take" : nil)
    case .name(let name): return problem(withNames: [name])
    case .names(let names): return problem(withNames: names)
    }
  }

  private func problem(withNames names: [String]) -> DecodingProblem? {
    guard let unknown = names.first(where: { !groupNames.contains($0) }) else { return nil }
    let known = groupNames.joined(separator: ", ")
    return DecodingProblem(
      .invalidValue, "the pattern has no group named `\(jsonEscaped(unknown))`",
      help: groupNames.isEmpty
        ? "a group gets its name so: (?<name>…)" : suggestion(unknown, among: groupNames) ?? "its groups are \(known)")
  }
}
