/// The possible readings at a position of a text: an escape sequence, and what it decodes to if the text was escaped
/// repeatedly.
///
/// `%2541` is `%` and, decoded once more, `A`; so are `\\\\u0041` and `&amp;#65;`.
struct EscapeReadings {
  /// The maximum number of nested escapings.
  private static let depth = 3
  /// The longest sequence in the text that is followed.
  static let longestSequence = 22
  /// An upper bound for the length of a sequence that is itself escaped.
  private static let decodedLength = 12

  private(set) var count = 0
  private var first = EscapeSequence.none
  private var second = EscapeSequence.none
  private var third = EscapeSequence.none

  init(in text: UnsafeBufferPointer<UInt8>, at start: Int) {
    first = EscapeSequence(in: text, at: start)
    guard case .character(let character, _) = first else {
      if case .incomplete = first { count = 1 }
      return
    }
    count = 1
    guard EscapeReadings.beginsAnother(character) else { return }
    var units = EscapeReadings.units(text, from: start)
    while count < EscapeReadings.depth {
      let next = units.bytes.withUnsafeBufferPointer { EscapeSequence(in: $0, at: 0) }
      switch next {
      case .none: return
      case .incomplete:
        if units.isCut { append(.incomplete) }
        return
      case .character(let character, let length):
        let end = units.ends[length - 1]
        guard end <= EscapeReadings.longestSequence else { return }
        append(.character(character, length: end))
        guard EscapeReadings.beginsAnother(character), count < EscapeReadings.depth else { return }
        units = units.decoded
      }
    }
  }

  subscript(index: Int) -> EscapeSequence {
    switch index {
    case 0: first
    case 1: second
    default: third
    }
  }

  private mutating func append(_ sequence: EscapeSequence) {
    if count == 1 { second = sequence } else { third = sequence }
    count += 1
  }

  private static func beginsAnother(_ character: UTF8Bytes) -> Bool {
    guard character.count == 1 else { return false }
    switch character[0] {
    case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "~"): return true
    default: return false
    }
  }

  /// A text decoded once, from some position on.
  private struct Units {
    var bytes: [UInt8] = []
    /// The end of each byte's source, relative to that position.
    var ends: [Int] = []
    /// Indicates whether the text ends too early.
    var isCut = false

    /// The text decoded once more.
    var decoded: Units {
      var result = bytes.withUnsafeBufferPointer { EscapeReadings.units($0, from: 0) }
      result.ends = result.ends.map { ends[$0 - 1] }
      result.isCut = result.isCut && isCut
      return result
    }
  }

  private static func units(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Units {
    var result = Units()
    var position = start
    while result.bytes.count < decodedLength {
      guard position < text.count else {
        result.isCut = true
        break
      }
      let byte = text[position]
      if byte != UInt8(ascii: "+"), EscapeSequence.canBegin(with: byte) {
        switch EscapeSequence(in: text, at: position) {
        case .none: break
        case .incomplete:
          result.isCut = true
          return result
        case .character(let character, let length):
          position += length
          for index in 0..<character.count {
            result.bytes.append(character[index])
            result.ends.append(position - start)
          }
          continue
        }
      }
      position += 1
      result.bytes.append(byte)
      result.ends.append(position - start)
    }
    return result
  }
}
