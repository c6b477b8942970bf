import Values

/// YAML 1.2's core schema (section 10.3.2) for plain scalars, as strictly as reqrun reads it.
enum CoreSchema {
  struct Refusal: Error {
    let message: String
    let help: String
  }

  static func meaning(ofPlain text: String) throws(Refusal) -> YAMLScalar.Meaning {
    guard let first = text.utf8.first else { return .null }
    switch first {
    case UInt8(ascii: "~"), UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "t"), UInt8(ascii: "T"),
      UInt8(ascii: "f"), UInt8(ascii: "F"):
      return try word(text)
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      return try number(text, Array(text.utf8)) ?? .text(text)
    default:
      return .text(text)
    }
  }

  private static func word(_ text: String) throws(Refusal) -> YAMLScalar.Meaning {
    switch text {
    case "~", "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "True", "TRUE", "False", "FALSE", "Null", "NULL":
      throw Refusal(
        message: "`\(text)` is not spelled as YAML wants it",
        help: "write `\(text.lowercased())`, or `\"\(text)\"` for text")
    default: return .text(text)
    }
  }

  /// The number that a plain text represents; nil if it isn't one.
  static func number(_ text: String, _ bytes: [UInt8]) throws(Refusal) -> YAMLScalar.Meaning? {
    if bytes.last.map({ $0 > UInt8(ascii: "9") }) ?? false, let word = nonFinite(text) { return .nonFinite(word) }
    if bytes.count > 2, bytes[0] == UInt8(ascii: "0") {
      if bytes[1] == UInt8(ascii: "x") { return try decimal(bytes, radix: 16) }
      if bytes[1] == UInt8(ascii: "o") { return try decimal(bytes, radix: 8) }
    }
    guard let parts = DecimalLiteral(bytes) else { return nil }
    if parts.hasPlus {
      throw Refusal(
        message: "the number `\(text)` has a leading `+`", help: "quote it: `\"\(text)\"`, or leave out the `+`")
    }
    if parts.integer.count > 1, parts.integer.first == UInt8(ascii: "0") {
      throw Refusal(
        message: "the number `\(text)` has leading zeros", help: "quote it: `\"\(text)\"`, or leave out the zeros")
    }
    return .number(parts.jsonLexeme)
  }

  private static func nonFinite(_ text: String) -> String? {
    switch text {
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": ".inf"
    case "-.inf", "-.Inf", "-.INF": "-.inf"
    case ".nan", ".NaN", ".NAN": ".nan"
    default: nil
    }
  }

  /// The maximum length of hexadecimal and octal numbers: their conversion takes quadratic time.
  private static let digitLimit = 10_000

  private static func decimal(_ bytes: [UInt8], radix: UInt64) throws(Refusal) -> YAMLScalar.Meaning? {
    var digits: [UInt64] = []
    for byte in bytes.dropFirst(2) {
      guard let value = Character(Unicode.Scalar(byte)).hexDigitValue, value < Int(radix) else { return nil }
      digits.append(UInt64(value))
    }
    guard digits.count <= digitLimit else {
      throw Refusal(message: "the number has more than \(digitLimit) digits", help: "quote it if it is text")
    }
    // Groups of nine decimal digits, the least significant first.
    let base: UInt64 = 1_000_000_000
    var limbs: [UInt64] = [0]
    for digit in digits {
      var carry = digit
      for index in limbs.indices {
        let value = limbs[index] * radix + carry
        limbs[index] = value % base
        carry = value / base
      }
      if carry > 0 { limbs.append(carry) }
    }
    var lexeme = String(limbs.removeLast())
    for limb in limbs.reversed() {
      let text = String(limb)
      lexeme += String(repeating: "0", count: 9 - text.utf8.count) + text
    }
    return .number(lexeme)
  }
}

/// The parts of `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
private struct DecimalLiteral {
  var isNegative = false
  var hasPlus = false
  var integer: ArraySlice<UInt8>
  var fraction: ArraySlice<UInt8>?
  /// The exponent with its letter and sign.
  var exponent: ArraySlice<UInt8>

  init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
      isNegative = rest.first == UInt8(ascii: "-")
      hasPlus = !isNegative
      rest.removeFirst()
    }
    func digits(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      let run = text.prefix(while: isDigit)
      text = text.dropFirst(run.count)
      return run
    }
    integer = digits(&rest)
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = digits(&rest)
    }
    guard !integer.isEmpty || fraction?.isEmpty == false else { return nil }
    exponent = rest
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      if digits(&rest).isEmpty { return nil }
    }
    guard rest.isEmpty else { return nil }
  }

  /// The number as written, if JSON allows that: `.5` becomes `0.5` and `1.` becomes `1.0`.
  var jsonLexeme: String {
    var lexeme: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    lexeme += integer.isEmpty ? [UInt8(ascii: "0")] : integer
    if let fraction {
      lexeme.append(UInt8(ascii: "."))
      lexeme += fraction.isEmpty ? [UInt8(ascii: "0")] : fraction
    }
    lexeme += exponent
    return String(decoding: lexeme, as: UTF8.self)
  }
}
