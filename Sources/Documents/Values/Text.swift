/// Text that knows which of its bytes are secret, and which of them an export keeps open.
///
/// The marked ranges are UTF-8 offsets, ascending and disjoint; concatenation and encodings keep them, so that the text
/// can be masked without searching it.
package struct Text: Sendable {
  package private(set) var string: String
  package private(set) var marks: [Mark]

  /// A marked part of a text.
  package struct Mark: Sendable {
    package fileprivate(set) var range: Range<Int>
    /// The value that an export keeps open; nil for a secret.
    package let open: OpenValue?
  }

  /// The replacement of a secret wherever it would be shown.
  package static let mask = "***"

  package init(_ string: String) {
    self.string = string
    marks = []
  }

  /// Text that is secret as a whole.
  package init(secret string: String) { self.init(string, marked: nil) }

  /// Text that an export keeps open as a whole.
  package init(_ string: String, open: OpenValue) { self.init(string, marked: open) }

  private init(_ string: String, marked open: OpenValue?) {
    self.string = string
    let count = string.utf8.count
    marks = count == 0 ? [] : [Mark(range: 0..<count, open: open)]
  }

  package init(_ string: String, isSecret: Bool) {
    self = isSecret ? Text(secret: string) : Text(string)
  }

  /// Text whose bytes in these ranges are secret; the ranges may overlap and be in any order.
  ///
  /// Their bounds must be between characters (Unicode scalars).
  package init(_ string: String, secretRanges: [Range<Int>]) {
    self.string = string
    marks = secretRanges.merged.map { Mark(range: $0, open: nil) }
    precondition(marks.last.map { $0.range.upperBound <= string.utf8.count } ?? true, "a range beyond the text")
  }

  package var isSecret: Bool { !marks.isEmpty && marks.contains { $0.open == nil } }
  package var isEmpty: Bool { string.isEmpty }

  package var secretRanges: [Range<Int>] {
    marks.isEmpty ? [] : marks.compactMap { $0.open == nil ? $0.range : nil }
  }

  /// The text with each secret range replaced by ``mask``, for display.
  package var masked: String {
    guard isSecret else { return string }
    var result = ""
    for run in runs { result += run.isSecret ? Text.mask : run.text }
    return result
  }

  /// The text cut at the bounds of its marked ranges, in order.
  package var runs: [Run] {
    guard !marks.isEmpty else { return string.isEmpty ? [] : [Run(text: string, mark: nil)] }
    let bytes = Array(string.utf8)
    var result: [Run] = []
    var position = 0
    func add(_ range: Range<Int>, _ mark: Mark?) {
      if !range.isEmpty { result.append(Run(text: String(decoding: bytes[range], as: UTF8.self), mark: mark)) }
      position = range.upperBound
    }
    for mark in marks {
      add(position..<mark.range.lowerBound, nil)
      add(mark.range, mark)
    }
    add(position..<bytes.count, nil)
    return result
  }

  /// A part of a text, with the mark of all of it.
  package struct Run {
    package let text: String
    fileprivate let mark: Mark?

    package var isSecret: Bool { mark.map { $0.open == nil } ?? false }
    /// The value that an export keeps open.
    package var open: OpenValue? { mark?.open }
  }

  /// The part of the text in a range of its UTF-8, whose bounds must be between characters (Unicode scalars).
  package subscript(utf8 range: Range<Int>) -> Text {
    let bytes = string.utf8
    let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
    var part = Text(String(decoding: bytes[start..<bytes.index(start, offsetBy: range.count)], as: UTF8.self))
    if !marks.isEmpty { part.marks = marks(within: range) }
    return part
  }

  private func marks(within range: Range<Int>) -> [Mark] {
    marks.compactMap { mark in
      let inside = mark.range.clamped(to: range)
      return inside.isEmpty
        ? nil
        : Mark(range: inside.lowerBound - range.lowerBound..<inside.upperBound - range.lowerBound, open: mark.open)
    }
  }

  package mutating func append(_ other: Text) {
    if !other.marks.isEmpty {
      let offset = string.utf8.count
      for mark in other.marks {
        let moved = mark.range.lowerBound + offset..<mark.range.upperBound + offset
        if let last = marks.last, last.range.upperBound == moved.lowerBound, last.open == nil, mark.open == nil {
          marks[marks.count - 1].range = last.range.lowerBound..<moved.upperBound
        } else {
          marks.append(Mark(range: moved, open: mark.open))
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
    guard !marks.isEmpty else { return Text(transform(string)) }
    var result = Text("")
    for run in runs {
      let text = transform(run.text)
      result.append(run.mark.map { Text(text, marked: $0.open) } ?? Text(text))
    }
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

extension Text {
  /// The open value of which all of the text is.
  package var open: OpenValue? {
    guard marks.count == 1, let mark = marks.first, mark.range.count == string.utf8.count else { return nil }
    return mark.open
  }

  /// The first part whose value only a run knows.
  package var unknown: OpenValue? {
    marks.isEmpty ? nil : marks.lazy.compactMap(\.open).first { $0.known == nil }
  }

  /// The text as a URL, if it begins with an open value that is one.
  package var asAddress: Text? {
    guard let first = marks.first, first.range.lowerBound == 0, let open = first.open, let address = open.address else {
      return nil
    }
    return Text(address, open: open) + dropping(first: first.range.upperBound)
  }

  /// The text as a secret, but for the parts that an export keeps open.
  package var asSecret: Text {
    guard marks.contains(where: { $0.open != nil }) else { return Text(secret: string) }
    var result = self
    result.marks = []
    var position = 0
    for mark in marks where mark.open != nil {
      if position < mark.range.lowerBound {
        result.marks.append(Mark(range: position..<mark.range.lowerBound, open: nil))
      }
      result.marks.append(mark)
      position = mark.range.upperBound
    }
    let end = string.utf8.count
    if position < end { result.marks.append(Mark(range: position..<end, open: nil)) }
    return result
  }

  fileprivate var withoutKnown: Text {
    var result = self
    result.marks.removeAll { $0.open?.known != nil }
    return result
  }
}

/// A value that an export keeps open where it stands.
package final class OpenValue: Sendable {
  /// Its number among those of the export.
  package let number: Int
  /// The value; nil if only a run knows it, and a placeholder stands in its place.
  package let known: Value?
  /// The placeholder where a URL begins with it; nil for a value that is not a URL.
  package let address: String?

  package init(number: Int, known: Value? = nil, address: String? = nil) {
    (self.number, self.known, self.address) = (number, known, address)
  }
}

extension Value {
  /// The value with the values of open parts that are known, to compute with it.
  package var known: Value {
    switch self {
    case .text(let text): text.marks.isEmpty ? self : text.open?.known ?? .text(text.withoutKnown)
    case .list(let items): .list(items.map(\.known))
    case .mapping(let mapping):
      .mapping(
        Mapping(
          mapping.members.map { member in
            Mapping.Member(
              key: member.key.marks.isEmpty ? member.key : member.key.withoutKnown, value: member.value.known)
          }))
    case .null, .bool, .number, .date, .data: self
    }
  }

  /// The first part whose value only a run knows.
  package var unknown: OpenValue? {
    switch self {
    case .text(let text): text.unknown
    case .list(let items): items.lazy.compactMap(\.unknown).first
    case .mapping(let mapping): mapping.members.lazy.compactMap { $0.key.unknown ?? $0.value.unknown }.first
    case .null, .bool, .number, .date, .data: nil
    }
  }
}
