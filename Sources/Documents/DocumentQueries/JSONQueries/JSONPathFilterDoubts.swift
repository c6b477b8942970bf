import Values

extension JSONPath {
  /// The doubt about a filter that selects none of the nodes.
  func doubt(
    about condition: JSONPathCondition, of nodes: [JSONNode], _ place: String, in document: JSONDocument
  ) -> Doubt? {
    for name in condition.memberNames where !nodes.contains(where: { $0[member: name] != nil }) {
      if nodes.contains(where: { $0.items.prefix(100).contains { $0[member: name] != nil } }) {
        return .misspelling(of: "\(place)[*][?@\(nameSegment(name)) …]")
      }
    }
    for query in condition.queries {
      if let doubt = doubt(about: query.segments, from: nodes, "@", in: document) { return doubt }
    }
    for case .not(.exists(let query)) in condition.parts {
      let values = nodes.compactMap { node(query.segments[...], from: $0) }
      guard values.count == nodes.count, values.contains(where: { $0.text == "false" }) else { continue }
      let name = "@" + (written(query.segments[...]) ?? "")
      return Doubt(
        "the filter asks for what has no such member", expected: Text("an item without `\(name)`"),
        actual: Text("`\(name)` is false"), hint: "write `\(name) == false`")
    }
    if let doubt = condition.parts.lazy.compactMap({ self.doubt(aboutFunctionsOf: $0, nodes) }).first { return doubt }
    return condition.comparisons.lazy.compactMap { self.doubt(about: $0, of: nodes) }.first
  }

  /// The doubt about a function that is another one than what was meant.
  private func doubt(aboutFunctionsOf condition: JSONPathCondition, _ nodes: [JSONNode]) -> Doubt? {
    switch condition {
    case .compare(.length(.query(let query)), _, _) where query.start == .current:
      let name = "@" + (written(query.segments[...]) ?? "")
      let values = nodes.compactMap { node(query.segments[...], from: $0) }
      guard let first = values.first, values.allSatisfy({ $0.kind == .number }) else { return nil }
      return Doubt(
        "the filter asks for the length of a number", expected: Text("a text, an array or an object"),
        actual: Text("`\(name)` is \(first.jsonPhrase)"), hint: "write `\(name)` for the number")
    case .matches(.query(let query), let pattern) where query.start == .current:
      guard case .literal(.string(let written)) = pattern.operand else { return nil }
      let texts = nodes.compactMap { node(query.segments[...], from: $0) }.filter { $0.kind == .text }.map(\.string)
      guard !texts.contains(where: { (try? pattern.expression?.matches($0)) ?? true }) else { return nil }
      if pattern.isAnchored, let part = texts.first(where: { isFound(written, in: $0) }) {
        return Doubt(
          "the filter matches whole texts", expected: Text("a text that is '\(written)' as a whole"),
          actual: Text("'\(part)'"), hint: "write `search` in place of `match` for a part of the text")
      }
      guard let other = texts.first(where: { isFound(written.lowercased(), in: $0.lowercased()) }),
        !written.contains("\\")
      else { return nil }
      return Doubt(
        "the filter has a text in another letter case", expected: Text("'\(written)'"), actual: Text("'\(other)'"),
        hint: "write it as it is there")
    default: return nil
    }
  }

  /// Returns whether a pattern is found in a text of moderate length.
  private func isFound(_ pattern: String, in text: String) -> Bool {
    guard text.utf8.count <= 1 << 12, let pattern = try? RegularExpression.iRegexp(pattern, anchored: false) else {
      return false
    }
    return (try? pattern.matches(text)) ?? false
  }

