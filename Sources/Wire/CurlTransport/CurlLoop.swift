import CLibCurl
import HTTPSemantics
import OperatingSystem
import Synchronization

/// The thread that runs libcurl, and all state that only this thread may access.
///
/// It is also a preferred executor: tasks on it start exchanges and receive their results without a thread change.
/// Their work delays all exchanges, so use it only for runs with one thing to do at a time.
///
/// `@unchecked`: `inbox` is guarded by its mutex; `multi` is set before the loop first sleeps, and stays; `active`,
/// `limited`, `waiting`, `hosts`, `reserve`, `nextDeadline`, `nextLook`, `ownJobs` and `idleWork` belong to the loop's
/// thread.
final class CurlLoop: ExchangeExecutor, @unchecked Sendable {
  typealias Continuation = UnsafeContinuation<Result<ExchangeSummary, TransportError>, Never>

  private struct Inbox {
    var arrivals: [CurlTransfer] = []
    var cancelled: [CurlTransfer] = []
    /// Transfers whose request bodies can be read on.
    var readable: [CurlTransfer] = []
    var jobs: [UnownedJob] = []
    var isClosed = false
    var isRunning = false
    var isAsleep = false

    var isEmpty: Bool { arrivals.isEmpty && cancelled.isEmpty && readable.isEmpty && jobs.isEmpty && !isClosed }
  }

  let addresses = ConnectionAddresses()
  private static let maxIdleWork = 16
  private let maxIdleConnections: Int
  private let inbox = Mutex(Inbox())
  /// The identity of the loop's thread; 0 before it runs.
  private let thread = Atomic<UInt>(0)
  private var multi: UnsafeMutableRawPointer?
  /// Jobs enqueued by the loop's thread itself.
  private var ownJobs: [UnownedJob] = []
  /// Work for when there is nothing else to do.
  private var idleWork: [@Sendable () -> Void] = []
  /// The transfers in flight by their easy handles.
  var active: [UnsafeMutableRawPointer: CurlTransfer] = [:]
  /// The transfers whose bodies may have to wait.
  var limited: [ObjectIdentifier: CurlTransfer] = [:]
  /// Transfers that wait for a connection to their host; their clocks don't run yet.
  var waiting: [CurlTransfer] = []
  var hosts: [HostKey: HostTraffic] = [:]
  /// The number of transfers that were given up for now, of all hosts.
  var deferredCount = 0
  /// The time at which it looks for connections that are not made; nil if there can be none.
  var nextLook: ContinuousClock.Instant?
  var reserve = PreparedHandles()
  private var spinPolicy = SpinPolicy(longest: .microseconds(100))
  /// A time before any deadline of a transfer, and before the end of any pause.
  private var nextDeadline: ContinuousClock.Instant?

  init(maxIdleConnections: Int) {
    self.maxIdleConnections = maxIdleConnections
  }

  /// Adds the transfer to the loop, which resumes the continuation once.
  func begin(_ transfer: CurlTransfer, _ continuation: Continuation) {
    transfer.continuation = continuation
    if isLoopThread, let multi { admit(transfer, multi) } else { post { $0.arrivals.append(transfer) } }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isLoopThread { ownJobs.append(job) } else { post { $0.jobs.append(job) } }
  }

  func whenIdle(_ work: @escaping @Sendable () -> Void) {
    guard isLoopThread else { return work() }
    idleWork.append(work)
    // The work is never done if no response lets anyone wait.
    while idleWork.count > Self.maxIdleWork { _ = doIdleWork() }
  }

  /// Cancels a transfer at any time, even before ``begin(_:_:)``.
  func cancel(_ transfer: CurlTransfer) {
    transfer.isCancelled.store(true, ordering: .releasing)
    post { $0.cancelled.append(transfer) }
  }

  /// Ends the thread once nothing is in flight; nothing may be posted afterwards.
  func close() {
    let isRunning = inbox.withLock { $0.isRunning }
    if isRunning { post { $0.isClosed = true } }
  }

  var isLoopThread: Bool { thread.load(ordering: .relaxed) == currentThread() }

