import Values

extension JSONPath {
  /// Returns the reason why a query selects nothing in a document, such as that `$.args` has no member `y`, with a
  /// suggestion.
  ///
  /// Nil if it selects something, or the reason isn't clear.
  package func absence(in document: JSONDocument) -> String? {
    var node = document.root
    var place = "$"
    for (position, segment) in query.segments.enumerated() {
      let rest = query.segments[(position + 1)...]
      guard let selector = segment.onlySelector else { return descendantAbsence(segment, from: node, place) }
      switch selector {
      case .name(let bytes):
        let name = String(decoding: bytes, as: UTF8.self)
        if let member = node[member: name] {
          node = member
          place += nameSegment(name)
        } else {
          return noMember(name, of: node, place, then: rest)
        }
      case .index(let index):
        guard let item = node[index] else { return noItem(index, of: node, place) }
        node = item
        place += "[\(index < 0 ? node.count + index : index)]"
      case .wildcard, .slice, .filter:
        guard node.kind == .list || node.kind == .mapping else {
          return "`\(place)` is \(node.jsonPhrase), which has no items"
        }
        guard node.count > 0 else { return "`\(place)` is empty" }
        guard case .wildcard = selector, let first = node.items.first ?? node.members.first?.value else {
          return rest.isEmpty ? noneSelected(selector, of: node, place) : nil
        }
        place += node.kind == .list ? "[0]" : nameSegment(node.members[0].key)
        node = first
      }
    }
    return nil
  }

  private func noMember(
    _ name: String, of node: JSONNode, _ place: String, then rest: ArraySlice<JSONPathQuery.Segment>
  ) -> String {
    let isLength = ["length", "size", "count"].contains(name)
    let counting = isLength && rest.isEmpty ? "; write `\(place): {count: …}`" : ""
    if node.kind == .list {
      let advice =
        node.items.first?[member: name] == nil
        ? "" : "; did you mean `\(place)[0]\(nameSegment(name))` or `\(place)[*]\(nameSegment(name))`?"
      return "`\(place)` is an array, which has no member `\(shownName(name))`" + (advice.isEmpty ? counting : advice)
    }
    guard node.kind == .mapping else {
      return "`\(place)` is \(node.jsonPhrase), which has no member `\(shownName(name))`"
        + (node.kind == .text ? counting : "")
    }
    let names = node.members.map(\.key)
    let absence = "`\(place)` has no member `\(shownName(name))`; "
    if let near = nearestName(to: name, among: names), let member = node[member: near] {
      let tail = selects(rest, from: member) ? written(rest) ?? "" : ""
      return absence + "did you mean `\(place)\(nameSegment(near))\(tail)`?"
    }
    return absence + (elsewhere(name, then: rest, in: node.document) ?? listed(names))
  }

  private func noItem(_ index: Int, of node: JSONNode, _ place: String) -> String {
    guard node.kind == .list else { return "`\(place)` is \(node.jsonPhrase), which has no item `[\(index)]`" }
    if node.count == 0 { return "`\(place)` is empty" }
    let hint = index == node.count ? "; the first is `[0]`" : ""
    return "`\(place)` has \(counted(node.count, "item")); there is no `[\(index)]`" + hint
  }

  private func noneSelected(_ selector: JSONPathQuery.Selector, of node: JSONNode, _ place: String) -> String? {
    let count = counted(node.count, node.kind == .list ? "item" : "member")
    if case .filter = selector { return "`\(place)` has \(count), none of which meets the filter" }
    return "`\(place)` has \(count), none of which the slice takes"
  }

  /// Handles `..name`: suggests the nearest of the existing names.
  private func descendantAbsence(_ segment: JSONPathQuery.Segment, from node: JSONNode, _ place: String) -> String? {
    guard segment.isDescendant, segment.selectors.count == 1, case .name(let bytes)? = segment.selectors.first else {
      return nil
    }
    let name = String(decoding: bytes, as: UTF8.self)
    guard let names = node.document.namesOfMembers(without: bytes) else { return nil }
    return nearestName(to: name, among: names).map {
      "no member is called `\(shownName(name))`; did you mean `\(place)..\($0)`?"
    }
  }