  /// The doubt about a literal that never compares with the values beside it, but looks like them.
  private func doubt(about comparison: JSONPathCondition.LiteralComparison, of nodes: [JSONNode]) -> Doubt? {
    let all = nodes.compactMap { node(comparison.query.segments[...], from: $0) }
    let values = all.filter { $0.kind != .null }
    guard let first = values.first ?? all.first else { return otherName(comparison, in: nodes) }
    let name = "@" + (written(comparison.query.segments[...]) ?? "")
    func doubt(_ literal: String, hint: String) -> Doubt {
      return Doubt(
        "the filter compares different types", expected: Text("`\(name)` beside \(literal)"),
        actual: Text("`\(name)` is \(first.jsonPhrase)"), hint: hint)
    }
    switch comparison.literal {
    case .string(let text):
      if values.count < all.count, ["null", "None", "undefined"].contains(text) {
        return doubt("a string", hint: "write `null`, without quotes")
      }
      if values.contains(where: { $0.items.prefix(100).contains { $0.isString(text) } }) {
        return doubt("a string", hint: "write `\(name)[?@ == '\(text)']` for an item of it")
      }
      if !comparison.isOrder, !values.contains(where: { $0.isString(text) }),
        let other = values.first(where: { $0.kind == .text && $0.string.lowercased() == text.lowercased() })
      {
        return Doubt(
          "the filter has a text in another letter case", expected: Text("'\(text)'"),
          actual: Text("'\(other.string)'"),
          hint: "write it as it is there")
      }
      if !comparison.isOrder, !values.contains(where: { $0.isString(text) }),
        let doubt = otherForm(of: text, in: values)
      {
        return doubt
      }
      if comparison.isOrder, let bound = Number(parsing: text),
        let value = values.first(where: { value in
          value.kind == .text && Number(parsing: value.string).map { ($0 < bound) != (value.string < text) } ?? false
        })
      {
        return Doubt(
          "the filter compares texts character by character", expected: Text("`\(name)` beside '\(text)'"),
          actual: Text("'\(value.string)'"), hint: "capture the values, and compare them after `to_number`")
      }
      guard !values.isEmpty, values.allSatisfy({ $0.kind == .number || $0.kind == .boolean }),
        values.contains(where: { $0.text == text }) || comparison.isOrder && Number(parsing: text) != nil
      else { return nil }
      return doubt("a string", hint: "write `\(text)`, without quotes")
    case .integer, .number, .bool:
      let literal = comparison.literal.lexeme
      guard !values.isEmpty, values.allSatisfy({ $0.kind == .text }),
        values.contains(where: { $0.isString(literal) })
          || comparison.isOrder && values.contains(where: { $0.isNumberInText })
      else { return nil }
      return doubt(
        comparison.literal.isBoolean ? "a boolean" : "a number",
        hint: comparison.isOrder
          ? "text never compares with a number: capture the values, and compare them after `to_number`"
          : "write `'\(literal)'`, in quotes")
    default: return nil
    }
  }

  /// The doubt about a text that is there without blanks or quotes around it, as one of several, or as a pattern.
  private func otherForm(of text: String, in values: [JSONNode]) -> Doubt? {
    let texts = values.filter { $0.kind == .text }.map(\.string)
    func doubt(_ hint: String, _ isMeant: (String) -> Bool) -> Doubt? {
      texts.first(where: isMeant).map { other in
        Doubt(
          "the filter has a text in another form", expected: Text("'\(text)'"), actual: Text("'\(other)'"), hint: hint)
      }
    }
    let inner = text.trimming { "'\" ".contains($0) }
    if inner.count > 1, inner.count < text.count, let found = doubt("write `'\(inner)'`", { $0 == inner }) {
      return found
    }
    let parts = text.split(separator: ",").map { trimmingBlanks($0) }
    if parts.count > 1, let found = doubt("that is one text: write `==` for each, and `||` between", parts.contains) {
      return found
    }
    if isRFC3339Date(text.utf8),
      let found = doubt("a time follows the date: write `search(…)`", { $0.hasPrefix(text + "T") })
    {
      return found
    }
    guard let sign = text.first(where: { "*%".contains($0) }), text.count > 3 else { return nil }
    let ends = text.split(separator: sign, omittingEmptySubsequences: false)
    guard ends.count == 2, let start = ends.first, let end = ends.last else { return nil }
    return doubt("`\(sign)` is a character itself here: write `search(…)` for a pattern") {
      $0.hasPrefix(start) && $0.hasSuffix(end)
    }
  }

