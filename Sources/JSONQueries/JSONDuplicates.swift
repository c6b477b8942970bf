extension JSONPath {
  /// That a name stands twice where the query goes or in what it selects, for the last member of a name counts.
  ///
  /// Nil where all names are unique.
  package func ambiguity(in document: JSONDocument) -> String? {
    var nodes = [0]
    if isSingular {
      var index = 0
      for segment in query.segments {
        switch segment.selectors.first {
        case .name(let name):
          guard document.nodes[index].isObject, let member = document.member(name, ofObjectAt: index) else {
            return nil
          }
          if document.count(of: name, inObjectAt: index) > 1 {
            return document.ambiguity(of: String(decoding: name, as: UTF8.self), inObjectAt: index)
          }
          index = member
        case .index(let position):
          guard document.nodes[index].kind == .array, let item = document.item(position, ofArrayAt: index) else {
            return nil
          }
          index = item
        default: return nil
        }
      }
      nodes = [index]
    } else if let selected = try? self.nodes(in: document) {
      nodes = selected.map(\.index)
    }
    for node in nodes {
      for index in node..<Int(document.nodes[node].next) where document.nodes[index].isObject {
        if let name = document.firstDuplicate(inObjectAt: index) {
          return document.ambiguity(of: name, inObjectAt: index)
        }
      }
    }
    return nil
  }
}

extension JSONDocument {
  fileprivate func count(of name: [UInt8], inObjectAt index: Int) -> Int {
    names(ofObjectAt: index).count { string(at: $0, equals: name) }
  }

  /// The first name of an object that another member has too.
  fileprivate func firstDuplicate(inObjectAt index: Int) -> String? {
    guard nodes[index].count > 1 else { return nil }
    var seen: Set<[UInt8]> = []
    for key in names(ofObjectAt: index) {
      let name = string(at: key)
      if !seen.insert(Array(name.utf8)).inserted { return name }
    }
    return nil
  }

  fileprivate func ambiguity(of name: String, inObjectAt index: Int) -> String {
    let count = count(of: Array(name.utf8), inObjectAt: index)
    let times = count == 2 ? "twice" : "\(count) times"
    let line = jsonPosition(of: Int(nodes[index].start), in: bytes).line
    return "the object in line \(line) of the body has the member `\(name)` \(times): the last one counts"
  }

  private func names(ofObjectAt index: Int) -> [Int] {
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
