import Values

/// The value of an operand in a filter.
enum JSONPathValue: Sendable {
  case nothing
  case null
  case bool(Bool)
  /// An integer of few digits, as most numbers are.
  case integer(Int)
  case number(Number)
  case string(String)
  /// An array or object, by its index in the document.
  case structure(Int)

  /// A number in JSON's grammar.
  static func number(lexeme: some Collection<UInt8>) -> JSONPathValue {
    if let value = smallInteger(lexeme) { return .integer(value) }
    return .number(Number(lexeme: String(decoding: lexeme, as: UTF8.self)))
  }

  private static func smallInteger(_ lexeme: some Collection<UInt8>) -> Int? {
    guard lexeme.count <= 18 else { return nil }
    var value = 0
    var isNegative = false
    for byte in lexeme {
      if byte == UInt8(ascii: "-") {
        isNegative = true
      } else if byte >= 0x30, byte <= 0x39 {
        value = value * 10 + Int(byte & 15)
      } else {
        return nil
      }
    }
    return isNegative ? -value : value
  }

  /// Returns whether two scalars are equal; structures are compared by the caller, which has the document.
  static func areEqual(_ left: JSONPathValue, _ right: JSONPathValue) -> Bool {
    switch (left, right) {
    case (.nothing, .nothing), (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.integer(let a), .number(let b)), (.number(let b), .integer(let a)): Number(a) == b
    case (.number(let a), .number(let b)): a == b
    // Strings are compared by code point: Swift's own comparison uses canonical equivalence.
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    default: false
    }
  }

  /// Returns whether the left is less than the right; only numbers and strings are ordered.
  static func isLess(_ left: JSONPathValue, _ right: JSONPathValue) -> Bool {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): a < b
    case (.integer(let a), .number(let b)): Number(a) < b
    case (.number(let a), .integer(let b)): a < Number(b)
    case (.number(let a), .number(let b)): a < b
    // The order of UTF-8 is that of the code points.
    case (.string(let a), .string(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    default: false
    }
  }
}
