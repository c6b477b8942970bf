import SpecExecution
import Synchronization
import Testing

/// A meter with a clock that the test sets.
private struct MeterUnderTest {
  private final class Record: Sendable {
    let state = Mutex((time: ContinuousClock.now, told: [TransferProgress]()))
  }

  private let record: Record
  let meter: TransferMeter

  init(reportsShort: Bool = true) {
    let record = Record()
    self.record = record
    meter = TransferMeter(
      name: "x", direction: .upload, reportsShort: reportsShort,
      observer: { progress in record.state.withLock { $0.told.append(progress) } },
      now: { record.state.withLock { $0.time } })
  }

  func wait(_ milliseconds: Int) { record.state.withLock { $0.time += .milliseconds(milliseconds) } }

  func advance(_ count: Int, after milliseconds: Int) {
    wait(milliseconds)
    meter.advance(by: count)
  }

  var events: [TransferProgress] { record.state.withLock { $0.told } }
  var counts: [Int64] { events.map(\.completedBytes) }
}

@Suite struct TransferMeterTests {
  @Test("A tenth of a second lies between what is told, and the end is told") func throttled() {
    let test = MeterUnderTest()
    test.meter.expect(total: 1000)
    for _ in 0..<10 { test.advance(100, after: 30) }
    // The first bytes come at 30 ms; it is told at 150 ms and at 270 ms.
    #expect(test.counts == [500, 900])
    test.meter.finish()
    test.meter.finish()
    test.advance(1, after: 500)
    #expect(test.counts == [500, 900, 1000])
    #expect(test.events.map(\.isFinished) == [false, false, true])
    #expect(test.events.allSatisfy { $0.totalBytes == 1000 && $0.name == "x" && $0.direction == .upload })
    #expect(Set(test.events.map(\.id)).count == 1)
  }

  @Test("A short one is told of at its end, if at all", arguments: [true, false]) func short(_ reportsShort: Bool) {
    let test = MeterUnderTest(reportsShort: reportsShort)
    test.advance(10, after: 10)
    test.meter.finish()
    #expect(test.counts == (reportsShort ? [10] : []))
  }

  @Test("Nothing moved, nothing told") func nothing() {
    let test = MeterUnderTest()
    test.meter.expect(total: 5)
    test.wait(1000)
    test.meter.finish()
    #expect(test.counts == [])
  }

  @Test("Rate and time left, from the first bytes on") func rate() throws {
    let test = MeterUnderTest()
    test.meter.expect(total: 10_000)
    // The time before the first bytes is the server's own.
    test.advance(1000, after: 5000)
    for _ in 0..<4 { test.advance(1000, after: 500) }
    let last = try #require(test.events.last)
    #expect(last.completedBytes == 5000)
    #expect(last.bytesPerSecond == 2000)
    #expect(last.timeLeft == .seconds(3))
  }

  @Test("A change of pace shows by and by") func pace() throws {
    let test = MeterUnderTest()
    for _ in 0..<10 { test.advance(1000, after: 1000) }
    #expect(test.events.last?.bytesPerSecond == 1000)
    test.advance(5000, after: 1000)
    #expect(test.events.last?.bytesPerSecond == 2000)
    for _ in 0..<30 { test.advance(5000, after: 1000) }
    #expect(try #require(test.events.last?.bytesPerSecond) > 4990)
  }

  @Test("An unknown length has no time left; one that was too small is none") func unknown() {
    let test = MeterUnderTest()
    test.advance(100, after: 200)
    test.advance(100, after: 200)
    #expect(test.events.last?.totalBytes == nil)
    #expect(test.events.last?.timeLeft == nil)
    #expect(test.events.last?.bytesPerSecond == 500)
    test.meter.expect(total: 250)
    test.advance(100, after: 200)
    #expect(test.events.last?.totalBytes == nil)
    #expect(test.events.last?.completedBytes == 300)
  }

  @Test("What an earlier run has moved is not part of the rate") func resumed() {
    let test = MeterUnderTest()
    test.meter.expect(total: 1_002_000)
    test.meter.resume(at: 1_000_000)
    test.advance(1000, after: 500)
    test.advance(500, after: 1000)
    #expect(test.events.last?.completedBytes == 1_001_500)
    #expect(test.events.last?.bytesPerSecond == 500)
    #expect(test.events.last?.timeLeft == .seconds(1))
  }

  @Test("Begun anew, the count is, and the rate goes on") func restarted() {
    let test = MeterUnderTest()
    test.advance(1000, after: 500)
    test.advance(1000, after: 1000)
    test.meter.restart()
    test.advance(1000, after: 1000)
    #expect(test.counts == [2000, 1000])
    #expect(test.events.last?.bytesPerSecond == 1000)
  }

  @Test("A part that is sent anew, one that fails, one of which not all arrives") func parts() {
    let test = MeterUnderTest()
    let (one, two, three) = (test.meter.part(length: 1000), test.meter.part(), test.meter.part(length: 1000))
    one.moved(to: 600)
    // A redirect: its body goes out again.
    one.moved(to: 100)
    // The wrapping of a form is beyond its length.
    one.moved(to: 1050)
    two.moved(to: 500)
    two.settle()
    three.moved(to: 1000)
    three.accept(700)
    three.settle()
    one.accept(1000)
    test.meter.finish()
    #expect(test.counts == [1700])
  }

  @Test("Where nobody looks, nothing is counted") func unwatched() {
    let clock: @Sendable () -> ContinuousClock.Instant = {
      Issue.record("the clock is asked")
      return .now
    }
    let meter = TransferMeter(name: "x", observer: nil, now: clock)
    meter.expect(total: 1)
    meter.advance(by: 1)
    meter.part().moved(to: 1)
    meter.finish()
    #expect(!meter.isWatched)
  }
}
