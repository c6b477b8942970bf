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

extension Predicate {
  /// The hint for a list of which some items are there, where only all of them together are denied.
  func partHint(in target: MatchTarget) -> String? {
    guard let (use, shape) = comparison, use == .includes, case .list(let parts) = shape.expanded, parts.count > 1
    else {
      return nil
    }
    let values = parts.compactMap { if case .value(let value) = $0.expanded { value } else { nil } }
    guard values.count == parts.count, values.allSatisfy({ $0.kind == .text || $0.kind == .number }) else { return nil }
    let found = values.first { value in
      if let items = target.items { return items.contains { isEqual(value, .single($0)) } }
      guard case .text(let text) = target.value, case .text(let part) = value else { return false }
      return occurs(part.string.utf8, in: text.string.utf8)
    }
    let advice = target.items == nil ? "all: [{not_contains: …}, …]" : "none: {one_of: […]}"
    return found.map {
      "\(PredicateEvaluator.written($0)) is there, and only all of them together are denied: write `\(advice)`"
    }
  }

  /// The hint for items of more words than the text that none of them may be, which begin with it or have it.
  func wordsHint(in target: MatchTarget) -> String? {
    guard let (use, shape) = comparison, use == .equals, case .value(.text(let text)) = shape.expanded,
      let items = target.isQueryResult ? target.items : nil, items.count > 1
    else { return nil }
    let count = words(of: text.string).count
    // Where another item is as short, a whole one may be meant.
    let areLonger = items.prefix(100).allSatisfy { item in
      if case .text(let other) = item.value { words(of: other.string).count > count } else { false }
    }
    return areLonger ? LikenessSearch().wordsHint(shape, items) : nil
  }
}

private func words(of text: String) -> [Substring] {
  text.split { $0 == " " }.map { $0.trimming { ",;:!?.\"'()".contains($0) } }
}

private struct LikenessSearch {
  /// The number of values that are compared.
  private var budget = 10_000
  /// Indicates whether the texts are those of a header.
  private var isHeader = false

