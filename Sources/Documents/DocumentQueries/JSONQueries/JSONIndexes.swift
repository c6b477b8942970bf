/// Indexes of the members and items of large containers: built once several have been looked up one by one.
struct JSONIndexes {
  /// The minimum size; smaller containers are searched linearly.
  static let minCount = 64
  private static let maxWalks = 8

  /// The number of linear searches of each container.
  private var walks: [Int: Int] = [:]
  private var members: [Int: MemberIndex] = [:]
  private var items: [Int: [UInt32]] = [:]

  /// Nil if the object is to be searched linearly.
  mutating func member(
    _ name: [UInt8], ofObjectAt index: Int, in document: JSONDocument
  ) -> (value: Int?, isRepeated: Bool)? {
    if let known = members[index] { return known.find(name, in: document) }
    guard isDue(index) else { return nil }
    let made = MemberIndex(ofObjectAt: index, in: document)
    members[index] = made
    return made.find(name, in: document)
  }

  /// Nil if the array is to be searched linearly.
  mutating func item(_ position: Int, ofArrayAt index: Int, in document: JSONDocument) -> Int? {
    if let known = items[index] { return Int(known[position]) }
    guard isDue(index) else { return nil }
    var places: [UInt32] = []
    places.reserveCapacity(document.nodes[index].count)
    var item = UInt32(truncatingIfNeeded: index + 1)
    for _ in 0..<document.nodes[index].count {
      places.append(item)
      item = document.nodes[Int(item)].next
    }
    items[index] = places
    return Int(places[position])
  }

  private mutating func isDue(_ index: Int) -> Bool {
    walks[index, default: 0] += 1
    return walks[index, default: 0] > JSONIndexes.maxWalks
  }
}

/// The members of one object by the hashes of their names: an open hash table.
private struct MemberIndex {
  /// Indices of names in the flat array; 0, the document's root, means an empty slot.
  private var table: [UInt32]
  private var repeated: Set<UInt32> = []

  init(ofObjectAt index: Int, in document: JSONDocument) {
    let node = document.nodes[index]
    var size = 128
    while size < node.count * 2 { size *= 2 }
    table = [UInt32](repeating: 0, count: size)
    var key = index + 1
    while key < Int(node.next) {
      let name = document.name(at: key)
      let place = slot(of: name, in: document)
      let entry = UInt32(truncatingIfNeeded: key)
      // The last duplicate of a name counts.
      if table[place] != 0 { repeated.insert(entry) }
      table[place] = entry
      key = Int(document.nodes[key + 1].next)
    }
  }

  func find(_ name: [UInt8], in document: JSONDocument) -> (value: Int?, isRepeated: Bool) {
    let entry = table[slot(of: name[...], in: document)]
    return entry == 0 ? (nil, false) : (Int(entry) + 1, repeated.contains(entry))
  }

  /// The slot of the name, or the empty one for it.
  private func slot(of name: ArraySlice<UInt8>, in document: JSONDocument) -> Int {
    var hasher = Hasher()
    name.withUnsafeBytes { hasher.combine(bytes: $0) }
    var place = hasher.finalize() & (table.count - 1)
    while table[place] != 0, document.name(at: Int(table[place])) != name { place = (place + 1) & (table.count - 1) }
    return place
  }
}

extension JSONDocument {
  /// The name of a member as UTF-8.
  fileprivate func name(at index: Int) -> ArraySlice<UInt8> {
    let content = bytes[nodes[index].stringRange]
    return nodes[index].hasEscapes ? unescaped(content)[...] : content
  }
}
