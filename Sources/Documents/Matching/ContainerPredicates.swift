import Values

extension PredicateKind {
  package static let contains = PredicateKind(
    "contains", words: "has", takes: .part, of: .containers, goesThroughItems: true,
    documentation: (
      "text, arrays, objects, data",
      "a part of the text, an item, a key; an empty text is refused, for it is part of every text"
    ),
    expectation: { predicate, wording in
      containerPhrase(predicate.value, wording) + " that contains " + wording.shown(predicate.value)
    },
    outcome: { $0.containment($1.value, $1, $2) })

  package static let notContains = PredicateKind(
    "not_contains", words: "notcontain doesnotcontain", takes: .part, of: .containers, isNegation: true,
    goesThroughItems: true,
    expectation: { predicate, wording in
      containerPhrase(predicate.value, wording) + " that does not contain " + wording.shown(predicate.value)
    },
    outcome: { $0.nonContainment($1.value, $1, $2) })

  static let parts = [contains, notContains]

  package static let count = PredicateKind(
    "count", words: "length len size havelength haslength lengthof", takes: .count, of: .containers,
    documentation: (
      "text, arrays, objects, bytes, lines",
      """
      a number, or predicates on it. Text counts Unicode scalars, as JSON Schema does: `"é"` may be 1 or 2, a family emoji \
      5
      """
    ),
    expectation: { predicate, wording in
      if wording.namesTypes {
        return "a string, array or object with " + sizeExpectation(predicate.inner, noun: "item")
      }
      return "a count of " + joined(predicate.inner.map { Matching.expectation($0) }, by: " and ")
    },
    outcome: { $0.sizeMatch($1.inner, $1, $2) })

  package static let includes = PredicateKind(
    "includes", words: "subset matchobject", takes: .members, of: .containers, goesThroughItems: true,
    documentation: (
      "objects, arrays, text",
      """
      partial and deep: the named members match, each listed item matches a different item, in any order; of a text, each \
      listed text is a part
      """
    ),
    expectation: { predicate, wording in
      includerPhrase(predicate.value, wording) + " that includes " + rendered(predicate.value, unit: wording.unit)
    },
    outcome: { evaluator, predicate, target in
      if target.kind == .text, case .list(let parts) = predicate.value {
        return evaluator.partInclusion(parts, predicate, target)
      }
      return evaluator.shapedMatch(ShapedPredicate(.includes, .value(predicate.value)), predicate, target)
    })

  static let containers = [count, includes]
}

private func includerPhrase(_ operand: Value, _ wording: ExpectationWording) -> Text {
  guard operand.kind == .list else { return Text(typePhrase(operand)) }
  if wording.namesTypes { return "a string or an array" }
  return wording.kind == .text ? "a string" : Text(typePhrase(operand))
}

private func containerPhrase(_ operand: Value, _ wording: ExpectationWording) -> Text {
  if !wording.namesTypes {
    return switch wording.kind {
    case .text: "a string"
    case .list: "an array"
    case .mapping: "an object"
    default: "something"
    }
  }
  return operand.kind == .text ? "a string, an array or an object" : "an array"
}

extension PredicateEvaluator {
  fileprivate func containment(_ operand: Value, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    if let items = target.kind == .list ? target.items : nil {
      let isFound = items.contains { isEqual(operand, .single($0)) }
      if isFound { return .holds }
      let outcome = fails(predicate, target, hint: itemHint(operand, items, isDenied: predicate.kind.isNegation))
      let isAlike = items.prefix(1000).contains { item in
        item.kind != .mapping && PredicateEvaluator.areAlike(operand, .single(item))
      }
      return isAlike ? outcome.asInapplicable : outcome
    }
    switch (target.kind, operand) {
    case (.text, .text(let part)):
      guard let text = text(target) else { return inapplicable(predicate, target) }
      if part.isEmpty { return emptyOperand(predicate, target) }
      if occurs(part.string.utf8, in: text.string.utf8) { return .holds }
      return fails(
        predicate, showing: { nearestPart(part, in: text) }, hint: partHint(part.string, text.string))
    case (.mapping, .text(let key)):
      guard case .mapping(let mapping) = target.value else { return inapplicable(predicate, target) }
      if mapping.members.contains(where: { $0.key == key }) { return .holds }
      return fails(
        predicate, target,
        hint: mapping.isEmpty ? nil : "`contains` looks for a key of an object; write `includes` for its values")
    case (.data, .text(let part)) where !part.isEmpty: return contains(Array(part.string.utf8), predicate, target)
    case (.data, .data(let part)) where !part.bytes.isEmpty: return contains(part.bytes, predicate, target)
    case (.mapping, .mapping):
      return inapplicable(predicate, target, hint: "write `includes` to compare some members of an object")
    case (.text, .list):
      return inapplicable(
        predicate, target,
        hint: predicate.kind.isNegation ? nil : "`contains` looks for one part of a text; write `includes` for several")
    default: return inapplicable(predicate, target, hint: numberHint(operand, predicate, target))
    }
  }

