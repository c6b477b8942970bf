/// Finds patterns in bytes, each of their characters raw or escaped.
///
/// A table of first bytes and one of first pairs pass over nearly all of a text; where a pattern can begin, it is
/// followed as far as it goes. The work grows with the text's length; for a text made to look like the beginning of
/// a pattern over and over also with the pattern's.
struct SecretScanner: Sendable {
  let patterns: [SecretPattern]
  /// For each byte the patterns that can begin with it.
  let beginning: [[Int]]
  /// The pairs of bytes that a pattern can begin with, one bit each.
  private let pairs: [UInt64]

  init(patterns: [SecretPattern]) {
    self.patterns = patterns
    var beginning = [[Int]](repeating: [], count: 256)
    var pairs = [UInt64](repeating: 0, count: 1024)
    for (index, pattern) in patterns.enumerated() {
      for first in pattern.variants(at: 0) {
        beginning[Int(first)].append(index)
        for second in pattern.variants(at: 1) {
          let pair = Int(first) << 8 | Int(second)
          pairs[pair >> 6] |= 1 << UInt64(pair & 63)
        }
      }
    }
    self.beginning = beginning
    self.pairs = pairs
  }

  func canBegin(with first: UInt8, _ second: UInt8) -> Bool {
    let pair = Int(first) << 8 | Int(second)
    return pairs[pair >> 6] & (1 << UInt64(pair & 63)) != 0
  }

  /// What a scan found.
  struct Findings {
    /// In no particular order; they may overlap.
    var ranges: [Range<Int>] = []
    /// From here on more of the text is needed to tell; what begins before it is settled.
    var settled: Int
  }

  /// Scans a text, or the part of it that is there so far.
  func scan(_ text: UnsafeBufferPointer<UInt8>, isComplete: Bool) -> Findings {
    var pass = SecretScan(scanner: self, text: text, isComplete: isComplete)
    pass.run()
    return pass.findings
  }
}
