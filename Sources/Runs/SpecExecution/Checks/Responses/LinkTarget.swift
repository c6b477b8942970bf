/// The target of the first link of the response itself with that relation (RFC 8288); nil if there is none. A link with an
/// `anchor` is one of something else.
package func linkTarget(_ lines: [String], relation: String) -> String? {
  for line in lines {
    var reader = LinkReader(rest: line[...])
    while let link = reader.next() {
      if !link.isAnchored, link.relations.contains(relation.lowercased()) { return link.target }
    }
  }
  return nil
}

/// The relations of all links in the lines of `Link`.
func linkRelations(_ lines: [String]) -> [String] {
  lines.flatMap { line in
    var reader = LinkReader(rest: line[...])
    var relations: [String] = []
    while let link = reader.next() { relations += link.relations }
    return relations
  }
}

private struct LinkReader {
  var rest: Substring

  /// The next link of the line; invalid parts before it are skipped.
  mutating func next() -> (target: String, relations: [String], isAnchored: Bool)? {
    guard let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") else { return nil }
    let target = String(rest[rest.index(after: open)..<close])
    rest = rest[rest.index(after: close)...]
    var relations: [String]?
    var isAnchored = false
    while let (name, value) = parameter() {
      // Only the first `rel` counts (RFC 8288, section 3.3).
      if name == "rel", relations == nil { relations = value.lowercased().split(separator: " ").map(String.init) }
      if name == "anchor", !value.isEmpty { isAnchored = true }
    }
    return (target, relations ?? [], isAnchored)
  }

  /// The next `;name=value`; nil at the comma that ends the link.
  private mutating func parameter() -> (name: String, value: String)? {
    skipSpace()
    guard rest.first == ";" else { return nil }
    rest.removeFirst()
    skipSpace()
    let name = rest.prefix { !"=;, \t".contains($0) }
    rest = rest[name.endIndex...]
    skipSpace()
    guard rest.first == "=" else { return (name.lowercased(), "") }
    rest.removeFirst()
    skipSpace()
    return (name.lowercased(), rest.first == "\"" ? quotedString() : token())
  }

  private mutating func token() -> String {
    let value = rest.prefix { !";, \t".contains($0) }
    rest = rest[value.endIndex...]
    return String(value)
  }

  private mutating func quotedString() -> String {
    rest.removeFirst()
    var value = ""
    while let character = rest.popFirst(), character != "\"" {
      if character == "\\", let escaped = rest.popFirst() { value.append(escaped) } else { value.append(character) }
    }
    return value
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0 == " " || $0 == "\t" }
  }
}
