import ReqrunKit
import RequestSpecs
import SpecExecution
import Testing
import Values

@Suite("Pace of requests")
struct RequestPaceTests {
  private static let start = ContinuousClock.now

  private static func finished(in group: Int? = nil) -> FileEvent {
    var report = StepReport(id: StepID(file: 0, number: 9), parent: nil, name: "a", line: 1)
    report.group = group.map { StepID(file: 0, number: $0) }
    return .stepFinished(report)
  }

  private static func group(_ number: Int, in parent: Int? = nil, _ kind: PlannedGroup.Kind) -> FileEvent {
    .groupStarted(
      GroupStart(
        id: StepID(file: 0, number: number), parent: parent.map { StepID(file: 0, number: $0) }, kind: kind,
        stage: .requests, name: "g", line: 1, time: Timestamp(seconds: 0)))
  }

  private static func end(_ number: Int) -> FileEvent {
    .groupFinished(
      GroupReport(id: StepID(file: 0, number: number), parent: nil, counts: OutcomeCounts(), duration: .zero))
  }

  @Test("the rate is that of the last five seconds, and the time left that of the whole") func rates() {
    var pace = RequestPace(planned: 40, start: Self.start)
    #expect(pace.perSecond(at: Self.start + .milliseconds(900)) == nil)
    #expect(pace.timeLeft(at: Self.start + .seconds(2)) == nil)
    for second in 1...10 {
      for _ in 0..<(second > 5 ? 1 : 3) { pace.receive(Self.finished()) }
      pace.sample(at: Self.start + .seconds(second))
    }
    let now = Self.start + .seconds(10)
    #expect(pace.perSecond(at: now) == 1)
    #expect(pace.timeLeft(at: now) == .seconds(10))
  }

  @Test("while rows run, the time left is unknown; they don't count as planned") func rows() {
    var pace = RequestPace(planned: 4, start: Self.start)
    pace.receive(Self.finished())
    pace.receive(Self.group(1, .rows))
    pace.receive(Self.group(2, in: 1, .flow))
    for _ in 0..<100 { pace.receive(Self.finished(in: 2)) }
    pace.sample(at: Self.start + .seconds(2))
    #expect(pace.timeLeft(at: Self.start + .seconds(2)) == nil)
    #expect(pace.perSecond(at: Self.start + .seconds(2)) == 50.5)
    pace.receive(Self.end(2))
    pace.receive(Self.end(1))
    #expect(pace.timeLeft(at: Self.start + .seconds(2)) == .seconds(6))
    for _ in 0..<9 { pace.receive(Self.finished()) }
    #expect(pace.timeLeft(at: Self.start + .seconds(2)) == nil)
  }
}
