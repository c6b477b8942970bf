/// Finds patterns in bytes whose characters are raw or escaped.
///
/// A table of first bytes and one of first pairs skip nearly all of a text. Where a pattern can begin, those that begin
/// with the same six bytes are followed as far as they match. The work grows with the text's length; for a text made
/// to look like the beginning of a pattern over and over also with the pattern's.
struct SecretScanner: Sendable {
  let patterns: [SecretPattern]
  /// The patterns that can begin with each byte.
  let beginning: [[Int]]
  /// The pairs of bytes that a pattern can begin with, one bit each.
  private let pairs: [UInt64]
  private let byPair: PatternIndex
  private let byStart: PatternIndex

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
    byPair = PatternIndex(patterns) { SecretScanner.key($0[..<2]) }
    byStart = PatternIndex(patterns) { SecretScanner.key($0[..<SecretFilter.shortestSecret]) }
  }

  @inline(__always)
  func canBegin(with first: UInt8, _ second: UInt8) -> Bool {
    let pair = Int(first) << 8 | Int(second)
    return pairs[pair >> 6] & (1 << UInt64(pair & 63)) != 0
  }

  /// The patterns that may begin with unescaped bytes, two or as many as the shortest secret has, and some that don't.
  @inline(__always)
  func candidates(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> PatternIndex.Candidates {
    (bytes.count == 2 ? byPair : byStart).candidates(SecretScanner.key(bytes))
  }

  /// A number that is the same for all bytes that may match the same bytes of a pattern.
  @inline(__always)
  private static func key(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64(folded($1)) }
  }

  @inline(__always)
  private static func folded(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x41...0x5A: byte | 0x20
    case UInt8(ascii: "-"): UInt8(ascii: "+")
    case UInt8(ascii: "_"): UInt8(ascii: "/")
    default: byte
    }
  }

  /// The result of a scan.
  struct Findings {
    /// Matches in no particular order; they may overlap.
    var ranges: [Range<Int>] = []
    /// The position from which more text is needed to decide; everything before it is decided.
    var settled: Int
  }

  /// Scans a text, or its part so far.
  func scan(_ text: UnsafeBufferPointer<UInt8>, isComplete: Bool) -> Findings {
    var pass = SecretScan(scanner: self, text: text, isComplete: isComplete)
    pass.run()
    return pass.findings
  }
}
