/// A place: a source and a range of its UTF-8 bytes.
///
/// Nearly every part of a spec has one, so it is small and retains nothing. Code that draws it must hold its source; a
/// range whose source is gone is that of an empty text.
@usableFromInline package struct SourceRange: Sendable, Hashable {
  /// The place of anything without a file, such as a spec made in memory.
  package static let none = SourceRange(id: 0, bytes: 0..<0)

  @usableFromInline let id: UInt32
  @usableFromInline let lowerBound: UInt32
  @usableFromInline let upperBound: UInt32

  @inlinable package init(_ source: SourceText, _ bytes: Range<Int>) {
    self.init(id: source.id, bytes: bytes)
  }

  @inlinable init(id: UInt32, bytes: Range<Int>) {
    self.id = id
    lowerBound = UInt32(bytes.lowerBound)
    upperBound = UInt32(bytes.upperBound)
  }

  /// The source; an empty text if it is gone.
  package var source: SourceText { owner ?? .none }
  /// Nil if the source is gone.
  var owner: SourceText? { SourceIndex.source(id) }
  @inlinable package var bytes: Range<Int> { Int(lowerBound)..<Int(upperBound) }
  package var utf8: ArraySlice<UInt8> {
    let utf8 = source.utf8
    return utf8[bytes.clamped(to: 0..<utf8.count)]
  }

  package var start: SourcePosition { source.position(at: bytes.lowerBound) }
  /// The line of its start, counted from 1; unlike that of ``start``, found without counting a column in a long line.
  package var line: Int { source.lineIndex(at: bytes.lowerBound) + 1 }
  package var end: SourcePosition { source.position(at: bytes.upperBound) }
  package var text: String { source.text(in: bytes) }

  /// Indicates whether it ends in a later line than it begins.
  package var spansLines: Bool {
    let source = source
    return source.lineIndex(at: bytes.lowerBound) < source.lineIndex(at: max(bytes.lowerBound, bytes.upperBound - 1))
  }

  /// `file:line:column`
  package var location: String {
    let source = source
    let start = source.position(at: bytes.lowerBound)
    return "\(concealingSecrets(in: source.name)):\(start.line):\(start.column)"
  }

  @inlinable package func isInSameSource(as other: SourceRange) -> Bool { id == other.id }

  /// A range of other bytes in the same source.
  @inlinable package func moved(to bytes: Range<Int>) -> SourceRange { SourceRange(id: id, bytes: bytes) }

  /// The range from the start of this one to the end of another one in the same source.
  package func through(_ other: SourceRange) -> SourceRange {
    moved(to: min(bytes.lowerBound, other.bytes.lowerBound)..<max(bytes.upperBound, other.bytes.upperBound))
  }
}