  /// The doubt about a text that a member with a similar name has.
  private func otherName(_ comparison: JSONPathCondition.LiteralComparison, in nodes: [JSONNode]) -> Doubt? {
    guard case .string(let text) = comparison.literal, text.utf8.count > 2, comparison.query.segments.count == 1,
      case .name(let bytes)? = comparison.query.segments[0].onlySelector
    else { return nil }
    let names = nodes.lazy.flatMap(\.members).filter { $0.value.isString(text) }.map(\.key)
    return similarName(to: String(decoding: bytes, as: UTF8.self), among: names).map {
      .misspelling(of: "@\(nameSegment($0)) == '\(text)'")
    }
  }

  private func node(_ segments: ArraySlice<JSONPathQuery.Segment>, from start: JSONNode) -> JSONNode? {
    var node = start
    for segment in segments {
      guard case .name(let bytes)? = segment.onlySelector,
        let next = node[member: String(decoding: bytes, as: UTF8.self)]
      else { return nil }
      node = next
    }
    return node
  }
}

extension JSONNode {
  fileprivate var isNumberInText: Bool {
    if case .text(let text) = value { Number(parsing: text.string) != nil } else { false }
  }
}

extension JSONPath {
  /// The members of the root's items that its filter compares with texts, for equality or the lack of it.
  package var comparedItems: [(member: String, text: String)] {
    guard case .filter(let condition)? = query.segments.first?.onlySelector else { return [] }
    return condition.comparedTexts
  }
}

extension JSONPathCondition {
  /// The members of `@` and the texts that they are compared with.
  fileprivate var comparedTexts: [(member: String, text: String)] {
    switch self {
    case .or(let parts), .and(let parts): parts.flatMap(\.comparedTexts)
    case .not(let condition): condition.comparedTexts
    case .compare(.query(let query), let comparison, .literal(.string(let text))),
      .compare(.literal(.string(let text)), let comparison, .query(let query)):
      if query.start == .current, query.segments.count == 1, comparison == .equal || comparison == .notEqual,
        case .name(let name)? = query.segments[0].onlySelector
      {
        [(String(decoding: name, as: UTF8.self), text)]
      } else {
        []
      }
    case .compare, .exists, .matches: []
    }
  }

  /// A comparison of a part of `@` with a literal.
  struct LiteralComparison {
    let query: JSONPathQuery
    let literal: JSONPathValue
    /// Indicates whether it is one by order: `<`.
    let isOrder: Bool

    fileprivate init?(_ left: JSONPathOperand, _ comparison: Comparison, _ right: JSONPathOperand) {
      switch (left, right) {
      case (.query(let query), .literal(let literal)), (.literal(let literal), .query(let query)):
        guard query.start == .current, comparison != .notEqual else { return nil }
        self.query = query
        self.literal = literal
        isOrder = comparison != .equal
      default: return nil
      }
    }
  }

  /// The conditions that all must hold.
  fileprivate var parts: [JSONPathCondition] { if case .and(let parts) = self { parts } else { [self] } }

  /// The comparisons that must hold.
  fileprivate var comparisons: [LiteralComparison] {
    switch self {
    case .or(let parts), .and(let parts): parts.flatMap(\.comparisons)
    case .compare(let left, let comparison, let right): [LiteralComparison(left, comparison, right)].compactMap(\.self)
    case .not, .exists, .matches: []
    }
  }
}

extension JSONPathValue {
  fileprivate var isBoolean: Bool { if case .bool = self { true } else { false } }

  /// The literal as it is written, without quotes.
  fileprivate var lexeme: String {
    switch self {
    case .integer(let value): String(value)
    case .number(let number): number.lexeme
    case .bool(let flag): String(flag)
    case .string(let text): text
    case .nothing, .null, .structure: "null"
    }
  }
}
