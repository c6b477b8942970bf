import Dispatch
import HTTPSemantics
import OperatingSystem
import Synchronization

/// Runs tasks on the thread that reads from the worker: they receive their responses and send the next request without
/// a thread change. Jobs from other threads run elsewhere.
final class ReaderExecutor: ExchangeExecutor {
  private struct Work {
    var jobs: [UnownedJob] = []
    var idle: [@Sendable () -> Void] = []

    var isEmpty: Bool { jobs.isEmpty && idle.isEmpty }
  }

  /// The identity of the thread; 0 before it starts.
  private let thread = Atomic<UInt>(0)
  private let work = Mutex(Work())

  private var isReader: Bool { thread.load(ordering: .relaxed) == currentThread() }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isReader {
      work.withLock { $0.jobs.append(job) }
    } else {
      DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  func whenIdle(_ work: @escaping @Sendable () -> Void) {
    if isReader { self.work.withLock { $0.idle.append(work) } } else { work() }
  }

  /// Makes the calling thread the reading one.
  func adopt() { thread.store(currentThread(), ordering: .relaxed) }

  /// Ends the role of the calling thread: later jobs run elsewhere, even on a thread of the same identity.
  func resign() {
    _ = thread.compareExchange(expected: currentThread(), desired: 0, ordering: .relaxed)
    run()
  }

  /// Runs the jobs added since the last call; called on the reading thread before it waits.
  func run() {
    while true {
      let work = work.withLock { work in
        defer { work = Work() }
        return work
      }
      if work.isEmpty { return }
      for job in work.jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      for work in work.idle { work() }
    }
  }
}
