import LibC

/// Runs the work on a new detached thread; false if none could be started.
package func startThread(_ work: @escaping @Sendable () -> Void) -> Bool {
  // Large enough for runs of files, which may be on such a thread; the default is 512 KiB on macOS, 128 in musl.
  guard let thread = makeThread(stackSize: 2 << 20, work) else { return false }
  pthread_detach(thread)
  return true
}

/// Runs the work after a delay, on a thread of its own, so that nothing else delays it; false if none could be started.
package func callLater(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> Bool {
  let end = ContinuousClock.now + delay
  return startThread {
    pause(for: end - .now)
    work()
  }
}

/// Blocks the calling thread for that time.
package func pause(for duration: Duration) {
  let end = ContinuousClock.now + duration
  while true {
    let left = end - .now
    guard left > .zero else { break }
    var time = timespec()
    time.tv_sec = time_t(left.components.seconds)
    time.tv_nsec = Int(left.components.attoseconds / 1_000_000_000)
    nanosleep(&time, nil)
  }
}

/// The processor time that the calling thread has taken so far.
package func threadTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// A thread whose end can be awaited.
struct JoinableThread: ~Copyable {
  private let thread: pthread_t

  /// Nil if no thread could be started.
  init?(_ work: @escaping @Sendable () -> Void) {
    guard let thread = makeThread(stackSize: 2 << 20, work) else { return nil }
    self.thread = thread
  }

  consuming func join() {
    pthread_join(thread, nil)
  }
}

/// Runs the work on a thread with a stack of that size in bytes, and waits for it; false if none could be started.
package func runOnStack(of size: Int, _ work: @escaping @Sendable () -> Void) -> Bool {
  guard let thread = makeThread(stackSize: size, work) else { return false }
  pthread_join(thread, nil)
  return true
}

/// Returns whether that many more threads can run at a time.
///
/// libdispatch, which runs all tasks, waits forever if it can't start one.
package func canStartThreads(_ count: Int) -> Bool {
  if limitsAllowThreads(count) { return true }
  let isOver = WatchedState(false)
  var threads: [pthread_t] = []
  let stackSize = addressSpaceLimit() < .max ? 8 << 20 : 64 << 10
  while threads.count < count, let thread = makeThread(stackSize: stackSize, { isOver.wait { $0 ? () : nil } }) {
    threads.append(thread)
  }
  isOver.update { $0 = true }
  for thread in threads { pthread_join(thread, nil) }
  return threads.count == count
}

final class ThreadWork: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}
