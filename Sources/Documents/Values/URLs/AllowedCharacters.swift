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

  func removing(_ characters: String) -> AllowedCharacters {
    var result = self
    let others = AllowedCharacters(characters)
    result.low &= ~others.low
    result.high &= ~others.high
    return result
  }

  /// All visible characters but those that a request line can't contain.
  static let requestLine = AllowedCharacters(String(decoding: 0x21...0x7E, as: UTF8.self)).removing("\"<>\\^`{|}")

  /// Letters, digits and `-._~` (RFC 3986, section 2.3).
  package static let unreserved = AllowedCharacters(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// The characters allowed in a query's keys and values: Alamofire's `afURLQueryAllowed`.
  package static let formQuery = unreserved.inserting("/?")

  /// The characters allowed in one segment of a path: `pchar` (RFC 3986, section 3.3).
  package static let pathSegment = unreserved.inserting("!$&'()*+,;=:@")
}