  private func post(_ change: (inout Inbox) -> Void) {
    let (wasAsleep, stranded) = inbox.withLock { inbox -> (Bool, Inbox?) in
      change(&inbox)
      if !inbox.isRunning {
        inbox.isRunning = startThread { self.run() }
        if !inbox.isRunning {
          defer { inbox = Inbox() }
          return (false, inbox)
        }
      }
      defer { inbox.isAsleep = false }
      return (inbox.isAsleep, nil)
    }
    if wasAsleep, let multi { curl_multi_wakeup(multi) }
    if let stranded { giveUp(stranded) }
  }

  /// Fails all transfers, since no thread could be started; tasks continue elsewhere.
  private func giveUp(_ mail: Inbox) {
    for transfer in mail.arrivals {
      transfer.resume(
        .failure(
          TransportError(
            .connection, "no thread could be started for libcurl",
            help: "raise the limit of processes (ulimit -u), or that of the container")))
    }
    for job in mail.jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
  }

  // MARK: On the loop's thread

  private func run() {
    // Unreachable without libcurl, since nothing is posted then.
    guard Libcurl.isReady else { return }
    guard let multi = curl_multi_init() else { preconditionFailure("libcurl is out of memory") }
    _ = reqrun_multi_set_long(multi, CURLMOPT_PIPELINING, reqrun_multiplex)
    _ = reqrun_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maxIdleConnections)
    self.multi = multi
    hearFrames()
    thread.store(currentThread(), ordering: .relaxed)
    var isClosed = false
    while !(isClosed && isIdle) {
      let mail = inbox.withLock { inbox in
        defer { inbox = Inbox(isRunning: true) }
        return inbox
      }
      isClosed = isClosed || mail.isClosed
      if !mail.isEmpty { spinPolicy.beginAnew() }
      for transfer in mail.arrivals { admit(transfer, multi) }
      for transfer in mail.cancelled { end(transfer, transfer.outcome(endedBy: .cancelled), multi) }
      for transfer in mail.readable { resumeSending(transfer, multi) }
      run(mail.jobs)

      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      let hasEnded = endFinished(multi)
      let now = ContinuousClock.now
      if hasEnded { spinPolicy.noteArrival(now) }
      endLate(now, multi)
      resumePaused(now, multi)
      lookAtConnections(now, multi)
      guard ownJobs.isEmpty else {
        let jobs = ownJobs
        ownJobs.removeAll(keepingCapacity: true)
        run(jobs)
        continue
      }

      // Then checks whether a response has arrived meanwhile.
      if doIdleWork() || !active.isEmpty && (reserve.tidy() || spinPolicy.staysAwake(now)) { continue }
      let maySleep = inbox.withLock { inbox in
        inbox.isAsleep = inbox.isEmpty && !(isClosed && isIdle)
        return inbox.isAsleep
      }
      if maySleep { curl_multi_poll(multi, nil, 0, pollTimeout(now), nil) }
    }
    curl_multi_cleanup(multi)
  }

  private var isIdle: Bool {
    active.isEmpty && waiting.isEmpty && deferredCount == 0 && ownJobs.isEmpty && idleWork.isEmpty
  }

  private func run(_ jobs: [UnownedJob]) {
    for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Runs one piece of idle work; false if there was none.
  private func doIdleWork() -> Bool {
    if idleWork.isEmpty { return false }
    idleWork.removeFirst()()
    return true
  }

  func admit(_ transfer: CurlTransfer, _ multi: UnsafeMutableRawPointer) {
    if transfer.isCancelled.load(ordering: .acquiring) {
      transfer.resume(.failure(.cancelled))
    } else if deferredCount > 0, hosts[transfer.hostKey]?.deferred.isEmpty == false {
      hosts[transfer.hostKey]?.deferred.append(transfer)
      deferredCount += 1
    } else if hasRoom(for: transfer) {
      start(transfer, multi)
    } else {
      waiting.append(transfer)
    }
  }

  func start(_ transfer: CurlTransfer, _ multi: UnsafeMutableRawPointer) {
    let easy: UnsafeMutableRawPointer
    do throws(TransportError) {
      easy = try transfer.makeHandle(from: &reserve)
    } catch {
      return transfer.resume(.failure(error))
    }
    let status = curl_multi_add_handle(multi, easy)
    guard status == CURLM_OK else {
      return transfer.resume(
        .failure(TransportError(.invalidRequest, "libcurl: \(String(cString: curl_multi_strerror(status)))")))
    }
    active[easy] = transfer
    hosts[transfer.hostKey, default: HostTraffic()].active += 1
    if transfer.request.body.length == nil || transfer.request.expectsContinue {
      transfer.onReadableBody = { [weak self, weak transfer] in
        if let self, let transfer { post { $0.readable.append(transfer) } }
      }
    }
    let now = ContinuousClock.now
    transfer.startClocks(now)
    if nextLook == nil { nextLook = now + HostTraffic.patience }
    if transfer.maySleep { limited[ObjectIdentifier(transfer)] = transfer }
    if let deadline = transfer.nearestDeadline {
      nextDeadline = min(nextDeadline ?? deadline.instant, deadline.instant)
    }
  }

  private func isActive(_ transfer: CurlTransfer) -> Bool { transfer.easy.map { active[$0] === transfer } ?? false }

  private func resumeSending(_ transfer: CurlTransfer, _ multi: UnsafeMutableRawPointer) {
    guard isActive(transfer), let outcome = transfer.resumeSending() else { return }
    end(transfer, outcome, multi)
  }

  /// Ends finished transfers; false if there were none.
  private func endFinished(_ multi: UnsafeMutableRawPointer) -> Bool {
    var code = CURLE_OK
    var hasEnded = false
    while let easy = reqrun_next_finished(multi, &code) {
      guard let transfer = active[easy] else { continue }
      end(transfer, transfer.outcome(of: code), multi)
      hasEnded = true
    }
    return hasEnded
  }

  private func endLate(_ now: ContinuousClock.Instant, _ multi: UnsafeMutableRawPointer) {
    guard let next = nextDeadline, next <= now else { return }
    nextDeadline = nil
    for transfer in Array(active.values) {
      guard let deadline = transfer.nearestDeadline else { continue }
      if deadline.instant <= now {
        end(transfer, transfer.outcome(endedBy: explained(deadline.error, of: transfer)), multi)
      } else {
        nextDeadline = min(nextDeadline ?? deadline.instant, deadline.instant)
      }
    }
  }

  private func resumePaused(_ now: ContinuousClock.Instant, _ multi: UnsafeMutableRawPointer) {
    for transfer in Array(limited.values) {
      if let end = transfer.pauseEnd, end <= now, let outcome = transfer.resumeBody() {
        self.end(transfer, outcome, multi)
      } else if let end = transfer.pauseEnd {
        nextDeadline = min(nextDeadline ?? end, end)
      }
      guard let end = transfer.expectationEnd else { continue }
      if end <= now { resumeSending(transfer, multi) } else { nextDeadline = min(nextDeadline ?? end, end) }
    }
  }

  private func end(
    _ transfer: CurlTransfer, _ result: Result<ExchangeSummary, TransportError>, _ multi: UnsafeMutableRawPointer
  ) {
    if isActive(transfer) {
      remove(transfer, multi)
      transfer.resume(result)
      startWaiting(transfer.hostKey, multi)
      startDeferred(transfer.hostKey, multi)
    } else if let index = waiting.firstIndex(where: { $0 === transfer }) {
      waiting.remove(at: index)
      transfer.resume(result)
    } else if let index = hosts[transfer.hostKey]?.deferred.firstIndex(where: { $0 === transfer }) {
      hosts[transfer.hostKey]?.deferred.remove(at: index)
      deferredCount -= 1
      transfer.resume(result)
    }
  }

  /// The timeout in milliseconds, rounded up; libcurl shortens it by its own timers.
  private func pollTimeout(_ now: ContinuousClock.Instant) -> Int32 {
    guard let first = nextDeadline ?? nextLook else { return 60_000 }
    let next = min(first, nextLook ?? first)
    let (seconds, attoseconds) = (next - now).components
    guard seconds < 60 else { return 60_000 }
    return max(0, Int32(seconds) * 1000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }
}
