import SpecExecution
import Synchronization
import Testing

/// A meter with a clock that the test sets.
private final class MeterUnderTest: Sendable {
  private let time = Mutex(ContinuousClock.now)
  private let told = Mutex<[TransferProgress]>([])
  private let made = Mutex<TransferMeter?>(nil)

  init(tellsShort: Bool = true) {
    let meter = TransferMeter(
      name: "x", direction: .upload, tellsShort: tellsShort, observer: { [told] in told.append($0) },
      now: { [time] in time.withLock { $0 } })
    made.withLock { $0 = meter }
  }

  func with(_ body: (TransferMeter) -> Void) {
    if let meter = made.withLock({ $0 }) { body(meter) }
  }

  func wait(_ milliseconds: Int) { time.withLock { $0 += .milliseconds(milliseconds) } }

  func advance(_ count: Int, after milliseconds: Int) {
    wait(milliseconds)
    with { $0.advance(by: count) }
  }

  func finish() { with { $0.finish() } }

  var events: [TransferProgress] { told.withLock { $0 } }
  var counts: [Int64] { events.map(\.completedBytes) }
}

extension Mutex<[TransferProgress]> {
  fileprivate borrowing func append(_ progress: TransferProgress) { withLock { $0.append(progress) } }
}

@Suite struct TransferMeterTests {
  @Test("A tenth of a second lies between what is told, and the end is told") func throttled() {
    let meter = MeterUnderTest()
    meter.with { $0.expect(total: 1000) }
    for _ in 0..<10 { meter.advance(100, after: 30) }
    // The first bytes come at 30 ms; it is told at 150 ms and at 270 ms.
    #expect(meter.counts == [500, 900])
    meter.finish()
    meter.finish()
    meter.advance(1, after: 500)
    #expect(meter.counts == [500, 900, 1000])
    #expect(meter.events.map(\.isFinished) == [false, false, true])
    #expect(meter.events.allSatisfy { $0.totalBytes == 1000 && $0.name == "x" && $0.direction == .upload })
    #expect(Set(meter.events.map(\.id)).count == 1)
  }

  @Test("A short one is told of at its end, if at all", arguments: [true, false]) func short(_ tellsShort: Bool) {
    let meter = MeterUnderTest(tellsShort: tellsShort)
    meter.advance(10, after: 10)
    meter.finish()
    #expect(meter.counts == (tellsShort ? [10] : []))
  }

  @Test("Nothing moved, nothing told") func nothing() {
    let meter = MeterUnderTest()
    meter.with { $0.expect(total: 5) }
    meter.wait(1000)
    meter.finish()
    #expect(meter.counts == [])
  }

  @Test("Rate and time left, from the first bytes on") func rate() throws {
    let meter = MeterUnderTest()
    meter.with { $0.expect(total: 10_000) }
    // The time before the first bytes is the server's own.
    meter.advance(1000, after: 5000)
    for _ in 0..<4 { meter.advance(1000, after: 500) }
    let last = try #require(meter.events.last)
    #expect(last.completedBytes == 5000)
    #expect(last.bytesPerSecond == 2000)
    #expect(last.timeLeft == .seconds(3))
  }

  @Test("A change of pace shows by and by") func pace() throws {
    let meter = MeterUnderTest()
    for _ in 0..<10 { meter.advance(1000, after: 1000) }
    #expect(meter.events.last?.bytesPerSecond == 1000)
    meter.advance(5000, after: 1000)
    #expect(meter.events.last?.bytesPerSecond == 2000)
    for _ in 0..<30 { meter.advance(5000, after: 1000) }
    #expect(try #require(meter.events.last?.bytesPerSecond) > 4990)
  }

  @Test("An unknown length has no time left; one that was too small is none") func unknown() {
    let meter = MeterUnderTest()
    meter.advance(100, after: 200)
    meter.advance(100, after: 200)
    #expect(meter.events.last?.totalBytes == nil)
    #expect(meter.events.last?.timeLeft == nil)
    #expect(meter.events.last?.bytesPerSecond == 500)
    meter.with { $0.expect(total: 250) }
    meter.advance(100, after: 200)
    #expect(meter.events.last?.totalBytes == nil)
    #expect(meter.events.last?.completedBytes == 300)
  }

  @Test("What an earlier run has moved is no part of the rate") func resumed() {
    let meter = MeterUnderTest()
    meter.with {
      $0.expect(total: 1_002_000)
      $0.resume(at: 1_000_000)
    }
    meter.advance(1000, after: 500)
    meter.advance(500, after: 1000)
    #expect(meter.events.last?.completedBytes == 1_001_500)
    #expect(meter.events.last?.bytesPerSecond == 500)
    #expect(meter.events.last?.timeLeft == .seconds(1))
  }

  @Test("Begun anew, the count is, and the rate goes on") func restarted() {
    let meter = MeterUnderTest()
    meter.advance(1000, after: 500)
    meter.advance(1000, after: 1000)
    meter.with { $0.restart() }
    meter.advance(1000, after: 1000)
    #expect(meter.counts == [2000, 1000])
    #expect(meter.events.last?.bytesPerSecond == 1000)
  }

  @Test("A part that is sent anew, one that fails, one of which not all arrives") func parts() {
    let meter = MeterUnderTest()
    meter.with { meter in
      let (one, two, three) = (meter.part(length: 1000), meter.part(), meter.part(length: 1000))
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
    }
    meter.finish()
    #expect(meter.counts == [1700])
  }

  @Test("Where nobody looks, nothing is counted") func unwatched() {
    let meter = TransferMeter(name: "x", observer: nil, now: { fatalError("the clock is not asked") })
    meter.expect(total: 1)
    meter.advance(by: 1)
    meter.part().moved(to: 1)
    meter.finish()
    #expect(!meter.isWatched)
  }
}
