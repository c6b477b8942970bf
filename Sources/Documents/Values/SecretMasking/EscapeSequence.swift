/// The result of decoding an escape sequence at a position of a text.
enum EscapeSequence {
  /// No sequence begins here.
  case none
  /// The text ends within a possible sequence.
  case incomplete
  /// A character, as up to four bytes of UTF-8 (or one raw byte), and the number of bytes of its sequence.
  case character(UTF8Bytes, length: Int)

  /// The longest character reference that is read: `&#x10FFFF;` with a dozen leading zeros.
  private static let longestReference = 22

  /// Returns whether a byte can begin an escape sequence: `%` and `+` of URLs, `\` of JSON and program texts, `&` of
  /// HTML, `=` of quoted-printable, `~` of JSON Pointers; or a line break, which base64 may have anywhere.
  static func canBegin(with byte: UInt8) -> Bool { isIntroducer[Int(byte)] }

  private static let isIntroducer: [Bool] = (0..<256).map { "%+\\&=~\n\r".utf8.contains(UInt8($0)) }

  init(in text: UnsafeBufferPointer<UInt8>, at start: Int) {
    switch text[start] {
    case UInt8(ascii: "+"): self = .character(UTF8Bytes(0x20), length: 1)
    case UInt8(ascii: "%"): self = .hexPair(text, start, after: 1)
    case UInt8(ascii: "\\"): self = .backslash(text, start)
    case UInt8(ascii: "&"): self = .reference(text, start)
    case UInt8(ascii: "="): self = .quotedPrintable(text, start)
    case UInt8(ascii: "~"): self = .pointer(text, start)
    default: self = .none
    }
  }

  /// Two hexadecimal digits after a prefix.
  private static func hexPair(
    _ text: UnsafeBufferPointer<UInt8>, _ start: Int, after prefix: Int
  ) -> EscapeSequence {
    guard start + prefix < text.count else { return .incomplete }
    guard let high = hexValue(text[start + prefix]) else { return .none }
    guard start + prefix + 1 < text.count else { return .incomplete }
    guard let low = hexValue(text[start + prefix + 1]) else { return .none }
    return .character(UTF8Bytes(UInt8(high << 4 | low)), length: prefix + 2)
  }

