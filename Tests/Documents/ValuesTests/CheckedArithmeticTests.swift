import Testing
import Values

private let edges: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

@Suite struct CheckedArithmeticTests {
  @Test("A result that does not fit is none, any other is right", arguments: edges, edges)
  func results(_ a: Int64, _ b: Int64) {
    let (x, y) = (Int128(a), Int128(b))
    #expect(a.adding(b) == Int64(exactly: x + y))
    #expect(a.subtracting(b) == Int64(exactly: x - y))
    #expect(a.multiplied(by: b) == Int64(exactly: x * y))
    #expect(a.addingClamped(b) == Int64(clamping: x + y))
  }

  @Test("Unsigned numbers have no room below 0")
  func unsigned() {
    #expect(UInt64.max.adding(1) == nil && UInt64.max.addingClamped(1) == .max)
    #expect(UInt64(0).subtracting(1) == nil && UInt64.max.multiplied(by: 2) == nil)
  }
}

@Suite struct ValueMeasureTests {
  /// Lists within lists, so many deep.
  private func nested(_ levels: Int) -> Value {
    (0..<levels).reduce(.null) { value, _ in .list([value]) }
  }

  @Test("What is deeper than it may be is told, however little it is", arguments: [0, 1, 2, 511, 512])
  func depth(_ levels: Int) {
    #expect(throws: ValueExcess.tooDeep) { try nested(levels + 1).remainder(of: .max, levels: levels).get() }
    #expect(throws: Never.self) { try nested(levels).remainder(of: .max, levels: levels).get() }
    let mapping = Value.mapping(Mapping([("a", nested(levels))]))
    #expect(throws: ValueExcess.tooDeep) { try mapping.remainder(of: .max, levels: levels).get() }
  }

  @Test("Parts that stand several times count each time, and counting ends with the allowance")
  func shared() {
    // 2^60 items, in 60 lists.
    let doubled = (0..<60).reduce(Value.null) { value, _ in .list([value, value]) }
    #expect(throws: ValueExcess.tooLarge) { try doubled.remainder(of: 1 << 20, levels: 512).get() }
  }

  @Test("A value takes about what it holds")
  func size() throws {
    let text = String(repeating: "x", count: 1000)
    for value: Value in [.text(text), .data(Bytes(Array(text.utf8))), .list([.text(text)])] {
      let taken = 10_000 - (try value.remainder(of: 10_000, levels: 8).get())
      #expect((1000...1200).contains(taken))
      #expect(throws: ValueExcess.tooLarge) { try value.remainder(of: 999, levels: 8).get() }
    }
  }
}
