/// One form of a secret to search for, byte by byte; any of its bytes may also be escaped in the text.
struct SecretPattern: Sendable, Hashable {
  /// The comparison of the text's bytes with the pattern's.
  enum Alphabet: Sendable, Hashable {
    /// Lower-case letters match upper-case ones too, since host names are lower-cased.
    case exact
    /// `+/` and `-_` are the same (RFC 4648, section 5).
    case base64
    /// Letters in either case.
    case hex
  }

  let bytes: [UInt8]
  let alphabet: Alphabet
  /// Indicates whether the base64 character before the pattern contains some bits of the secret.
  var hasPartialStart = false
  /// Indicates whether the base64 character after the pattern contains some bits of the secret.
  var hasPartialEnd = false

  /// Indicates whether line breaks may be inserted in it (RFC 2045, section 6.8; RFC 7468).
  var mayBreak: Bool { alphabet != .exact }

  /// Returns whether a byte of the text, unescaped, matches the pattern there.
  @inline(__always)
  func matches(_ byte: UInt8, at offset: Int) -> Bool {
    let expected = bytes[offset]
    if byte == expected { return true }
    switch alphabet {
    case .exact: return (0x41...0x5A).contains(expected) && byte == expected | 0x20
    case .hex: return byte | 0x20 == expected && byte >= 0x41
    case .base64:
      return (expected == UInt8(ascii: "+") && byte == UInt8(ascii: "-"))
        || (expected == UInt8(ascii: "/") && byte == UInt8(ascii: "_"))
    }
  }

  /// Returns whether the bytes of a character match the pattern there.
  @inline(__always)
  func matches(_ character: UTF8Bytes, at offset: Int) -> Bool {
    guard offset + character.count <= bytes.count else { return false }
    for index in 0..<character.count where !matches(character[index], at: offset + index) { return false }
    return true
  }

  /// All bytes of a text that match the pattern's byte unescaped.
  func variants(at offset: Int) -> [UInt8] {
    let expected = bytes[offset]
    switch (alphabet, expected) {
    case (.base64, UInt8(ascii: "+")): return [expected, UInt8(ascii: "-")]
    case (.base64, UInt8(ascii: "/")): return [expected, UInt8(ascii: "_")]
    case (.exact, 0x41...0x5A): return [expected, expected | 0x20]
    case (.hex, UInt8(ascii: "a")...UInt8(ascii: "f")): return [expected, expected & 0xDF]
    default: return [expected]
    }
  }
}

extension SecretPattern {
  /// The raw text, its hexadecimal digits, and base64 at the three offsets it can have in a longer encoded run.
  static func patterns(of secret: [UInt8]) -> [SecretPattern] {
    let hex = Array(hexEncoded(secret).utf8)
    return [SecretPattern(bytes: secret, alphabet: .exact), SecretPattern(bytes: hex, alphabet: .hex)]
      + (0..<3).map { base64(of: secret, after: $0) }
  }

  /// The base64 characters that the secret alone determines after that number of unknown bytes.
  private static func base64(of secret: [UInt8], after precedingBytes: Int) -> SecretPattern {
    let firstBit = precedingBytes * 8
    let endBit = firstBit + secret.count * 8
    var characters: [UInt8] = []
    for character in (firstBit + 5) / 6..<endBit / 6 {
      var sextet = 0
      for bit in character * 6..<character * 6 + 6 {
        let offset = bit - firstBit
        sextet = sextet << 1 | Int(secret[offset >> 3] >> UInt8(7 - offset & 7) & 1)
      }
      characters.append(base64Alphabet[sextet])
    }
    return SecretPattern(
      bytes: characters, alphabet: .base64, hasPartialStart: firstBit % 6 != 0, hasPartialEnd: endBit % 6 != 0)
  }
}

func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

func isBase64Character(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
  default: isAlphanumeric(byte)
  }
}
