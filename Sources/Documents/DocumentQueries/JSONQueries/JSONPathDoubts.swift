import Values

extension JSONPath {
  /// The doubt about a path that selects nothing: it certainly misspells a name, or compares different types.
  package func doubt(in document: JSONDocument) -> Doubt? {
    doubt(about: query.segments, from: [document.root], "$", in: document)
  }

  /// - Parameter place: the path of the nodes.
  private func doubt(
    about segments: [JSONPathQuery.Segment], from start: [JSONNode], _ startPlace: String, in document: JSONDocument
  ) -> Doubt? {
    var (nodes, place) = (start, startPlace)
    for (position, segment) in segments.enumerated() {
      let rest = segments[(position + 1)...]
      switch segment.onlySelector {
      case .name(let bytes):
        let name = String(decoding: bytes, as: UTF8.self)
        let members = nodes.compactMap { $0[member: name] }
        guard !members.isEmpty else { return misspelling(of: name, in: nodes, place, then: rest) }
        (nodes, place) = (members, place + nameSegment(name))
      case .index(let index):
        let objects = nodes.filter { $0.kind == .mapping }
        nodes = nodes.compactMap { $0[index] }
        if nodes.isEmpty, !rest.isEmpty, objects.contains(where: { selects(rest, from: $0) }), let tail = written(rest)
        {
          return .misspelling(of: place + tail)
        }
        place += "[\(index)]"
      case .wildcard:
        nodes = children(of: nodes)
        place += "[*]"
      case .filter(let condition):
        nodes = children(of: nodes)
        if let doubt = self.doubt(about: condition, of: nodes, place, in: document) { return doubt }
        place += "[?…]"
      case .slice: return nil
      case nil:
        guard segment.isDescendant, segment.selectors.count == 1, case .name(let bytes)? = segment.selectors.first,
          let names = document.namesOfMembers(without: bytes)
        else { return nil }
        let name = String(decoding: bytes, as: UTF8.self)
        return misspelt(name, among: names).map { .misspelling(of: "\(place)..\($0)") }
      }
      if nodes.isEmpty { return nil }
    }
    return nil
  }

  /// The first items or members of nodes.
  private func children(of nodes: [JSONNode]) -> [JSONNode] {
    Array(nodes.lazy.flatMap { $0.kind == .mapping ? $0.members.map(\.value) : $0.items }.prefix(100))
  }

  private func misspelling(
    of name: String, in nodes: [JSONNode], _ place: String, then rest: ArraySlice<JSONPathQuery.Segment>
  ) -> Doubt? {
    if let doubt = otherShape(of: name, in: nodes, place, then: rest) { return doubt }
    let members = nodes.filter { $0.kind == .mapping }.flatMap(\.members)
    if let near = misspelt(name, among: members.lazy.map(\.key)),
      let member = members.first(where: { $0.key == near })?.value, goesOn(with: rest, from: member)
    {
      return .misspelling(of: place + nameSegment(near) + (selects(rest, from: member) ? written(rest) ?? "" : ""))
    }
    // A list is named in the plural, its item in the singular.
    let other = name.hasSuffix("s") ? String(name.dropLast()) : name + "s"
    guard !rest.isEmpty, let member = members.first(where: { $0.key == other })?.value,
      !other.hasSuffix("s") ? selects(rest, from: member) : member.kind == .list && goesOn(with: rest, from: member)
    else { return nil }
    return .misspelling(of: place + nameSegment(other) + (selects(rest, from: member) ? written(rest) ?? "" : ""))
  }

  /// The doubt about a name whose path meets values of another shape, which have what it leads to.
  private func otherShape(
    of name: String, in nodes: [JSONNode], _ place: String, then rest: ArraySlice<JSONPathQuery.Segment>
  ) -> Doubt? {
    let step = nameSegment(name)
    for node in nodes {
      switch node.kind {
      case .list:
        let items = node.items.prefix(100)
        if let item = items.first(where: { $0[member: name] != nil }) {
          let tail = selects(rest, from: item[member: name] ?? item) ? written(rest) ?? "" : ""
          return .misspelling(of: "\(place)[*]\(step)\(tail)")
        }
        // Messages are not only in errors.
        if rest.count > 1, !name.hasPrefix("error"), selects(rest, from: node), let tail = written(rest) {
          return .misspelling(of: place + tail)
        }
        if rest.isEmpty, items.contains(where: { $0.isString(name) }) {
          return .misspelling(of: place, hint: "it is an item there: write `\(place): {not_contains: \(name)}`")
        }
      case .mapping:
        let parts = name.split(separator: ".").map(String.init)
        if parts.count > 1 || name.hasPrefix("."), parts.reduce(Optional(node), { $0?[member: $1] }) != nil {
          return .misspelling(of: place + parts.map(nameSegment).joined())
        }
        let columns = node.members.first { $0.key.split { ";\t|".contains($0) }.dropFirst().contains(name[...]) }
        if let columns {
          return .misspelling(of: columns.key, hint: "the columns of CSV are separated by commas, and these are one")
        }
        // Most of a response may be in one member.
        let inner = node.members.first {
          envelopes.contains($0.key) && goesOn(with: rest, from: $0.value[member: name])
        }
        if !rest.isEmpty, let inner { return .misspelling(of: place + nameSegment(inner.key) + step) }
        if envelopes.contains(name), rest.count > 1, case .name(let next)? = rest.first?.onlySelector,
          goesOn(with: rest.dropFirst(), from: node[member: String(decoding: next, as: UTF8.self)])
        {
          return .misspelling(of: place + nameSegment(String(decoding: next, as: UTF8.self)))
        }
      case .text:
        guard node.string.hasPrefix("{"), (try? JSONDocument(parsing: node.string))?.root[member: name] != nil else {
          break
        }
        return .misspelling(
          of: place, hint: "that is text, which contains it as JSON: of events read `json`; or capture it `as: json`")
      case .number where place.hasPrefix("@") && nodes.allSatisfy({ $0.kind == .number }):
        return .misspelling(of: place, hint: "`\(place)` is a number, which has no members")
      default: break
      }
    }
    return nil
  }

  /// Returns whether the next selector applies to a node.
  private func goesOn(with rest: ArraySlice<JSONPathQuery.Segment>, from node: JSONNode?) -> Bool {
    guard let node, let next = rest.first else { return node != nil }
    switch next.onlySelector {
    case .name: return node.kind == .mapping
    case .index, .slice: return node.kind == .list
    case .wildcard, .filter, nil: return node.kind == .list || node.kind == .mapping
    }
  }

  // MARK: filters

  private func doubt(
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
    return condition.comparisons.lazy.compactMap { self.doubt(about: $0, of: nodes) }.first
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

/// Names of members that contain all else in some responses.
private let envelopes: Set = ["data", "result", "results", "response", "payload", "body"]

extension JSONNode {
  fileprivate var isNumberInText: Bool {
    if case .text(let text) = value { Number(parsing: text.string) != nil } else { false }
  }
}

extension JSONPathCondition {
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
