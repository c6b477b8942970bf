// Searches for bytes. They stand before those of the standard library, which search for equivalent characters and take
// about ten times as long.

extension StringProtocol {
  /// The first range with the bytes of a text.
  func firstRange(of text: String) -> Range<Index>? {
    guard let found = utf8.firstOffsets(of: text.utf8) else { return nil }
    let start = utf8.index(startIndex, offsetBy: found.lowerBound)
    return start..<utf8.index(start, offsetBy: found.count)
  }

  func contains(_ text: String) -> Bool { utf8.firstOffsets(of: text.utf8) != nil }

  func replacing(_ text: String, with replacement: String) -> String {
    var result = ""
    var rest = self[...]
    while !text.isEmpty, let found = rest.firstRange(of: text) {
      result += rest[..<found.lowerBound] + replacement
      rest = rest[found.upperBound...]
    }
    return result.isEmpty ? String(rest) : result + rest
  }
}

extension Substring.UTF8View {
  func firstRange(of bytes: String.UTF8View) -> Range<Index>? {
    guard let found = firstOffsets(of: bytes) else { return nil }
    let start = index(startIndex, offsetBy: found.lowerBound)
    return start..<index(start, offsetBy: found.count)
  }
}

extension Collection<UInt8> {
  fileprivate func firstOffsets(of pattern: String.UTF8View) -> Range<Int>? {
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
