/// Text that knows which of its bytes are secret.
///
/// The ranges are UTF-8 offsets, ascending and disjoint; concatenation and encodings keep them, so that the text can be
/// masked without searching it.
package struct Text: Sendable {
  package private(set) var string: String
  package private(set) var secretRanges: [Range<Int>]

  /// The replacement of a secret wherever it would be shown.
  package static let mask = "***"

  package init(_ string: String) {
    self.string = string
    secretRanges = []
  }

  /// Text that is secret as a whole.
  package init(secret string: String) {
    self.string = string
    let count = string.utf8.count
    secretRanges = count == 0 ? [] : [0..<count]
  }

  package init(_ string: String, isSecret: Bool) {
    self = isSecret ? Text(secret: string) : Text(string)
  }

  /// Text whose bytes in these ranges are secret; the ranges may overlap and be in any order.
  ///
  /// Their bounds must be between characters (Unicode scalars).
  package init(_ string: String, secretRanges: [Range<Int>]) {
    self.string = string
    self.secretRanges = secretRanges.merged
    precondition(self.secretRanges.last.map { $0.upperBound <= string.utf8.count } ?? true, "a range beyond the text")
  }

  package var isSecret: Bool { !secretRanges.isEmpty }
  package var isEmpty: Bool { string.isEmpty }

  /// The text with each secret range replaced by ``mask``, for display.
  package var masked: String {
    guard isSecret else { return string }
    var result = ""
    for run in runs { result += run.isSecret ? Text.mask : run.text }
    return result
  }

  /// The text cut at the bounds of its secret ranges, in order.
  package var runs: [(text: String, isSecret: Bool)] {
    guard isSecret else { return string.isEmpty ? [] : [(string, false)] }
    let bytes = Array(string.utf8)
    var result: [(text: String, isSecret: Bool)] = []
    var position = 0
    for range in secretRanges {
      if range.lowerBound > position {
        result.append((String(decoding: bytes[position..<range.lowerBound], as: UTF8.self), false))
      }
      result.append((String(decoding: bytes[range], as: UTF8.self), true))
      position = range.upperBound
    }
    if position < bytes.count { result.append((String(decoding: bytes[position...], as: UTF8.self), false)) }
    return result
  }

  /// The part of the text in a range of its UTF-8, whose bounds must be between characters (Unicode scalars).
  package subscript(utf8 range: Range<Int>) -> Text {
    let bytes = string.utf8
    let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
    var part = Text(String(decoding: bytes[start..<bytes.index(start, offsetBy: range.count)], as: UTF8.self))
    part.secretRanges = secretRanges.compactMap { secret in
      let inside = secret.clamped(to: range)
      return inside.isEmpty ? nil : inside.lowerBound - range.lowerBound..<inside.upperBound - range.lowerBound
    }
    return part
  }

  package mutating func append(_ other: Text) {
    if other.isSecret {
      let offset = string.utf8.count
      for range in other.secretRanges {
        let moved = range.lowerBound + offset..<range.upperBound + offset
        if let last = secretRanges.last, last.upperBound == moved.lowerBound {
          secretRanges[secretRanges.count - 1] = last.lowerBound..<moved.upperBound
        } else {
          secretRanges.append(moved)
        }
      }
    }
    string += other.string
  }

  package mutating func append(_ other: String) {
    string += other
  }

  package static func + (left: Text, right: Text) -> Text {
    var result = left
    result.append(right)
    return result
  }

  /// Applies an encoding that works character by character (percent-encoding, JSON escapes, letter case) to each run.
  package func mapRuns(_ transform: (String) -> String) -> Text {
    guard isSecret else { return Text(transform(string)) }
    var result = Text("")
    for run in runs { result.append(Text(transform(run.text), isSecret: run.isSecret)) }
    return result
  }

  /// Applies a transformation that mixes its input (base64, a hash, a cut): all of the result is secret if any of the
  /// input is.
  package func mapWhole<Failure>(_ transform: (String) throws(Failure) -> String) throws(Failure) -> Text {
    Text(try transform(string), isSecret: isSecret)
  }
}

extension Text: Hashable {
  /// Compares the texts, whatever is secret in them.
  package static func == (left: Text, right: Text) -> Bool {
    left.string.utf8.elementsEqual(right.string.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

/// Masks a text that is printed by accident.
extension Text: CustomStringConvertible, CustomDebugStringConvertible {
  package var description: String { masked }
  package var debugDescription: String { masked.debugDescription }
}

extension Text: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self.init(value) }
}

extension Text {
  /// The text up to a UTF-8 offset.
  package func prefix(utf8 count: Int) -> Text { self[utf8: 0..<min(count, string.utf8.count)] }

  /// The text from a UTF-8 offset on.
  package func dropping(first count: Int) -> Text { self[utf8: min(count, string.utf8.count)..<string.utf8.count] }

  /// The text without its last UTF-8 bytes.
  package func dropping(last count: Int) -> Text { self[utf8: 0..<max(0, string.utf8.count - count)] }
}

extension [Range<Int>] {
  /// The ranges that aren't empty, in order; overlapping and adjacent ones are one.
  package var merged: [Range<Int>] {
    var result: [Range<Int>] = []
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
