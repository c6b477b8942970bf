/// Patterns by their beginnings: a hash table with chains.
struct PatternIndex: Sendable {
  /// The first pattern of each hash, or -1.
  private var heads: [Int32]
  /// The next pattern with the same hash, for each pattern.
  private var following: [Int32]
  private let shift: UInt64

  init(_ patterns: [SecretPattern], by key: ([UInt8]) -> UInt64) {
    var bits: UInt64 = 4
    while 1 << bits < patterns.count { bits += 1 }
    shift = 64 - bits
    heads = [Int32](repeating: -1, count: 1 << Int(bits))
    following = [Int32](repeating: -1, count: patterns.count)
    for (index, pattern) in patterns.enumerated() {
      let place = Int(PatternIndex.hash(key(pattern.bytes)) >> shift)
      following[index] = heads[place]
      heads[place] = Int32(truncatingIfNeeded: index)
    }
  }

  /// The patterns of a key's hash.
  struct Candidates: Sequence, IteratorProtocol {
    fileprivate let following: [Int32]
    fileprivate var index: Int32

    mutating func next() -> Int? {
      if index < 0 { return nil }
      defer { index = following[Int(index)] }
      return Int(index)
    }
  }

  @inline(__always)
  func candidates(_ key: UInt64) -> Candidates {
    Candidates(following: following, index: heads[Int(PatternIndex.hash(key) >> shift)])
  }

  @inline(__always)
  private static func hash(_ key: UInt64) -> UInt64 { key &* 0x9E37_79B9_7F4A_7C15 }
}
