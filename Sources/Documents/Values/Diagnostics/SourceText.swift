import Synchronization

/// A text that diagnostics point into: a file's UTF-8, and where its lines begin.
///
/// It belongs to what was made of it: specs, documents, plans, and diagnostics about it. Ranges in it only know its
/// number.
@usableFromInline package final class SourceText: Sendable {
  /// The text of ranges without a source, or whose source is gone.
  static let none = SourceText()

  /// The name as the user gave it, such as `examples/users.yaml`.
  package let name: String
  package let utf8: [UInt8]
  @usableFromInline let id: UInt32
  private let lineStarts: [Int]
  private let secrets: Mutex<[Range<Int>]?>
  /// The part of another source that it has; nil if it is whole.
  let fragment: SourceFragment?
  /// The secrets of the lines of the last error.
  let lastSecrets = Mutex<LineSecrets?>(nil)

  package init(name: String, utf8: [UInt8]) {
    self.name = name
    self.utf8 = utf8
    fragment = nil
    secrets = Mutex(nil)
    var starts = [0]
    utf8.withUnsafeBufferPointer { utf8 in
      for offset in 0..<utf8.count where utf8[offset] == 0x0A || utf8[offset] == 0x0D {
        if utf8[offset] == 0x0A || offset + 1 >= utf8.count || utf8[offset + 1] != 0x0A { starts.append(offset + 1) }
      }
    }
    lineStarts = starts
    precondition(utf8.count <= Int(UInt32.max), "a text of more than 4 GB")
    id = SourceIndex.reserve()
    SourceIndex.register(self)
  }

  /// Creates the source of the place of a fragment.
  package init(_ fragment: SourceFragment) {
    name = fragment.name
    // A longer place ends behind a line break.
    utf8 = fragment.text.map { Array($0.utf8) + [0x0A, 0x0A] } ?? []
    self.fragment = fragment
    secrets = Mutex([])
    lineStarts = [0]
    id = SourceIndex.reserve()
    SourceIndex.register(self)
  }

  private init() {
    (name, utf8, lineStarts, id, fragment) = ("", [], [0], 0, nil)
    secrets = Mutex(nil)
  }

  deinit { SourceIndex.remove(id) }

  /// The number of sources that are alive in this process.
  package static var liveCount: Int { SourceIndex.count }

  package convenience init(name: String, text: String) {
    self.init(name: name, utf8: Array(text.utf8))
  }

  /// The bytes within a range that are never drawn, such as those of a password, in order. They are determined when
  /// something is first drawn.
  package func secretRanges(within range: Range<Int>) -> [Range<Int>] {
    let all = secrets.withLock { known in
      if let known { return known }
      let found = SecretPlaces.find(in: utf8, name: name)
      known = found
      return found
    }
    let first = all.partitioningIndex { $0.upperBound > range.lowerBound }
    return all[first...].prefix { $0.lowerBound < range.upperBound }.map { $0.clamped(to: range) }
  }

  /// The bytes that a drawing of a place with the lines around it may show.
  package func surroundings(of bytes: Range<Int>, lines count: Int = 2, reach: Int = 2048) -> Range<Int> {
    guard fragment == nil else { return 0..<utf8.count }
    let last = min(lineIndex(at: bytes.upperBound) + count, lineStarts.count - 1)
    let lines = lineStarts[max(0, lineIndex(at: bytes.lowerBound) - count)]..<lineBytes(last).upperBound
    return lines.clamped(to: max(0, bytes.lowerBound - reach)..<bytes.upperBound + reach)
  }

  /// Conceals these bytes as `***`, too, from now on.
  package func conceal(_ ranges: [Range<Int>]) {
    guard !ranges.isEmpty else { return }
    secrets.withLock { known in
      known = ((known ?? SecretPlaces.find(in: utf8, name: name)) + ranges).merged
    }
  }

  /// The line of a byte offset, counted from 0.
  package func lineIndex(at offset: Int) -> Int {
    if let fragment {
      return (offset > utf8.count - 2 ? fragment.lastLine ?? fragment.start.line : fragment.start.line) - 1
    }
    return max(0, lineStarts.partitioningIndex { $0 > offset } - 1)
  }

  /// The bytes of a line, counted from 0, without its line break.
  package func lineBytes(_ index: Int) -> Range<Int> {
    if fragment != nil { return 0..<max(0, utf8.count - 2) }
    let start = lineStarts[index]
    var end = index + 1 < lineStarts.count ? lineStarts[index + 1] : utf8.count
    while end > start, utf8[end - 1] == 0x0A || utf8[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  package func text(in bytes: Range<Int>) -> String {
    String(decoding: utf8[bytes.clamped(to: 0..<utf8.count)], as: UTF8.self)
  }

  /// The line and column, counted from 1; columns count characters, as in an editor.
  package func position(at offset: Int) -> SourcePosition {
    if let fragment { return fragment.start }
    let bounded = min(max(offset, 0), utf8.count)
    let line = lineIndex(at: bounded)
    let start = lineStarts[line]
    let end = character(around: bounded, from: start).lowerBound
    return SourcePosition(line: line + 1, column: text(in: start..<max(start, end)).count + 1)
  }

  /// The bytes of the character, all its scalars together, that contains an offset; empty if one begins there.
  func character(around offset: Int, from lineStart: Int) -> Range<Int> {
    guard offset > lineStart, offset < utf8.count, utf8[offset] >= 0x80 else { return offset..<offset }
    // ASCII never continues the text before it; longer characters than this aren't text.
    let farthest = max(lineStart, offset - 256)
    var start = offset - 1
    while start > farthest, utf8[start] >= 0x80 { start -= 1 }
    while start < offset, utf8[start] & 0xC0 == 0x80 { start += 1 }
    let line = lineBytes(lineIndex(at: offset))
    var limit = min(max(line.upperBound, offset), offset + 256)
    while limit > offset, limit < utf8.count, utf8[limit] & 0xC0 == 0x80 { limit -= 1 }
    let text = text(in: start..<limit)
    // Invalid UTF-8 is decoded to more bytes: then positions in the text aren't those in the source.
    guard text.utf8.count == limit - start else { return offset..<offset }
    var end = start
    for character in text {
      let next = end + character.utf8.count
      if next > offset { return end == offset ? offset..<offset : end..<next }
      end = next
    }
    return offset..<offset
  }
}

/// A line and a column, counted from 1.
package struct SourcePosition: Sendable, Hashable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
