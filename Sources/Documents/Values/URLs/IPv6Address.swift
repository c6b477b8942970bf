/// An IPv6 address without a zone.
package struct IPv6Address: Hashable {
  private(set) var pieces: [UInt16]

  /// Reads the text forms of RFC 4291, section 2.2.
  package init?(_ bytes: some Collection<UInt8>) {
    let text = Array(bytes)
    guard text.count <= 45, text.allSatisfy({ hexDigitValue($0) != nil || $0 == colon || $0 == dot }) else {
      return nil
    }
    guard let gap = IPv6Address.doubleColon(text) else {
      guard let all = IPv6Address.groups(text[...]), all.count == 8 else { return nil }
      pieces = all
      return
    }
    guard let left = IPv6Address.groups(text[..<gap], allowsIPv4: false),
      let right = IPv6Address.groups(text[(gap + 2)...]), left.count + right.count < 8
    else { return nil }
    pieces = left + [UInt16](repeating: 0, count: 8 - left.count - right.count) + right
  }

  /// The canonical form of RFC 5952, IPv4 parts in hexadecimal too.
  var text: String {
    var best = 0..<0
    var index = 0
    while index < 8 {
      var end = index
      while end < 8, pieces[end] == 0 { end += 1 }
      if end - index > max(best.count, 1) { best = index..<end }
      index = max(end, index + 1)
    }
    func joined(_ pieces: ArraySlice<UInt16>) -> String {
      pieces.map { String($0, radix: 16) }.joined(separator: ":")
    }
    return best.isEmpty
      ? joined(pieces[...]) : joined(pieces[..<best.lowerBound]) + "::" + joined(pieces[best.upperBound...])
  }

  /// The offset of the only `::`.
  private static func doubleColon(_ text: [UInt8]) -> Int? {
    text.indices.dropLast().first { text[$0] == colon && text[$0 + 1] == colon }
  }

  private static func groups(_ text: ArraySlice<UInt8>, allowsIPv4: Bool = true) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    var result: [UInt16] = []
    let parts = text.split(separator: colon, omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if part.contains(dot) {
        guard allowsIPv4, index == parts.count - 1, let address = dottedDecimal(part) else { return nil }
        result += [UInt16(address >> 16), UInt16(address & 0xFFFF)]
        continue
      }
      guard (1...4).contains(part.count) else { return nil }
      var value: UInt16 = 0
      for byte in part {
        guard let digit = hexDigitValue(byte) else { return nil }
        value = value << 4 | UInt16(digit)
      }
      result.append(value)
    }
    return result
  }
}

private let colon = UInt8(ascii: ":")
private let dot = UInt8(ascii: ".")
