// Searches for bytes. They stand before those of the standard library, which search for equivalent characters and take
// about ten times as long; they and their regular expressions would be 1 MB of the program.

extension StringProtocol where SubSequence == Substring {
  /// The first range with the bytes of a text.
  package func firstRange(of text: String) -> Range<Index>? { utf8.firstRange(of: text.utf8) }

  package func contains(_ text: String) -> Bool { utf8.firstOffsets(of: text.utf8) != nil }

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
  package func firstRange(of bytes: some Collection<UInt8>) -> Range<Index>? {
    guard let found = firstOffsets(of: bytes) else { return nil }
    let start = index(startIndex, offsetBy: found.lowerBound)
    return start..<index(start, offsetBy: found.count)
  }

  fileprivate func firstOffsets(of pattern: some Collection<UInt8>) -> Range<Int>? {
    guard let first = pattern.first else { return 0..<0 }
    let rest = pattern.dropFirst()
    return withContiguousStorageIfAvailable { bytes in
      var start = 0
      while start + rest.count < bytes.count {
        guard let place = bytes[start..<(bytes.count - rest.count)].firstIndex(of: first) else { return nil }
        if bytes[(place + 1)...].starts(with: rest) { return place..<(place + 1 + rest.count) }
        start = place + 1
      }
      return nil
    } ?? Array(self).firstOffsets(of: pattern)
  }
}
