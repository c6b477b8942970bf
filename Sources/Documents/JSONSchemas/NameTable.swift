/// The names of properties, looked up by their UTF-8.
struct NameTable: Sendable {
  private(set) var names: [[UInt8]] = []
  /// Open addressing: the index of a name plus one, by its hash; the size is a power of two.
  private var buckets: [Int32] = []

  init() {}

  init(_ names: some Sequence<[UInt8]>) {
    for name in names { _ = insert(name) }
  }

  var isEmpty: Bool { names.isEmpty }
  var count: Int { names.count }

  /// The index of a name, which is added if it is new.
  mutating func insert(_ name: [UInt8]) -> Int {
    if let known = index(of: name[...]) { return known }
    names.append(name)
    if names.count * 2 > buckets.count {
      buckets = [Int32](repeating: 0, count: max(4, buckets.count * 2))
      for index in names.indices { place(index) }
    } else {
      place(names.count - 1)
    }
    return names.count - 1
  }

  func index(of name: ArraySlice<UInt8>) -> Int? {
    guard !buckets.isEmpty else { return nil }
    var slot = NameTable.hash(name) & (buckets.count - 1)
    while buckets[slot] != 0 {
      let index = Int(buckets[slot]) - 1
      if names[index].count == name.count, names[index].elementsEqual(name) { return index }
      slot = (slot + 1) & (buckets.count - 1)
    }
    return nil
  }

  private mutating func place(_ index: Int) {
    var slot = NameTable.hash(names[index][...]) & (buckets.count - 1)
    while buckets[slot] != 0 { slot = (slot + 1) & (buckets.count - 1) }
    buckets[slot] = Int32(truncatingIfNeeded: index + 1)
  }

  /// FNV-1a. The names are the schema's, so nobody chooses them to collide.
  private static func hash(_ name: ArraySlice<UInt8>) -> Int {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: value ^ value >> 32)
  }
}
