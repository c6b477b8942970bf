// Searches for bytes. They stand before those of the standard library, which search for equivalent characters and take
// about ten times as long; they and their regular expressions would be 1 MB of the program.

extension StringProtocol where SubSequence == Substring {
  /// The first range with the bytes of a text.
  @inlinable package func firstRange(of text: String) -> Range<Index>? { utf8.firstRange(of: text.utf8) }

  @inlinable package func contains(_ text: String) -> Bool { utf8.firstOffsets(of: text.utf8) != nil }

  package func replacing(_ text: String, with replacement: String) -> String {
    parts(separatedBy: text).joined(separator: replacement)
  }

  /// The parts between the occurrences of a text.
  package func parts(separatedBy text: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while !text.isEmpty, let found = rest.firstRange(of: text) {
      parts.append(rest[..<found.lowerBound])
      rest = rest[found.upperBound...]
    }
    return parts + [rest]
  }
}

extension Collection<UInt8> {
  @inlinable package func firstRange(of bytes: some Collection<UInt8>) -> Range<Index>? {
    guard let found = firstOffsets(of: bytes) else { return nil }
    let start = index(startIndex, offsetBy: found.lowerBound)
    return start..<index(start, offsetBy: found.count)
  }

  @inlinable func firstOffsets(of pattern: some Collection<UInt8>) -> Range<Int>? {
    withContiguousStorageIfAvailable { bytes in
      pattern.withContiguousStorageIfAvailable { Values.firstOffsets(of: $0, in: bytes) }
        ?? bytes.firstOffsets(of: Array(pattern))
    } ?? Array(self).firstOffsets(of: pattern)
  }
}

@usableFromInline
func firstOffsets(of pattern: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
  guard let first = pattern.first else { return 0..<0 }
  var start = 0
  while start + pattern.count <= bytes.count {
    if bytes[start] == first, pattern.indices.allSatisfy({ bytes[start + $0] == pattern[$0] }) {
      return start..<(start + pattern.count)
    }
    start += 1
  }
  return nil
}
