import DocumentQueries
import Values

/// The likeness of a value that isn't what is expected to what is.
enum Likeness {
  case same
  case other(hint: String)

  var hint: String? { if case .other(let hint) = self { hint } else { nil } }

  /// Nil if the value is neither what the predicate compares with nor that in another form.
  init?(of target: MatchTarget, to predicate: Predicate) {
    var search = LikenessSearch()
    guard let found = search.likeness(of: target, to: predicate) else { return nil }
    self = found
  }
}

private struct LikenessSearch {
  /// The number of values that are compared.
  private var budget = 10_000

  mutating func likeness(of target: MatchTarget, to predicate: Predicate) -> Likeness? {
    if case .pattern(let pattern) = predicate.operand {
      guard target.kind == .text, case .text(let text) = target.value else { return nil }
      return patternHint(pattern, in: text).map { .other(hint: $0) }
    }
    guard let (use, shape) = predicate.comparison else { return nil }
    switch (use, shape.expanded) {
    case (.equals, _) where !target.isQueryResult: return likeness(ofWhole: target, to: [shape])
    case (.oneOf, .list(let choices)) where !target.isQueryResult: return likeness(ofWhole: target, to: choices)
    case (.contains, _):
      guard let items = target.kind == .list ? target.items : nil else { return part(shape, of: target) }
      for item in items { if let found = likeness(of: item.value, to: shape) { return found } }
      return nil
    case (.includes, .list(let parts)) where target.kind == .text:
      return all(parts) { search, shape in search.part(shape, of: target) }
    case (.includes, .list(let parts)):
      guard let items = target.items else { return nil }
      return all(parts) { search, part in
        for item in items { if let found = search.likeness(of: item.value, to: part, isPartial: true) { return found } }
        return nil
      }
    case (.includes, _): return likeness(of: target.value, to: shape, isPartial: true)
    default: return nil
    }
  }

  /// The likeness to one of several values.
  private mutating func likeness(ofWhole target: MatchTarget, to shapes: [Shape]) -> Likeness? {
    let value = target.value
    for shape in shapes {
      if let found = likeness(of: value, to: shape) { return found }
      guard case .lines(let lines, _) = target, case .value(.text(let expected)) = shape else { continue }
      let isOne = lines.contains { line in
        line.string.split(separator: ",").contains { $0.trimming(while: \.isWhitespace) == expected.string }
      }
      if isOne { return .other(hint: "it is one of several in the header: write `contains` or `not_contains` for one") }
    }
    return nil
  }

  /// The likeness of all parts; nil if one has none.
  private mutating func all<Part>(
    _ parts: [Part], _ likeness: (inout LikenessSearch, Part) -> Likeness?
  ) -> Likeness? {
    var result = Likeness.same
    for part in parts {
      guard let found = likeness(&self, part) else { return nil }
      if result.hint == nil { result = found }
    }
    return result
  }

  private func part(_ shape: Shape, of target: MatchTarget) -> Likeness? {
    guard target.kind == .text, case .value(.text(let part)) = shape, case .text(let text) = target.value else {
      return nil
    }
    if occurs(part.string.utf8, in: text.string.utf8) { return .same }
    return textHint(part, in: text, isPart: true).map { .other(hint: $0) }
  }

  /// - Parameter isPartial: whether other members than the expected ones may be there.
  private mutating func likeness(of actual: Value, to shape: Shape, isPartial: Bool = false) -> Likeness? {
    budget -= 1
    guard budget > 0 else { return nil }
    switch (shape.expanded, actual) {
    case (.object(let members), .mapping(let mapping)):
      return likeness(of: mapping, to: members, isPartial: isPartial)
    case (.object(let members), .text(let text)):
      guard !members.isEmpty, text.string.hasPrefix("{"), text.string.utf8.count <= 1 << 16,
        let document = try? JSONDocument(parsing: text.string),
        likeness(of: document.root.value, to: shape, isPartial: true) != nil
      else { return nil }
      return .other(hint: "what is there is text that contains this as JSON: capture it with `as: json` to compare it")
    case (.list(let parts), .list(let items)):
      // An item for one in it, or one for the list of them, is too far from what is denied.
      let areOfOneRank = zip(parts, items).allSatisfy { part, item in
        part.requiredKind.map { ($0 == .list || $0 == .mapping) == (item.kind == .list || item.kind == .mapping) }
          ?? true
      }
      guard parts.count == items.count, areOfOneRank else { return nil }
      return all(Array(zip(parts, items))) { $0.likeness(of: $1.1, to: $1.0, isPartial: isPartial) }
    case (.list, _), (.value, _): return likeness(ofPlain: actual, to: shape)
    default: return ShapeMatcher().holds(shape, actual) ? .same : nil
    }
  }

  private func likeness(ofPlain actual: Value, to shape: Shape) -> Likeness? {
    guard case .value(let value) = shape else { return nil }
    if isEqual(value, actual) { return .same }
    if case .text(let expected) = value, case .text(let text) = actual {
      return textHint(expected, in: text, isPart: false).map { .other(hint: $0) }
    }
    if case .mapping(let mapping) = actual, value.kind == .text || value.kind == .number,
      let member = mapping.members.first(where: { isEqual(value, $0.value) })
    {
      return .other(hint: "what is there is an object, whose member `\(member.key.masked)` is this: write `includes`")
    }
    return PredicateEvaluator.formHint(value, MatchTarget(actual)).map { .other(hint: $0) }
  }

  private mutating func likeness(of mapping: Mapping, to members: [Shape.Member], isPartial: Bool) -> Likeness? {
    let found = all(members) { search, member in
      guard let value = mapping.last(member.key) else { return ShapeMatcher.mayBeAbsent(member) ? .same : nil }
      return search.likeness(of: value, to: member.shape, isPartial: isPartial)
    }
    guard let found, !isPartial, mapping.count > members.count else { return found }
    // A value with few more members may be compared with an earlier one of the same thing.
    guard !members.isEmpty, members.count * 2 <= mapping.count else { return nil }
    return .other(
      hint: found.hint
        ?? "an object is compared as a whole, and this one has more members: `includes` compares those that are named")
  }
}
