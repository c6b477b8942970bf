/// Decimal division, its remainder, and rounding.
extension Number {
  /// The number of digits of an inexact quotient, as in IEEE 754's decimal128.
  private static let quotientDigits = 34

  /// The quotient, rounded half to even to 34 digits; nil if a number is zero or too long.
  package static func / (left: Number, right: Number) -> Number? {
    if let a = Int(left.lexeme), let b = Int(right.lexeme), b != 0, b != -1, a % b == 0 {
      return Number(lexeme: String(a / b), isSecret: left.isSecret || right.isSecret)
    }
    let a = left.decimal
    let b = right.decimal
    guard !b.digits.isEmpty, a.digits.count < digitLimit, b.digits.count < digitLimit else { return nil }
    // Two digits more than the result has: it begins with at most one zero, and one decides how it is rounded.
    let wanted = quotientDigits + 2 + b.digits.count
    let shift = wanted - a.digits.count
    let padding = [UInt8](repeating: 0, count: max(0, shift))
    var (digits, rest) = quotientAndRest(a.digits.prefix(wanted) + padding, b.digits)
    if shift < 0, a.digits.dropFirst(wanted).contains(where: { $0 != 0 }) { rest = [1] }
    digits.removeFirst(digits.prefix { $0 == 0 }.count)
    var exponent = a.exponent - b.exponent - shift
    let cut = digits.count - quotientDigits
    if cut > 0 {
      let dropped = digits.suffix(cut)
      digits.removeLast(cut)
      exponent += cut
      let isBeyondHalf = dropped.dropFirst().contains { $0 != 0 } || !rest.isEmpty
      let first = dropped.first ?? 0
      if first > 5 || first == 5 && (isBeyondHalf || (digits.last ?? 0) % 2 == 1) { digits = sum(digits, [1]) }
    }
    let parts = DecimalParts(isNegative: a.isNegative != b.isNegative, digits: digits, exponent: exponent)
    return Number(parts, isSecret: left.isSecret || right.isSecret)
  }

  /// The exact remainder, with the sign of the dividend; nil if the divisor is zero or a number is too long.
  package static func % (left: Number, right: Number) -> Number? {
    if let a = Int(left.lexeme), let b = Int(right.lexeme), b != 0, b != -1 {
      return Number(lexeme: String(a % b), isSecret: left.isSecret || right.isSecret)
    }
    let a = left.decimal
    let b = right.decimal
    let exponent = min(a.exponent, b.exponent)
    guard !b.digits.isEmpty, a.exponent - exponent < digitLimit, b.exponent - exponent < digitLimit else { return nil }
    let x = a.digits + [UInt8](repeating: 0, count: a.digits.isEmpty ? 0 : a.exponent - exponent)
    let y = b.digits + [UInt8](repeating: 0, count: b.exponent - exponent)
    guard x.count < digitLimit, y.count < digitLimit, x.count * y.count < 4_000_000 else { return nil }
    let rest = quotientAndRest(x[...], y).rest
    return Number(
      DecimalParts(isNegative: a.isNegative, digits: rest, exponent: exponent),
      isSecret: left.isSecret || right.isSecret)
  }

  /// The digits of a quotient, as many as the dividend has, and the rest without leading zeros.
  private static func quotientAndRest(
    _ dividend: some Sequence<UInt8>, _ divisor: [UInt8]
  ) -> (digits: [UInt8], rest: [UInt8]) {
    var digits: [UInt8] = []
    var rest: [UInt8] = []
    for digit in dividend {
      if !rest.isEmpty || digit != 0 { rest.append(digit) }
      var count: UInt8 = 0
      while !isSmaller(rest, divisor) {
        rest = Array(difference(rest, divisor).drop { $0 == 0 })
        count += 1
      }
      digits.append(count)
    }
    return (digits, rest)
  }

  /// The direction of a rounded number.
  package enum Rounding: Sendable { case halfAwayFromZero, floor, ceiling }

  /// The number with at most that many digits after the point; nil if the result is too long.
  package func rounded(_ rounding: Rounding, digits count: Int = 0) -> Number? {
    var parts = decimal
    guard -parts.exponent > count, count.magnitude < Number.digitLimit else {
      return parts.exponent.magnitude < Number.digitLimit ? Number(parts, isSecret: isSecret) : nil
    }
    let cut = -parts.exponent - count
    let dropped = parts.digits.suffix(min(cut, parts.digits.count))
    let isHalf = cut <= parts.digits.count && (dropped.first ?? 0) >= 5
    let isAway =
      switch rounding {
      case .halfAwayFromZero: isHalf
      case .floor: parts.isNegative
      case .ceiling: !parts.isNegative
      }
    parts.digits.removeLast(dropped.count)
    parts.exponent = -count
    if isAway, !dropped.isEmpty { parts.digits = Number.sum(parts.digits, [1]) }
    return Number(parts, isSecret: isSecret)
  }
}
