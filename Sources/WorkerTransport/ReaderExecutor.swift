import Dispatch
import HTTPMessages
import OperatingSystem
import Synchronization

/// Runs tasks on the thread that reads from the worker: they take their answers and send the next request without a
/// change of threads. What comes from elsewhere runs elsewhere.
final class ReaderExecutor: ExchangeExecutor {
  private struct Work {
    var jobs: [UnownedJob] = []
    var idle: [@Sendable () -> Void] = []

    var isEmpty: Bool { jobs.isEmpty && idle.isEmpty }
  }

  /// The identity of the thread; 0 before there is one.
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

  /// The calling thread is the one that reads, until another says so.
  func adopt() { thread.store(currentThread(), ordering: .relaxed) }

  /// The calling thread ends: what comes after this runs elsewhere, also on a thread of the same identity.
  func resign() {
    _ = thread.compareExchange(expected: currentThread(), desired: 0, ordering: .relaxed)
    run()
  }

  /// What has come up since the last call: on the thread that reads, before it waits.
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