  private func numberHint(_ operand: Value, _ predicate: Predicate, _ target: MatchTarget) -> String? {
    target.kind == .text && operand.kind == .number
      ? "text never compares with a number: write `\(predicate.kind.name): \(predicate.kind === PredicateKind.includes ? "[\"…\"]" : "\"…\"")`"
      : nil
  }

  fileprivate func nonContainment(_ operand: Value, _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    let outcome = containment(operand, predicate, target)
    guard case .holds = outcome, case .text(let part) = operand, let text = text(target) else {
      if outcome.holds, let items = target.kind == .list ? target.items : nil {
        return fails(
          predicate, target,
          actual: items.firstIndex { isEqual(operand, .single($0)) }.flatMap { index in
            items.count > 10 ? Text("[\(index)] is ") + rendered(.single(items[index]), unit: unit) : nil
          })
      }
      return inverted(outcome, predicate, target)
    }
    return fails(predicate, showing: { shownPart(part.string.utf8.count, of: part, in: text) })
  }

  private func contains(_ part: [UInt8], _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard case .data(let data) = target.value else { return inapplicable(predicate, target) }
    return occurs(part, in: data.bytes) ? .holds : fails(predicate, target)
  }

  private func partHint(_ part: String, _ text: String) -> String? {
    // The range of the part, if it can be shown.
    if text.utf8.count > subtletyLimit { return nil }
    if rangeIgnoringCase(of: part, in: text) != nil { return nil }
    return occurs(part.lowercased().utf8, in: text.lowercased().utf8)
      ? "it is there in another letter case" : lookalike(of: part, in: text)
  }

  private func itemHint(_ operand: Value, _ items: MatchList, isDenied: Bool) -> String? {
    switch operand {
    case .list(let parts):
      let areThere = !isDenied && parts.allSatisfy { part in items.contains { isEqual(part, .single($0)) } }
      return areThere
        ? "`contains` looks for one item; write `includes` for several" : lookAlike(operand, items, isDenied: isDenied)
    case .mapping:
      let objects = Array(items.lazy.filter { $0.kind == .mapping }.prefix(1000))
      let isPart = objects.contains { ShapeMatcher(isPartial: true).holds(.value(operand), $0.value) }
      return isPart || objects.count == 1
        ? "`contains` compares whole items; write `{any: {includes: …}}` to compare some of their members"
        : nearestItem(operand, items)
    case .text(let text): return lookAlike(operand, items, isDenied: isDenied) ?? nearItem(text, items)
    default: return lookAlike(operand, items, isDenied: isDenied)
    }
  }

  /// The first item that differs only in type or form.
  private func lookAlike(_ operand: Value, _ items: MatchList, isDenied: Bool) -> String? {
    for (index, item) in items.prefix(1000).enumerated() where item.kind != .mapping {
      let place = item.location ?? "[\(index)]"
      if item.kind != .list, let advice = PredicateEvaluator.quoteAdvice(operand, item.value) {
        return "\(place) is \(typed(item.value).masked): \(advice)"
      }
      guard PredicateEvaluator.formHint(operand, .single(item)) != nil else { continue }
      let inner = (item.kind == .list ? "contains" : "one_of") + ": \(PredicateEvaluator.written(operand))"
      return "\(place) is \(item.kind == .list ? "an array that contains it" : "one of its own items")"
        + ": write `\(isDenied ? "none" : "any"): {\(inner)}`"
    }
    return nil
  }

  private func nearestItem(_ operand: Value, _ items: MatchList) -> String? {
    var best: (place: Place, first: Difference, count: Int)?
    for (index, item) in items.prefix(50).enumerated() where item.kind == operand.kind {
      let place = item.location.map { Place.root($0) } ?? .item(place, index)
      let list = differenceList(expected: operand, actual: item.value, place: place)
      guard let first = list.listed.first else { continue }
      let count = list.listed.count + list.more
      if count < best?.count ?? .max { best = (place, first, count) }
    }
    return best.map { "\($0.place.string) comes nearest, but \($0.first.statement)" }
  }

  /// The item most similar to a missing text.
  private func nearItem(_ text: Text, _ items: MatchList) -> String? {
    guard !text.isSecret, text.string.utf8.count <= 64 else { return nil }
    let texts = items.prefix(1000).enumerated().compactMap { index, item -> (index: Int, text: String)? in
      guard item.kind == .text, case .text(let text) = item.value, !text.isSecret, text.string.utf8.count <= 64 else {
        return nil
      }
      return (index, text.string)
    }
    guard let near = nearestName(to: text.string, among: texts.map(\.text)),
      let found = texts.first(where: { $0.text == near })
    else { return nil }
    return "\(items[found.index].location ?? "[\(found.index)]") comes near: \(quoted(near))"
  }

  // MARK: includes

  /// Each of the texts is a part of a text.
  fileprivate func partInclusion(_ parts: [Value], _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard let text = text(target) else { return inapplicable(predicate, target) }
    var missing: [Text] = []
    for part in parts {
      guard case .text(let part) = part else {
        return inapplicable(predicate, target, hint: numberHint(part, predicate, target))
      }
      if part.isEmpty { return emptyOperand(predicate, target) }
      if !occurs(part.string.utf8, in: text.string.utf8) { missing.append(part) }
    }
    guard let first = missing.first else { return .holds }
    let lacking = missing.prefix(DifferenceList.limit).map { quoted($0, limit: 60).masked }.joined(separator: ", ")
    let more = missing.count - DifferenceList.limit
    return fails(
      predicate, showing: { nearestPart(first, in: text) },
      hint: parts.count == 1
        ? partHint(first.string, text.string)
        : "\(missing.count) of \(parts.count) are not part of it: \(lacking)\(more > 0 ? ", and \(more) more" : "")")
  }

  // MARK: count

  fileprivate func sizeMatch(_ inner: [Predicate], _ predicate: Predicate, _ target: MatchTarget) -> MatchOutcome {
    guard let (count, noun) = size(target) else { return inapplicable(predicate, target) }
    let evaluator = PredicateEvaluator(place: place)
    let outcome = evaluator.outcome(of: inner, against: MatchTarget(.integer(count)))
    let report = {
      MatchFailure(
        predicate: describe(predicate), expected: sizeExpectation(inner, noun: noun),
        actual: sizeText(count, noun, of: target),
        hint: outcome.failure?.hint)
    }
    switch outcome {
    case .holds: return .holds
    case .fails: return .fails(report)
    case .inapplicable: return .inapplicable(report)
    }
  }

  /// The size and its noun; for bytes, nothing more than the count.
  private func sizeText(_ count: Int, _ noun: String, of target: MatchTarget) -> Text {
    if count == 0 { return Text("no \(noun)s") }
    if target.kind == .data { return Text(counted(count, noun)) }
    return Text(counted(count, noun) + ": ") + rendered(target, unit: unit)
  }

  func size(_ target: MatchTarget) -> (count: Int, noun: String)? {
    switch target {
    case .missing: nil
    case .single(let item): item.size
    case .list(let items): (items.count, target.itemNoun)
    case .lines(let lines, _): (lines.count, target.itemNoun)
    }
  }
}
