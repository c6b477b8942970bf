import HTTPSemantics
import SpecExecution
import Synchronization
import Testing

/// The events that wait for a thread to be idle.
@Suite("Events that wait") struct LookaheadTests {
  /// An executor whose thread never has time.
  private final class BusyExecutor: ExchangeExecutor {
    func whenIdle(_ work: @escaping @Sendable () -> Void) {}
    func enqueue(_ job: consuming ExecutorJob) {}
  }

  private final class Recorder: FileEventSink {
    let count = Mutex(0)
    func receive(_ event: FileEvent) { count.withLock { $0 += 1 } }
  }

  @Test("few wait, also for a thread that is never idle, and none is lost")
  func waits() {
    let recorder = Recorder()
    let lookahead = Lookahead([], on: BusyExecutor(), reportingTo: recorder) { _ in nil }
    for sent in 1...1000 {
      lookahead.receive(.leftOut)
      #expect(recorder.count.withLock { $0 } > sent - Lookahead.maxEvents)
    }
    lookahead.flush()
    #expect(recorder.count.withLock { $0 } == 1000)
  }
}
