package import Values

/// The ASCII characters that percent-encoding leaves as they are.
package struct AllowedCharacters: Sendable, Hashable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  package init(_ characters: String) {
    for byte in characters.utf8 {
      precondition(byte < 0x80, "only ASCII characters can be allowed")
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
  }

  package func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<64: low & (1 << UInt64(byte)) != 0
    case 64..<128: high & (1 << UInt64(byte - 64)) != 0
    default: false
    }
  }

  package func inserting(_ characters: String) -> AllowedCharacters {
    var result = self
    let others = AllowedCharacters(characters)
    result.low |= others.low
    result.high |= others.high
    return result
  }

  /// Letters, digits and `-._~` (RFC 3986, section 2.3).
  package static let unreserved = AllowedCharacters(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// The characters allowed in a query's keys and values: Alamofire's `afURLQueryAllowed`.
  package static let formQuery = unreserved.inserting("/?")

  /// The characters allowed in one segment of a path: `pchar` (RFC 3986, section 3.3).
  package static let pathSegment = unreserved.inserting("!$&'()*+,;=:@")
}

/// The text with every other byte as `%XX`; secrets stay marked.
package func percentEncoded(_ text: Text, allowed: AllowedCharacters) -> Text {
  text.mapRuns { percentEncoded($0, allowed: allowed) }
}

/// The text with every other byte as `%XX`.
package func percentEncoded(_ string: String, allowed: AllowedCharacters) -> String {
  guard !string.utf8.allSatisfy({ allowed.contains($0) }) else { return string }
  return percentEncoded(string.utf8, allowed: allowed)
}

/// The bytes, with `%XX` for every one that isn't allowed.
package func percentEncoded(_ bytes: some Collection<UInt8>, allowed: AllowedCharacters) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var result: [UInt8] = []
  result.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    if allowed.contains(byte) {
      result.append(byte)
    } else {
      result.append(UInt8(ascii: "%"))
      result.append(digits[Int(byte >> 4)])
      result.append(digits[Int(byte & 15)])
    }
  }
  return String(decoding: result, as: UTF8.self)
}
