import Testing
import Values

private func number(_ lexeme: String) -> Number { Number(lexeme: lexeme) }

@Suite("Division and rounding")
struct DivisionTests {
  @Test(
    "A quotient has up to 34 digits, halves rounded to even",
    arguments: [
      ("1", "3", "0.3333333333333333333333333333333333"), ("10", "4", "2.5"), ("-1", "8", "-0.125"), ("0", "7", "0"),
      ("1", "7", "0.1428571428571428571428571428571429"), ("1e-5", "1e5", "0.0000000001"),
      ("10000000000000000000000000000000005", "1", "10000000000000000000000000000000000"),
      ("10000000000000000000000000000000015", "1", "10000000000000000000000000000000020"),
      ("100000000000000000000000000000000051", "10", "10000000000000000000000000000000010"),
      ("99999999999999999999999999999999999", "1", "100000000000000000000000000000000000"),
      ("7e200", "7e198", "100"), ("123456789012345678901234567890", "1234567890", "100000000010000000001"),
    ])
  func quotient(_ left: String, _ right: String, _ expected: String) {
    #expect((number(left) / number(right))?.lexeme == expected)
  }

  @Test(
    "A remainder is exact and has the sign of the dividend",
    arguments: [
      ("7", "3", "1"), ("-7", "3", "-1"), ("7", "-3", "1"), ("6.0", "3", "0"), ("-0.5", "0.2", "-0.1"),
      ("1e30", "7", "1"), ("12345678901234567890123", "1e10", "4567890123"), ("-9223372036854775808", "-1", "0"),
    ])
  func remainder(_ left: String, _ right: String, _ expected: String) {
    #expect((number(left) % number(right))?.lexeme == expected)
  }

  @Test("Zero and endless digits give nothing")
  func nothing() {
    #expect(number("1") / number("0") == nil)
    #expect(number("1") % number("0.0") == nil)
    #expect(number("1e99999") / number("3") == nil)
    #expect(number("1e99999") % number("3") == nil)
    #expect(number(String(repeating: "7", count: 20_000)) / number("3") == nil)
    #expect(number(String(repeating: "7", count: 9_000)) % number(String(repeating: "3", count: 5_000)) == nil)
  }

  @Test(
    "A number is rounded at any digit",
    arguments: [
      ("2.5", 0, "3", "2", "3"), ("-2.5", 0, "-3", "-3", "-2"), ("0.0049", 2, "0", "0", "0.01"),
      ("1250", -2, "1300", "1200", "1300"), ("1e3", 0, "1000", "1000", "1000"), ("0.999", 2, "1", "0.99", "1"),
      ("0", 0, "0", "0", "0"), ("1.10", 5, "1.1", "1.1", "1.1"),
    ])
  func rounded(_ lexeme: String, _ digits: Int, _ nearest: String, _ floor: String, _ ceiling: String) {
    #expect(number(lexeme).rounded(.halfAwayFromZero, digits: digits)?.lexeme == nearest)
    #expect(number(lexeme).rounded(.floor, digits: digits)?.lexeme == floor)
    #expect(number(lexeme).rounded(.ceiling, digits: digits)?.lexeme == ceiling)
    #expect(number("1e99999").rounded(.floor) == nil)
  }
}
