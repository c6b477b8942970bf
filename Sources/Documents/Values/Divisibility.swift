extension Number {
  /// Returns whether the number is an exact multiple of another one; zero is a multiple of all, and only zero of zero.
  package func isMultiple(of other: Number) -> Bool {
    let (number, divisor) = (decimal, other.decimal)
    guard !number.digits.isEmpty else { return true }
    // Neither ends in a zero, so that the rest of the divisor's power of ten doesn't divide any number.
    guard !divisor.digits.isEmpty, number.exponent >= divisor.exponent else { return false }
    // From a power of ten only as many twos and fives count as the divisor can have.
    let zeros = min(number.exponent - divisor.exponent, 4 * divisor.digits.count)
    if divisor.digits.count <= 18 {
      let small = divisor.digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
      var rest: UInt64 = 0
      // Below 10^18 times ten and nine more: it fits.
      for digit in number.digits { rest = (rest * 10 + UInt64(digit)) % small }
      for _ in 0..<zeros { rest = rest * 10 % small }
      return rest == 0
    }
    var rest: [UInt8] = []
    for digit in number.digits + [UInt8](repeating: 0, count: zeros) {
      if !rest.isEmpty || digit != 0 { rest.append(digit) }
      while !isSmaller(rest, divisor.digits) { subtract(divisor.digits, from: &rest) }
    }
    return rest.isEmpty
  }
}

/// Returns whether digits without leading zeros are less than others.
func isSmaller(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
}

/// Subtracts digits from others that are at least as large, and removes leading zeros from the result.
private func subtract(_ digits: [UInt8], from rest: inout [UInt8]) {
  var borrow: UInt8 = 0
  for offset in 1...rest.count {
    let index = rest.count - offset
    let taken = borrow + (offset <= digits.count ? digits[digits.count - offset] : 0)
    borrow = rest[index] < taken ? 1 : 0
    rest[index] = rest[index] &+ 10 * borrow &- taken
  }
  rest.removeFirst(rest.prefix { $0 == 0 }.count)
}
