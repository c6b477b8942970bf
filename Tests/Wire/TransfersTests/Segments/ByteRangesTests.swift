import Testing
import Transfers

@Suite("Ranges of bytes")
struct ByteRangesTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let inserted: [Range<Int64>]
    let expected: [Range<Int64>]
    let missing: [Range<Int64>]

    init(_ name: String, _ inserted: [Range<Int64>], _ expected: [Range<Int64>], missing: [Range<Int64>]) {
      testDescription = name
      self.inserted = inserted
      self.expected = expected
      self.missing = missing
    }
  }

  static let cases = [
    Case("none", [], [], missing: [0..<100]),
    Case("an empty one", [5..<5], [], missing: [0..<100]),
    Case("apart, in any order", [50..<60, 10..<20], [10..<20, 50..<60], missing: [0..<10, 20..<50, 60..<100]),
    Case("touching", [10..<20, 20..<30, 0..<10], [0..<30], missing: [30..<100]),
    Case("overlapping", [10..<20, 15..<25], [10..<25], missing: [0..<10, 25..<100]),
    Case("over several", [10..<20, 30..<40, 50..<60, 15..<55], [10..<60], missing: [0..<10, 60..<100]),
    Case("inside another", [10..<40, 20..<30], [10..<40], missing: [0..<10, 40..<100]),
    Case("all", [0..<100], [0..<100], missing: []),
    Case("more than all", [0..<100, 100..<200], [0..<200], missing: []),
  ]

  @Test("are kept in order, and together where they touch", arguments: cases)
  func insertion(_ test: Case) {
    var ranges = ByteRanges()
    for range in test.inserted { ranges.insert(range) }
    #expect(ranges.ranges == test.expected)
    #expect(ranges.missing(of: 100).ranges == test.missing)
  }

  @Test("agree with a set of numbers, whatever is put in and taken out")
  func agreement() {
    var ranges = ByteRanges()
    var numbers: Set<Int64> = []
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<400 {
      let start = Int64.random(in: 0..<60, using: &generator)
      let range = start..<start + Int64.random(in: 0..<12, using: &generator)
      if Bool.random(using: &generator) {
        ranges.insert(range)
        numbers.formUnion(range)
      } else {
        ranges.remove(range)
        numbers.subtract(range)
      }
      #expect(Set(ranges.ranges.flatMap { Array($0) }) == numbers)
      #expect(ranges.count == Int64(numbers.count))
      #expect(zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
    }
  }
}
