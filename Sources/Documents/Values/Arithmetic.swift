/// Exact decimal arithmetic for templates and tolerances.
extension Number {
  /// The maximum number of digits of an exact sum or product; larger ones are rejected.
  static let digitLimit = 10_000

  package static func + (left: Number, right: Number) -> Number? {
    if let a = Int(left.lexeme), let b = Int(right.lexeme) {
      let (sum, overflow) = a.addingReportingOverflow(b)
      if !overflow { return Number(lexeme: String(sum), isSecret: left.isSecret || right.isSecret) }
    }
    let a = left.decimal
    let b = right.decimal
    let exponent = min(a.exponent, b.exponent)
    guard a.exponent - exponent < digitLimit, b.exponent - exponent < digitLimit else { return nil }
    let x = a.digits + [UInt8](repeating: 0, count: a.digits.isEmpty ? 0 : a.exponent - exponent)
    let y = b.digits + [UInt8](repeating: 0, count: b.digits.isEmpty ? 0 : b.exponent - exponent)
    var parts = DecimalParts(isNegative: a.isNegative, digits: [], exponent: exponent)
    if a.isNegative == b.isNegative {
      parts.digits = sum(x, y)
    } else if isSmaller(x, y) {
      parts.digits = difference(y, x)
      parts.isNegative = b.isNegative
    } else {
      parts.digits = difference(x, y)
    }
    return Number(parts, isSecret: left.isSecret || right.isSecret)
  }

  package static func - (left: Number, right: Number) -> Number? {
    let negated = right.lexeme.hasPrefix("-") ? String(right.lexeme.dropFirst()) : "-" + right.lexeme
    return left + Number(lexeme: negated, isSecret: right.isSecret)
  }

  package static func * (left: Number, right: Number) -> Number? {
    if let a = Int(left.lexeme), let b = Int(right.lexeme) {
      let (product, overflow) = a.multipliedReportingOverflow(by: b)
      if !overflow { return Number(lexeme: String(product), isSecret: left.isSecret || right.isSecret) }
    }
    let a = left.decimal
    let b = right.decimal
    guard a.digits.count + b.digits.count < digitLimit else { return nil }
    var columns = [Int](repeating: 0, count: a.digits.count + b.digits.count)
    for (i, x) in a.digits.enumerated() {
      for (j, y) in b.digits.enumerated() { columns[i + j + 1] += Int(x) * Int(y) }
    }
    for index in columns.indices.dropFirst().reversed() {
      columns[index - 1] += columns[index] / 10
      columns[index] %= 10
    }
    let parts = DecimalParts(
      isNegative: a.isNegative != b.isNegative, digits: columns.map { UInt8($0) }, exponent: a.exponent + b.exponent)
    return Number(parts, isSecret: left.isSecret || right.isSecret)
  }

  package var magnitude: Number {
    lexeme.hasPrefix("-") ? Number(lexeme: String(lexeme.dropFirst()), isSecret: isSecret) : self
  }

  init?(_ parts: DecimalParts, isSecret: Bool) {
    var digits = parts.digits.drop { $0 == 0 }.map { Character(Unicode.Scalar($0 + 0x30)) }
    guard !digits.isEmpty else {
      self.init(lexeme: "0", isSecret: isSecret)
      return
    }
    guard parts.exponent.magnitude < Number.digitLimit else { return nil }
    if parts.exponent >= 0 {
      digits += repeatElement("0", count: parts.exponent)
    } else {
      if digits.count <= -parts.exponent {
        digits.insert(contentsOf: repeatElement("0", count: -parts.exponent - digits.count + 1), at: 0)
      }
      digits.insert(".", at: digits.count + parts.exponent)
      while digits.last == "0" { digits.removeLast() }
      if digits.last == "." { digits.removeLast() }
    }
    self.init(lexeme: (parts.isNegative ? "-" : "") + String(digits), isSecret: isSecret)
  }

  static func sum(_ x: [UInt8], _ y: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var carry: UInt8 = 0
    var (i, j) = (x.count - 1, y.count - 1)
    while i >= 0 || j >= 0 || carry > 0 {
      let column = (i >= 0 ? x[i] : 0) + (j >= 0 ? y[j] : 0) + carry
      result.append(column % 10)
      carry = column / 10
      i -= 1
      j -= 1
    }
    return result.reversed()
  }

  /// The difference of digits, the first being at least as large.
  static func difference(_ x: [UInt8], _ y: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var borrow = 0
    var (i, j) = (x.count - 1, y.count - 1)
    while i >= 0 {
      var column = Int(x[i]) - borrow - (j >= 0 ? Int(y[j]) : 0)
      borrow = column < 0 ? 1 : 0
      if column < 0 { column += 10 }
      result.append(UInt8(column))
      i -= 1
      j -= 1
    }
    return result.reversed()
  }
}