  /// Other places of a member of that name that has what the rest of the path selects.
  private func elsewhere(
    _ name: String, then rest: ArraySlice<JSONPathQuery.Segment>, in document: JSONDocument
  ) -> String? {
    let wanted = Array(name.utf8)
    var found: [JSONNode] = []
    for index in document.nodes.indices.prefix(scanLimit) where document.nodes[index].isObject {
      guard let member = document.member(wanted, ofObjectAt: index) else { continue }
      let node = JSONNode(document: document, index: member)
      if selects(rest, from: node) { found.append(node) }
      if found.count == 3 { break }
    }
    let places = found.prefix(2).map { "`\($0.location)\(written(rest) ?? "")`" }
    switch found.count {
    case 0: return nil
    case 1: return "did you mean \(places[0])?"
    case 2: return "did you mean \(places[0]) or \(places[1])?"
    default: return "there are \(places[0]), \(places[1]) and more"
    }
  }

  func selects(_ segments: ArraySlice<JSONPathQuery.Segment>, from start: JSONNode) -> Bool {
    var node = start
    for segment in segments {
      guard let selector = segment.onlySelector else { return true }
      let next: JSONNode?
      switch selector {
      case .name(let bytes): next = node[member: String(decoding: bytes, as: UTF8.self)]
      case .index(let index): next = node[index]
      case .wildcard: next = node.items.first ?? node.members.first?.value
      case .slice, .filter: return node.kind == .list || node.kind == .mapping
      }
      guard let next else { return false }
      node = next
    }
    return true
  }

  /// Segments in writing; nil for those without a written form.
  func written(_ segments: ArraySlice<JSONPathQuery.Segment>) -> String? {
    var text = ""
    for segment in segments {
      switch segment.onlySelector {
      case .name(let bytes): text += nameSegment(String(decoding: bytes, as: UTF8.self))
      case .index(let index): text += "[\(index)]"
      case .wildcard: text += "[*]"
      default: return nil
      }
    }
    return text
  }

  /// The first names of members.
  private func listed(_ names: [String]) -> String {
    names.isEmpty ? "it is empty" : "it has " + Values.listed(names.map { "`\(shownName($0))`" }, limit: 6)
  }
}

/// A name for a message, short and in one line.
private func shownName(_ name: String) -> Excerpt {
  let isPlain = !name.unicodeScalars.contains { $0.value < 0x20 }
  let text = isPlain ? name[...] : normalizedName(name).dropFirst().dropLast()
  return Excerpt(text, limit: 40)
}

/// The maximum number of nodes that are searched for a suggestion.
let scanLimit = 10_000

extension JSONDocument {
  /// The names of members anywhere, sorted; nil if one of them is the given name.
  func namesOfMembers(without name: [UInt8]) -> [String]? {
    var names: Set<String> = []
    for index in nodes.indices.prefix(scanLimit) where nodes[index].isObject {
      if member(name, ofObjectAt: index) != nil { return nil }
      for member in JSONNode(document: self, index: index).members { names.insert(member.key) }
    }
    return names.sorted()
  }
}

extension JSONNode {
  /// The JSON type with its article.
  var jsonPhrase: String {
    switch kind {
    case .list: "an array"
    case .mapping: "an object"
    case .text: "a string"
    default: kind.phrase
    }
  }
}

/// A name in the quotes and escapes of a normalized path.
package func normalizedName(_ name: String) -> String {
  var result = "'"
  for scalar in name.unicodeScalars {
    switch scalar {
    case "'": result += "\\'"
    case "\\": result += "\\\\"
    case "\u{08}": result += "\\b"
    case "\t": result += "\\t"
    case "\n": result += "\\n"
    case "\u{0C}": result += "\\f"
    case "\r": result += "\\r"
    case "\u{00}"..."\u{1F}": result += (scalar.value < 16 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "'"
}
