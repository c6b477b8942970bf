import Testing
import Values

@Suite("Numbers")
struct NumberTests {
  static func number(_ lexeme: String) -> Number { Number(lexeme: lexeme) }

  @Test(
    "equal by exact value, and hashed alike",
    arguments: [
      ("0.10", "0.1"), ("1.0", "1"), ("1e2", "100"), ("100", "1E+2"), ("-0", "0"), ("0e9", "0.000"), ("12e-1", "1.2"),
      ("12345678901234567890", "1234567890123456789e1"), ("1e400", "10e399"), ("-2.50", "-25e-1"),
    ])
  func equal(_ left: String, _ right: String) {
    #expect(Self.number(left) == Self.number(right))
    #expect(Set([Self.number(left), Self.number(right)]).count == 1)
    #expect(!(Self.number(left) < Self.number(right)) && !(Self.number(right) < Self.number(left)))
  }

  @Test("in ascending order, where doubles could not tell them apart too")
  func ascending() {
    let lexemes = [
      "-1e400", "-12345678901234567891", "-12345678901234567890", "-2", "-1.5", "-1e-400", "0", "1e-400", "0.1",
      "0.10000000000000000001", "0.15", "0.2", "1", "9", "9.9", "10", "9007199254740992", "9007199254740993",
      "12345678901234567890", "12345678901234567890.1", "1e400", "1.1e400", "1e401",
    ]
    for i in lexemes.indices {
      for j in lexemes.indices {
        #expect((Self.number(lexemes[i]) < Self.number(lexemes[j])) == (i < j), "\(lexemes[i]) < \(lexemes[j])")
        #expect((Self.number(lexemes[i]) == Self.number(lexemes[j])) == (i == j), "\(lexemes[i]) == \(lexemes[j])")
      }
    }
  }

  struct Sum: Sendable {
    let left: String
    let right: String
    let sum: String
    let difference: String
    let product: String
  }

  @Test(
    "exact arithmetic",
    arguments: [
      Sum(left: "0.1", right: "0.2", sum: "0.3", difference: "-0.1", product: "0.02"),
      Sum(left: "1", right: "-1", sum: "0", difference: "2", product: "-1"),
      Sum(left: "-1.5", right: "1.5", sum: "0", difference: "-3", product: "-2.25"),
      Sum(
        left: "9223372036854775807", right: "1", sum: "9223372036854775808", difference: "9223372036854775806",
        product: "9223372036854775807"),
      Sum(
        left: "9223372036854775807", right: "9223372036854775807", sum: "18446744073709551614", difference: "0",
        product: "85070591730234615847396907784232501249"),
      Sum(
        left: "123456789012345678901234567890", right: "0.5", sum: "123456789012345678901234567890.5",
        difference: "123456789012345678901234567889.5", product: "61728394506172839450617283945"),
      Sum(left: "0", right: "-5.5", sum: "-5.5", difference: "5.5", product: "0"),
      Sum(left: "-5.5", right: "0", sum: "-5.5", difference: "-5.5", product: "0"),
      Sum(left: "1e3", right: "1e-3", sum: "1000.001", difference: "999.999", product: "1"),
      Sum(left: "1.50", right: "2.50", sum: "4", difference: "-1", product: "3.75"),
    ])
  func arithmetic(_ item: Sum) {
    let left = Self.number(item.left)
    let right = Self.number(item.right)
    #expect((left + right)?.lexeme == item.sum)
    #expect((left - right)?.lexeme == item.difference)
    #expect((left * right)?.lexeme == item.product)
    #expect((right + left)?.lexeme == item.sum)
    #expect((right * left)?.lexeme == item.product)
  }

  @Test("results too long to write out are refused")
  func tooLong() {
    #expect(Self.number("1e20000") + Self.number("1") == nil)
    #expect(Self.number("1e9000") * Self.number("1e9000") == nil)
    #expect(Self.number("1e999999999999") - Self.number("1e-999999999999") == nil)
  }

  @Test("a result is secret if any operand is")
  func taint() {
    let secret = Number(lexeme: "2", isSecret: true)
    let results: [Number?] = [secret + Number(1), Number(1) - secret, secret * Number(3), Self.number("0.5") * secret]
    for result in results {
      #expect(result?.isSecret == true)
    }
    #expect((Number(1) + Number(2))?.isSecret == false)
    #expect("\(secret) \(Number(3)) \(Value.number(secret))" == "*** 3 number(***)")
  }

  @Test(
    "JSON's grammar and nothing else",
    arguments: [
      ("0", true), ("-0", true), ("1.5e+10", true), ("1E5", true), ("123", true), ("", false), ("-", false),
      ("01", false), ("+1", false), (".5", false), ("5.", false), ("1e", false), ("1e+", false), ("0x1F", false),
      ("1 ", false), ("NaN", false), ("1.2.3", false), ("--1", false), ("١", false),
    ])
  func grammar(_ text: String, _ isNumber: Bool) {
    #expect((Number(parsing: text) != nil) == isNumber)
  }

  @Test(
    "integers",
    arguments: [
      ("1.0", 1), ("1e2", 100), ("-0", 0), ("0.0", 0), ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("922337203685477580.7e1", .max), ("9223372036854775808", nil), ("1.5", nil), ("1e-1", nil), ("1e400", nil),
    ] as [(String, Int?)])
  func integer(_ lexeme: String, _ expected: Int?) {
    #expect(Self.number(lexeme).int == expected)
  }

  @Test("whether there is a fraction")
  func fraction() {
    #expect(["1", "1.0", "1e400", "0", "0.0", "15e-0", "150e-1"].allSatisfy { Self.number($0).isInteger })
    #expect(["1.5", "1e-1", "15e-1", "0.1"].allSatisfy { !Self.number($0).isInteger })
    #expect(Number(Double.infinity) == nil && Number(Double.nan) == nil)
    #expect(Number(0.1)?.lexeme == "0.1")
  }
}
