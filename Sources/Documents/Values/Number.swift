/// A decimal number that keeps its notation and compares by its exact value.
///
/// `0.10` equals `0.1`, `1.0` is an integer, `1e400` and thirty digits lose nothing.
package struct Number: Sendable {
  /// The number as written, in JSON's grammar.
  package let lexeme: String
  package var isSecret: Bool

  /// Takes a lexeme that is known to follow JSON's number grammar.
  package init(lexeme: String, isSecret: Bool = false) {
    self.lexeme = lexeme
    self.isSecret = isSecret
  }

  package init(_ value: some BinaryInteger) {
    self.init(lexeme: String(value))
  }

  /// A finite double in its shortest form; nil for infinities and NaN.
  package init?(_ value: Double) {
    guard value.isFinite else { return nil }
    self.init(lexeme: value.description)
  }

  /// Takes a text that follows JSON's number grammar (RFC 8259, section 6); nil otherwise.
  package init?(parsing text: String, isSecret: Bool = false) {
    guard Number.isJSONNumber(text.utf8) else { return nil }
    self.init(lexeme: text, isSecret: isSecret)
  }

  package var double: Double { Double(lexeme) ?? (lexeme.hasPrefix("-") ? -.infinity : .infinity) }

  /// The value as an `Int`; nil if it has a fraction or doesn't fit.
  package var int: Int? {
    if let value = Int(lexeme) { return value }
    let parts = decimal
    guard parts.exponent >= 0, parts.digits.count + parts.exponent <= 19 else { return nil }
    var text = parts.isNegative ? "-" : ""
    for digit in parts.digits { text.append(String(digit)) }
    text += String(repeating: "0", count: parts.exponent)
    return text == "-" || text.isEmpty ? 0 : Int(text)
  }

  /// Indicates whether the value has no fraction: `1.0` and `1e2` have none.
  package var isInteger: Bool { decimal.exponent >= 0 }
  package var isZero: Bool { decimal.digits.isEmpty }

  private static func isJSONNumber(_ text: String.UTF8View) -> Bool {
    var bytes = text.makeIterator()
    var next = bytes.next()
    func isDigit(_ byte: UInt8?) -> Bool { byte.map(Values.isDigit) ?? false }
    if next == UInt8(ascii: "-") { next = bytes.next() }
    guard isDigit(next) else { return false }
    if next == UInt8(ascii: "0") {
      next = bytes.next()
    } else {
      while isDigit(next) { next = bytes.next() }
    }
    if next == UInt8(ascii: ".") {
      next = bytes.next()
      guard isDigit(next) else { return false }
      while isDigit(next) { next = bytes.next() }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      next = bytes.next()
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { next = bytes.next() }
      guard isDigit(next) else { return false }
      while isDigit(next) { next = bytes.next() }
    }
    return next == nil
  }
}

/// A number in canonical form: digits without leading or trailing zeros, times ten to the exponent.
struct DecimalParts: Hashable {
  var isNegative = false
  var digits: [UInt8] = []
  var exponent = 0
}

extension Number {
  var decimal: DecimalParts {
    var parts = DecimalParts()
    var fractionDigits = 0
    var inFraction = false
    var exponent = 0
    var exponentIsNegative = false
    var inExponent = false
    for byte in lexeme.utf8 {
      switch byte {
      case UInt8(ascii: "-"): if inExponent { exponentIsNegative = true } else { parts.isNegative = true }
      case UInt8(ascii: "+"): break
      case UInt8(ascii: "."): inFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): inExponent = true
      default:
        let digit = byte &- 0x30
        if inExponent {
          // No text that fits in memory can express the difference of larger exponents.
          if exponent < 1_000_000_000_000 { exponent = exponent * 10 + Int(digit) }
        } else {
          if inFraction { fractionDigits += 1 }
          if digit != 0 || !parts.digits.isEmpty { parts.digits.append(digit) }
        }
      }
    }
    parts.exponent = (exponentIsNegative ? -exponent : exponent) - fractionDigits
    while parts.digits.last == 0 {
      parts.digits.removeLast()
      parts.exponent += 1
    }
    if parts.digits.isEmpty { return DecimalParts() }
    return parts
  }
}

/// Masks a secret number that is printed by accident.
extension Number: CustomStringConvertible {
  package var description: String { isSecret ? Text.mask : lexeme }
}

extension Number: Hashable, Comparable {
  package static func == (left: Number, right: Number) -> Bool {
    left.lexeme == right.lexeme || left.decimal == right.decimal
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(decimal) }

  package static func < (left: Number, right: Number) -> Bool {
    if let a = Int(left.lexeme), let b = Int(right.lexeme) { return a < b }
    let a = left.decimal
    let b = right.decimal
    if a == b { return false }
    if a.digits.isEmpty { return !b.isNegative }
    if b.digits.isEmpty { return a.isNegative }
    if a.isNegative != b.isNegative { return a.isNegative }
    return a.isNegative ? magnitude(b, isLessThan: a) : magnitude(a, isLessThan: b)
  }

  private static func magnitude(_ a: DecimalParts, isLessThan b: DecimalParts) -> Bool {
    let topA = a.digits.count + a.exponent
    let topB = b.digits.count + b.exponent
    if topA != topB { return topA < topB }
    return a.digits.lexicographicallyPrecedes(b.digits)
  }
}
