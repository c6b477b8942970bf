import HTTPSemantics
import RunReports
import Testing

/// The phases that `send --timing` draws.
@Suite struct WaterfallTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The ends of the phases in milliseconds.
    let ends: [Int?]
    let total: Int
    let expected: String
  }

  static let cases = [
    Case(
      testDescription: "all phases", ends: [10, 20, 40, 80], total: 100,
      expected: """
        name lookup  █           10 ms
        connect       █          10 ms
        TLS            ██        20 ms
        waiting          ████    40 ms
        receiving            ██  20 ms
        total                    100 ms

        """),
    Case(
      testDescription: "a connection that was open", ends: [nil, nil, nil, 1], total: 100,
      expected: """
        waiting      █           1.0 ms
        receiving    ██████████  99 ms
        total                    100 ms

        """),
    Case(
      testDescription: "no time at all", ends: [0, 0, nil, 0], total: 0,
      expected: """
        name lookup  █           0.0 ms
        connect      █           0.0 ms
        waiting      █           0.0 ms
        receiving    █           0.0 ms
        total                    0.0 ms

        """),
  ]

  @Test(arguments: cases) func bars(_ test: Case) {
    var timings = ExchangeTimings()
    let ends = test.ends.map { $0.map { Duration.milliseconds($0) } }
    (timings.nameLookup, timings.connect, timings.tls, timings.firstByte) = (ends[0], ends[1], ends[2], ends[3])
    timings.total = .milliseconds(test.total)
    let text = WaterfallText(style: ConsoleStyle(isColored: false), width: 36)
    #expect(text.text(of: timings) == test.expected)
  }
}
