import Matching
import Testing
import Values

/// Headers, cookies and the like, which can be nothing but text.
@Suite struct UntypedTextTests {
  static let cases: [(text: String, predicate: Predicate, holds: Bool)] = [
    ("60", .atLeast(.integer(60)), true),
    ("60", .greaterThan(.number(Number(lexeme: "59.9"))), true),
    ("60", .lessThan(.integer(7)), false),
    ("0.50", .between(.integer(0), .integer(1)), true),
    (" 42\n", .closeTo(value: Number(41), within: Number(1)), true),
    ("60", .isKind(.integer), true),
    ("60.5", .isKind(.integer), false),
    ("60.5", .isKind(.number), true),
    ("60", .isKind(.string), true),
    ("1e400", .greaterThan(.integer(1)), true),
    ("0x10", .greaterThan(.integer(1)), false),
    ("", .lessThan(.integer(1)), false),
    ("", .isKind(.empty), true),
    ("60", .equals(.integer(60)), false),
    ("Sun, 06 Nov 1994 08:49:37 GMT", .before(Timestamp(seconds: 784_111_778)), true),
  ]

  @Test("A number beside it means the number that it writes", arguments: cases)
  func asOneText(_ text: String, _ predicate: Predicate, _ holds: Bool) {
    #expect(failures(of: [predicate], against: .lazy(UntypedText(Text(text)))).isEmpty == holds)
    #expect(failures(of: [predicate], against: .lines([Text(text)])).isEmpty == holds)
  }

  @Test("Each line of a header too")
  func lines() {
    let lines = MatchSubject.lines([Text("1"), Text("20")])
    #expect(failures(of: [.every([.atLeast(.integer(1))])], against: lines).isEmpty)
    #expect(failures(of: [.any([.greaterThan(.integer(19))]), .none([.isKind(.uuid)])], against: lines).isEmpty)
    #expect(!failures(of: [.every([.atMost(.integer(19))])], against: lines).isEmpty)
    #expect(!failures(of: [.atLeast(.integer(1))], against: lines).isEmpty, "both together are not a number")
    #expect(!failures(of: [.isKind(.empty)], against: .lines([Text(""), Text("")])).isEmpty)
  }

  @Test("The text of a JSON document never compares with a number")
  func typed() {
    #expect(!failures(of: [.atLeast(.integer(1))], against: .value(.text("60"))).isEmpty)
    #expect(!failures(of: [.isKind(.integer)], against: .value(.text("60"))).isEmpty)
  }
}