  /// RFC 2045, section 6.7: an octet, or a soft line break, which represents nothing.
  private static func quotedPrintable(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> EscapeSequence {
    guard start + 1 < text.count else { return .incomplete }
    switch text[start + 1] {
    case 0x0A: return .character(UTF8Bytes(), length: 2)
    case 0x0D:
      guard start + 2 < text.count else { return .incomplete }
      return text[start + 2] == 0x0A ? .character(UTF8Bytes(), length: 3) : .none
    default: return hexPair(text, start, after: 1)
    }
  }

  /// RFC 6901, section 3.
  private static func pointer(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> EscapeSequence {
    guard start + 1 < text.count else { return .incomplete }
    switch text[start + 1] {
    case UInt8(ascii: "0"): return .character(UTF8Bytes(UInt8(ascii: "~")), length: 2)
    case UInt8(ascii: "1"): return .character(UTF8Bytes(UInt8(ascii: "/")), length: 2)
    default: return .none
    }
  }

  /// RFC 8259, section 7; `\'`, `\xNN` and `\u{…}` are JavaScript's, three octal digits a shell's.
  private static func backslash(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> EscapeSequence {
    guard start + 1 < text.count else { return .incomplete }
    let byte: UInt8
    switch text[start + 1] {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: byte = text[start + 1]
    case UInt8(ascii: "b"): byte = 0x08
    case UInt8(ascii: "f"): byte = 0x0C
    case UInt8(ascii: "n"): byte = 0x0A
    case UInt8(ascii: "r"): byte = 0x0D
    case UInt8(ascii: "t"): byte = 0x09
    case UInt8(ascii: "x"): return hexPair(text, start, after: 2)
    case UInt8(ascii: "0")...UInt8(ascii: "3"): return octalEscape(text, start)
    case UInt8(ascii: "u"):
      guard start + 2 < text.count else { return .incomplete }
      return text[start + 2] == UInt8(ascii: "{") ? bracedEscape(text, start) : unicodeEscape(text, start)
    default: return .none
    }
    return .character(UTF8Bytes(byte), length: 2)
  }

  private static func octalEscape(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> EscapeSequence {
    var value: UInt32 = 0
    for offset in 1...3 {
      guard start + offset < text.count else { return .incomplete }
      guard let digit = hexValue(text[start + offset]), digit < 8 else { return .none }
      value = value << 3 | digit
    }
    return .character(UTF8Bytes(UInt8(truncatingIfNeeded: value)), length: 4)
  }

  private static func bracedEscape(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> EscapeSequence {
    var value: UInt32 = 0
    for offset in 3..<12 {
      guard start + offset < text.count else { return .incomplete }
      let byte = text[start + offset]
      if byte == UInt8(ascii: "}") {
        guard offset > 3, let scalar = Unicode.Scalar(value) else { return .none }
        return .character(UTF8Bytes(scalar), length: offset + 1)
      }
      guard let digit = hexValue(byte) else { return .none }
      value = value << 4 | digit
    }
    return .none
  }

  private static func unicodeEscape(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> EscapeSequence {
    func unit(_ start: Int) -> (value: UInt32?, isCut: Bool) {
      var value: UInt32 = 0
      for (offset, expected) in [UInt8(ascii: "\\"), UInt8(ascii: "u"), 0, 0, 0, 0].enumerated() {
        guard start + offset < text.count else { return (nil, true) }
        let byte = text[start + offset]
        if offset < 2 {
          guard byte == expected else { return (nil, false) }
        } else {
          guard let digit = hexValue(byte) else { return (nil, false) }
          value = value << 4 | digit
        }
      }
      return (value, false)
    }
    let first = unit(start)
    guard let high = first.value else { return first.isCut ? .incomplete : .none }
    if let scalar = Unicode.Scalar(high) { return .character(UTF8Bytes(scalar), length: 6) }
    guard high < 0xDC00 else { return .none }
    let second = unit(start + 6)
    guard let low = second.value else { return second.isCut ? .incomplete : .none }
    guard (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { return .none }
    return .character(UTF8Bytes(scalar), length: 12)
  }

  /// A character reference of HTML: `&amp;`, `&#39;`, `&#x27;`.
  private static func reference(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> EscapeSequence {
    var end = start + 1
    while end < text.count, isReferenceCharacter(text[end]), end - start < longestReference - 1 { end += 1 }
    guard end < text.count else { return end - start < longestReference ? .incomplete : .none }
    guard text[end] == UInt8(ascii: ";"), end > start + 1 else { return .none }
    let name = UnsafeBufferPointer(rebasing: text[start + 1..<end])
    let length = end - start + 1
    guard name[0] == UInt8(ascii: "#") else {
      guard let byte = namedReferences.first(where: { $0.name.elementsEqual(name) })?.byte else { return .none }
      return .character(UTF8Bytes(byte), length: length)
    }
    let isHex = name.count > 1 && name[1] | 0x20 == UInt8(ascii: "x")
    let digits = name[(isHex ? 2 : 1)...]
    guard !digits.isEmpty else { return .none }
    var value: UInt32 = 0
    for byte in digits {
      guard let digit = hexValue(byte), isHex || digit < 10 else { return .none }
      value = value * (isHex ? 16 : 10) + digit
      guard value <= 0x10FFFF else { return .none }
    }
    guard let scalar = Unicode.Scalar(value) else { return .none }
    return .character(UTF8Bytes(scalar), length: length)
  }

  private static func isReferenceCharacter(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == UInt8(ascii: "#")
  }

  /// HTML's names of ASCII characters.
  private static let namedReferences: [(name: [UInt8], byte: UInt8)] = [
    ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"), ("AMP", "&"), ("LT", "<"), ("GT", ">"),
    ("QUOT", "\""), ("Tab", "\t"), ("NewLine", "\n"), ("excl", "!"), ("num", "#"), ("dollar", "$"), ("percnt", "%"),
    ("lpar", "("), ("rpar", ")"), ("ast", "*"), ("plus", "+"), ("comma", ","), ("period", "."), ("sol", "/"),
    ("colon", ":"), ("semi", ";"), ("equals", "="), ("quest", "?"), ("commat", "@"), ("lsqb", "["), ("bsol", "\\"),
    ("rsqb", "]"), ("Hat", "^"), ("lowbar", "_"), ("grave", "`"), ("lcub", "{"), ("verbar", "|"), ("rcub", "}"),
  ].map { (Array($0.0.utf8), UInt8(ascii: $0.1)) }

  private static func hexValue(_ byte: UInt8) -> UInt32? { hexDigitValue(byte).map { UInt32($0) } }
}

/// A character of up to four bytes.
struct UTF8Bytes {
  private var packed: UInt32 = 0
  private(set) var count = 0

  init() {}

  init(_ byte: UInt8) {
    packed = UInt32(byte)
    count = 1
  }

  init(_ scalar: Unicode.Scalar) {
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
      packed |= UInt32(byte) << UInt32(8 * count)
      count += 1
    }
  }

  subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: packed >> UInt32(8 * index)) }
}
