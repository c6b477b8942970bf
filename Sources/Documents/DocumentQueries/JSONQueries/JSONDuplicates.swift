import OperatingSystem

/// Duplicate members of an object, of which the last counts.
package struct JSONRepeatedMember: Sendable {
  package let name: String
  package let object: JSONNode
  /// The values, at least two, in order.
  package let values: [JSONNode]

  /// The path of each of them.
  package var location: String { object.location + nameSegment(name) }

  /// The count in words, such as `twice`.
  package var times: String { values.count == 2 ? "twice" : "\(values.count) times" }

  package var message: String {
    "the object in line \(object.line) of the body has the member `\(name)` \(times): the last one counts"
  }
}

extension JSONPath {
  /// A note that a name on the query's way or in its selection is duplicated, so that the last member counts. Nil if
  /// all names are unique.
  package func ambiguity(in document: JSONDocument) -> String? {
    guard let selection = try? selection(in: document) else { return nil }
    return (selection.ambiguity ?? selection.innerAmbiguity)?.message
  }
}

extension JSONSelection {
  /// The first name that an object within the selected values has more than once.
  package var innerAmbiguity: JSONRepeatedMember? {
    let meter = EvaluationBudget.meter
    // A nested node that was covered by an outer one needn't be searched again.
    var known = 0..<0
    for node in nodes where !(known.contains(node.index) && node.end <= known.upperBound) {
      known = node.index..<node.end
      for index in node.index..<node.end where node.document.nodes[index].isObject {
        if meter.isOver(after: 1 + node.document.nodes[index].count) { return nil }
        if let repeated = node.document.firstRepeatedMember(ofObjectAt: index) { return repeated }
      }
    }
    return nil
  }
}

extension JSONDocument {
  func repeatedMember(_ name: [UInt8], ofObjectAt index: Int) -> JSONRepeatedMember {
    JSONRepeatedMember(
      name: String(decoding: name, as: UTF8.self), object: JSONNode(document: self, index: index),
      values: names(ofObjectAt: index).filter { string(at: $0, equals: name) }
        .map { JSONNode(document: self, index: $0 + 1) })
  }

  fileprivate func firstRepeatedMember(ofObjectAt index: Int) -> JSONRepeatedMember? {
    let count = nodes[index].count
    guard count > 1 else { return nil }
    guard count > 16 else { return firstRepeatedMember(ofSmallObjectAt: index) }
    var seen: Set<[UInt8]> = []
    for key in names(ofObjectAt: index) {
      let name = Array(string(at: key).utf8)
      if !seen.insert(name).inserted { return repeatedMember(name, ofObjectAt: index) }
    }
    return nil
  }

  /// Compares each name with those before it, in the text.
  private func firstRepeatedMember(ofSmallObjectAt index: Int) -> JSONRepeatedMember? {
    let end = Int(nodes[index].next)
    var key = index + 1
    while key < end {
      var earlier = index + 1
      while earlier < key {
        if haveSameString(earlier, key) { return repeatedMember(Array(string(at: key).utf8), ofObjectAt: index) }
        earlier = Int(nodes[earlier + 1].next)
      }
      key = Int(nodes[key + 1].next)
    }
    return nil
  }

  /// Returns whether two strings or names of members are the same.
  func haveSameString(_ left: Int, _ right: Int) -> Bool {
    let (a, b) = (nodes[left], nodes[right])
    if a.hasEscapes || b.hasEscapes { return string(at: left).utf8.elementsEqual(string(at: right).utf8) }
    guard a.end - a.start == b.end - b.start else { return false }
    for offset in 0..<Int(a.end - a.start) where bytes[Int(a.start) + offset] != bytes[Int(b.start) + offset] {
      return false
    }
    return true
  }

  func names(ofObjectAt index: Int) -> [Int] {
    var result: [Int] = []
    result.reserveCapacity(nodes[index].count)
    var key = index + 1
    while key < Int(nodes[index].next) {
      result.append(key)
      key = Int(nodes[key + 1].next)
    }
    return result
  }
}
