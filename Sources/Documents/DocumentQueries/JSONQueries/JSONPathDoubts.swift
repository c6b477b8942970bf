import Values

extension JSONPath {
  /// The doubt about a path that selects nothing: it certainly misspells a name, or compares different types.
  package func doubt(in document: JSONDocument) -> Doubt? {
    doubt(about: query.segments, from: [document.root], "$", in: document)
  }

  /// - Parameter place: the path of the nodes.
  func doubt(
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
        if position > 0, segments[position - 1].isFilter, nodes.allSatisfy({ $0.kind != .list }) {
          return Doubt(
            "the index is one of each match, and none is a list", expected: Text("lists that the filter selects"),
            actual: Text("`\(place)` is \(nodes[0].jsonPhrase)"),
            hint: "leave `[\(index)]` out, or capture the matches with `as: first`")
        }
        nodes = nodes.compactMap { $0[index] }
        if nodes.isEmpty, !rest.isEmpty, objects.contains(where: { selects(rest, from: $0) }), let tail = written(rest)
        {
          return .misspelling(of: place + tail)
        }
        place += "[\(index)]"
      case .wildcard:
        if let node = nodes.first, nodes.allSatisfy(\.isPlainValue) {
          return .misspelling(of: place, hint: "`\(place)` is \(node.jsonPhrase), which has no items or members")
        }
        nodes = children(of: nodes)
        place += "[*]"
      case .filter(let condition):
        let outer = nodes
        nodes = children(of: nodes)
        let names = condition.memberNames
        let name = names.first { name in outer.contains { $0[member: name] != nil } }
        if let name, names.allSatisfy({ name in !nodes.contains { $0[member: name] != nil } }) {
          return .misspelling(
            of: place + nameSegment(name),
            hint: "a filter looks into members, and `\(name)` is one of the object itself: "
              + "write `\(place)\(nameSegment(name))`")
        }
        if let doubt = self.doubt(about: condition, of: nodes, place, in: document) { return doubt }
        place += "[?…]"
      case .slice: return nil
      case nil:
        guard segment.isDescendant, segment.selectors.count == 1, case .name(let bytes)? = segment.selectors.first,
          let names = document.namesOfMembers(without: bytes)
        else { return nil }
        let name = String(decoding: bytes, as: UTF8.self)
        if let near = misspelt(name, among: names) { return .misspelling(of: "\(place)..\(near)") }
        guard case .index? = rest.first?.onlySelector, names.contains(name + "s") else { return nil }
        return .misspelling(of: "\(place)..\(name)s\(written(rest) ?? "")")
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
        if let index = Int(name), node[index] != nil {
          return .misspelling(of: "\(place)[\(index)]\(written(rest) ?? "")")
        }
        if rest.isEmpty, items.contains(where: { $0.isString(name) }) {
          return .misspelling(of: place, hint: "it is an item there: write `\(place): {not_contains: \(name)}`")
        }
      case .mapping:
        let parts = name.split(separator: ".").map(String.init)
        if parts.count > 1 || name.hasPrefix("."), parts.reduce(Optional(node), { $0?[member: $1] }) != nil {
          return .misspelling(of: place + parts.map(nameSegment).joined())
        }
        if let columns = unsplitColumns(with: name, among: node.members.lazy.map(\.key)) {
          return .misspelling(of: columns, hint: "the columns of CSV are separated by commas, and these are one")
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
}

/// Names of members that contain all else in some responses.
private let envelopes: Set = ["data", "result", "results", "response", "payload", "body"]

/// The name of a column of CSV that consists of several, among them the given one.
package func unsplitColumns(with name: String, among names: some Sequence<String>) -> String? {
  names.first { other in
    let parts = other.split { ";\t|".contains($0) }
    return parts.count > 1 && parts.contains(name[...])
  }
}

extension JSONPathQuery.Segment {
  fileprivate var isFilter: Bool { if case .filter? = onlySelector { true } else { false } }
}

extension JSONNode {
  /// Indicates whether it certainly isn't meant as a list or an object that is empty.
  fileprivate var isPlainValue: Bool { kind == .number || kind == .text && !string.isEmpty }
}
