/// Finds patterns in bytes whose characters are raw or escaped.
///
/// A table of first bytes and one of first pairs skip nearly all of a text. Where a pattern can begin, those that begin
/// with the same four bytes are followed as far as they match. The work grows with the text's length; for a text made
/// to look like the beginning of a pattern over and over also with the pattern's.
struct SecretScanner: Sendable {
  let patterns: [SecretPattern]
  /// The patterns that can begin with each byte.
  let beginning: [[Int]]
  /// The pairs of bytes that a pattern can begin with, one bit each.
  private let pairs: [UInt64]
  private let byPair: PatternIndex
  private let byFour: PatternIndex

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
    byPair = PatternIndex(patterns) { SecretScanner.key($0[0], $0[1]) }
    byFour = PatternIndex(patterns) { SecretScanner.key($0[0], $0[1], $0[2], $0[3]) }
  }

  @inline(__always)
  func canBegin(with first: UInt8, _ second: UInt8) -> Bool {
    let pair = Int(first) << 8 | Int(second)
    return pairs[pair >> 6] & (1 << UInt64(pair & 63)) != 0
  }

  /// The patterns that may begin with two unescaped bytes, and some that don't.
  @inline(__always)
  func candidates(_ first: UInt8, _ second: UInt8) -> PatternIndex.Candidates {
    byPair.candidates(SecretScanner.key(first, second))
  }

  /// The patterns that may begin with four unescaped bytes, and some that don't.
  @inline(__always)
  func candidates(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) -> PatternIndex.Candidates {
    byFour.candidates(SecretScanner.key(first, second, third, fourth))
  }

  /// A number that is the same for all bytes that may match the same bytes of a pattern.
  @inline(__always)
  private static func key(_ first: UInt8, _ second: UInt8) -> UInt32 {
    UInt32(folded(first)) << 8 | UInt32(folded(second))
  }

  @inline(__always)
  private static func key(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) -> UInt32 {
    key(first, second) << 16 | key(third, fourth)
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
