import Values

extension JSONNode {
  /// Returns whether another node of the document has the same meaning, that is, an equal value.
  package func means(_ other: JSONNode) -> Bool { document.areEqual(index, other.index) }
}

extension JSONDocument {
  /// Returns whether two nodes have equal values, without creating these: numbers by value, members in any order.
  func areEqual(_ left: Int, _ right: Int) -> Bool {
    if left == right { return true }
    let (a, b) = (nodes[left], nodes[right])
    guard a.kind == b.kind, a.count == b.count else { return false }
    switch a.kind {
    case .null: return true
    case .boolean: return bytes[Int(a.start)] == bytes[Int(b.start)]
    case .number:
      return bytes[a.byteRange] == bytes[b.byteRange]
        || Number(lexeme: lexeme(at: left)) == Number(lexeme: lexeme(at: right))
    case .string: return haveSameString(left, right)
    case .array:
      var (i, j) = (left + 1, right + 1)
      while i < Int(a.next) {
        guard areEqual(i, j) else { return false }
        (i, j) = (Int(nodes[i].next), Int(nodes[j].next))
      }
      return true
    case .object: return haveSameMembers(left, right)
    }
  }

  /// Compares members; the values of duplicate names are compared in their order.
  private func haveSameMembers(_ left: Int, _ right: Int) -> Bool {
    let end = Int(nodes[left].next)
    var (i, j) = (left + 1, right + 1)
    while i < end, haveSameString(i, j) {
      guard areEqual(i + 1, j + 1) else { return false }
      (i, j) = (Int(nodes[i + 1].next), Int(nodes[j + 1].next))
    }
    if i == end { return true }
    let (names, others) = (sortedNames(ofObjectAt: left), sortedNames(ofObjectAt: right))
    return zip(names, others).allSatisfy { haveSameString($0, $1) && areEqual($0 + 1, $1 + 1) }
  }

  /// The positions of an object's names, sorted by name, then by position.
  private func sortedNames(ofObjectAt index: Int) -> [Int] {
    names(ofObjectAt: index).sorted { left, right in
      let (a, b) = (JSONNode(document: self, index: left).utf8, JSONNode(document: self, index: right).utf8)
      if a.lexicographicallyPrecedes(b) { return true }
      return left < right && a.elementsEqual(b)
    }
  }
}