  mutating func likeness(of target: MatchTarget, to predicate: Predicate) -> Likeness? {
    if case .lines = target { isHeader = true }
    if target.kind == .text, case .text(let text) = target.value {
      if case .pattern(let pattern) = predicate.operand {
        return patternHint(pattern, in: text).map { .other(hint: $0) }
      }
      if predicate.kind.operand == .text {
        return edgeHint(predicate.text, in: text, isEnd: predicate.kind.name == "ends_with").map { .other(hint: $0) }
      }
    }
    guard let (use, shape) = predicate.comparison else { return nil }
    switch (use, shape.expanded) {
    case (.equals, _) where !target.isQueryResult: return likeness(ofWhole: target, to: [shape])
    case (.oneOf, .list(let choices)) where !target.isQueryResult:
      if choices.count == 1, case .value(.text(let text)) = choices[0], case .text(let actual) = target.value,
        namesInList(text).contains(actual.string)
      {
        return .other(hint: "that is one text: write `one_of: [\(text.string)]`, without quotes")
      }
      return likeness(ofWhole: target, to: choices)
    case (.contains, .value(.text(let name))) where target.kind == .mapping:
      guard case .mapping(let mapping) = target.value else { return nil }
      return nameHint(name, of: mapping).map { .other(hint: $0) }
    case (.contains, _):
      guard let items = target.kind == .list ? target.items : nil else { return part(shape, of: target) }
      for item in items { if let found = likeness(of: item.value, to: shape) { return found } }
      return (itemsHint(shape, items) ?? (target.isQueryResult ? wordsHint(shape, items) : nil)).map {
        .other(hint: $0)
      }
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

  /// The hint for a text that is a name of an object but for a typo, or one of its values.
  private func nameHint(_ name: Text, of mapping: Mapping) -> String? {
    if let near = misspelt(name.string, among: mapping.members.map(\.key.string)) { return "did you mean `\(near)`?" }
    let path = name.string.hasPrefix("$.") ? name.string.dropFirst(2) : name.string[...]
    let steps = path.split(separator: ".").map(String.init)
    let leadsSomewhere =
      (2...8).contains(steps.count)
      && steps.reduce(
        Value?.some(.mapping(mapping)),
        { value, step in
          if case .mapping(let inner)? = value { inner[step] } else { nil }
        }) != nil
    if name.string.hasPrefix("$.") || leadsSomewhere {
      return "the names of an object are searched, and this is a path: write it under `json`"
    }
    guard let member = mapping.members.first(where: { isEqual(.text(name), $0.value) }) else { return nil }
    return "the names of an object are searched, not its values: write `not: {includes: {\(member.key.masked): …}}`"
  }

  /// The hint for a text that names a member of items, or several of the items.
  private func itemsHint(_ shape: Shape, _ items: MatchList) -> String? {
    guard case .value(.text(let text)) = shape else { return nil }
    let isName = items.prefix(100).contains { item in
      if case .mapping(let mapping) = item.value { mapping[text.string] != nil } else { false }
    }
    if isName { return "the items are objects with that name: write `none: {contains: …}`" }
    let names = namesInList(text)
    let areThere = names.allSatisfy { name in items.contains { isEqual(.text(Text(name)), .single($0)) } }
    return names.isEmpty || !areThere ? nil : "these are several items: write `none: {one_of: […]}`"
  }

  /// The hint for a text that is words of an item: only a whole item would be found.
  fileprivate func wordsHint(_ shape: Shape, _ items: MatchList) -> String? {
    guard case .value(.text(let text)) = shape, text.secretRanges.isEmpty else { return nil }
    let wanted = words(of: text.string)
    guard !wanted.isEmpty else { return nil }
    for item in items.prefix(100) {
      guard case .text(let other) = item.value, other.secretRanges.isEmpty, other.string.utf8.count <= 1 << 12,
        words(of: other.string).contains(wanted)
      else { continue }
      return
        "\(PredicateEvaluator.written(item.value)) contains it, and only whole items are compared: write `none: {contains: …}`"
    }
    return nil
  }

  /// The parts of a text with commas; none if there is only one.
  private func namesInList(_ text: Text) -> [String] {
    let parts = text.secretRanges.isEmpty ? text.string.split(separator: ",") : []
    return parts.count > 1 ? parts.map { String($0.trimming(while: \.isWhitespace)) } : []
  }

  private func part(_ shape: Shape, of target: MatchTarget) -> Likeness? {
    guard target.kind == .text, case .value(.text(let part)) = shape, case .text(let text) = target.value else {
      return nil
    }
    if occurs(part.string.utf8, in: text.string.utf8) { return .same }
    return textHint(part, in: text, isPart: true, ofHeader: isHeader).map { .other(hint: $0) }
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
      if let found = all(Array(zip(parts, items)), { $0.likeness(of: $1.1, to: $1.0, isPartial: isPartial) }) {
        return found
      }
      let values = parts.prefix(100).compactMap { if case .value(let value) = $0.expanded { value } else { nil } }
      guard items.count > 1, values.count == items.count,
        values.allSatisfy({ value in items.contains { isEqual(value, $0) } }),
        items.allSatisfy({ item in values.contains { isEqual($0, item) } })
      else { return nil }
      return .other(hint: "these items are there in another order: write `not: {includes: […]}` for any order")
    case (.list, _), (.value, _): return likeness(ofPlain: actual, to: shape)
    default: return ShapeMatcher().holds(shape, actual) ? .same : nil
    }
  }

  private func likeness(ofPlain actual: Value, to shape: Shape) -> Likeness? {
    guard case .value(let value) = shape else { return nil }
    if isEqual(value, actual) { return .same }
    if case .text(let text) = value, let kind = markedKind(text.string), isOf(kind, actual) {
      return .other(hint: "this is text, and no marker of a kind: write `!\(kind.rawValue)`")
    }
    if case .text(let expected) = value, case .text(let text) = actual {
      return textHint(expected, in: text, isPart: false, ofHeader: isHeader).map { .other(hint: $0) }
    }
    if case .text(let text) = value, isWritten(text, actual) {
      return .other(
        hint: "this is text, and what is there is \(actual.kind == .list ? "a list" : "an object"): "
          + "write it without quotes")
    }
    if case .mapping(let mapping) = actual, value.kind == .text || value.kind == .number,
      let member = mapping.members.first(where: { isEqual(value, $0.value) })
    {
      return .other(hint: "what is there is an object, whose member `\(member.key.masked)` is this: write `includes`")
    }
    if let hint = PredicateEvaluator.formHint(value, MatchTarget(actual), isDenied: true) { return .other(hint: hint) }
    if case .number(let number) = value, case .text(let text) = actual, let instant = Timestamp(rfc3339: text.string),
      Int(exactly: instant.seconds).map({ number == Number($0) }) ?? false
    {
      return .other(hint: "what is there is that instant as text: write a date")
    }
    guard case .text(let text) = value, case .number(let number) = actual, !number.isSecret,
      case let bare = text.string.drop(while: { "$€£".contains($0) }),
      Number(parsing: bare.prefix { $0 != " " }.replacing(",", with: ".")) == number || groupedNumber(bare) == number
    else { return nil }
    return .other(hint: "what is there is a number: write `\(number.lexeme)`")
  }

  /// Returns whether a text is a list or an object in JSON, or the texts of a list, separated by commas.
  private func isWritten(_ text: Text, _ actual: Value) -> Bool {
    guard actual.kind == .list || actual.kind == .mapping, text.string.utf8.count <= 1 << 12 else { return false }
    if text.string.hasPrefix("[") || text.string.hasPrefix("{") {
      return (try? JSONDocument(parsing: text.string)).map { isEqual($0.root.value, actual) } ?? false
    }
    return isEqual(.list(namesInList(text).map { .text(Text($0)) }), actual)
  }

  /// The kind that a text such as `#string` stands for in Karate, or a tag in quotes.
  private func markedKind(_ text: String) -> MatchKind? {
    guard let mark = text.first, mark == "#" || mark == "!" else { return nil }
    return MatchKind(rawValue: String(text.drop { $0 == mark }))
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
