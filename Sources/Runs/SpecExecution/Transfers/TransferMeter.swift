import Synchronization

/// Counts the bytes of one transfer, and reports its progress at most ten times a second, from any thread.
///
/// Without an observer it does nothing.
package final class TransferMeter: Sendable {
  package typealias Observer = @Sendable (TransferProgress) -> Void

  private struct State {
    /// The number of bytes, including those of an earlier run.
    var completed: Int64 = 0
    var total: Int64?
    var rate = TransferRate()
    var nextReport: ContinuousClock.Instant?
    var hasReported = false
    var isFinished = false
  }

  private static let interval = Duration.milliseconds(100)
  private static let lastID = Atomic<Int>(0)

  private let id: Int
  private let name: String
  private let direction: TransferDirection
  private let reportsShort: Bool
  private let observer: Observer?
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  /// - Parameters:
  ///   - reportsShort: whether a transfer that ends before its first report is reported at its end.
  ///   - observer: receives the progress in order; nil without one.
  package init(
    name: String, direction: TransferDirection = .download, reportsShort: Bool = true, observer: Observer? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.name = name
    self.direction = direction
    self.reportsShort = reportsShort
    self.observer = observer
    self.now = now
    id = observer == nil ? 0 : TransferMeter.lastID.add(1, ordering: .relaxed).newValue
  }

  package var isWatched: Bool { observer != nil }

  /// Sets the total number of bytes, once it is known.
  package func expect(total: Int64) {
    guard isWatched else { return }
    state.withLock { $0.total = total }
  }

  /// Adds the bytes of an earlier run, which don't count for the rate.
  package func resume(at count: Int64) {
    guard isWatched else { return }
    state.withLock { state in
      state.completed = count
      state.rate.rebase(to: count)
    }
  }

  package func advance(by count: Int) { move(by: Int64(count)) }

  /// A part of the transfer that may fail and be repeated.
  ///
  /// - Parameter length: the part's length; bytes beyond it are framing.
  package func part(length: Int64? = nil) -> TransferPart { TransferPart(of: self, length: length) }

  /// Notes that all bytes are transferred again.
  package func restart() {
    guard isWatched else { return }
    state.withLock { state in
      state.completed = 0
      state.rate.rebase(to: 0)
    }
  }

  /// Ends the transfer, successful or not. Nothing is reported after that.
  package func finish() {
    guard let observer else { return }
    let now = now()
    state.withLock { state in
      guard !state.isFinished else { return }
      state.isFinished = true
      if state.hasReported || reportsShort && state.completed > 0 { observer(progress(&state, at: now)) }
    }
  }

  fileprivate func move(by count: Int64) {
    guard let observer, count != 0 else { return }
    let now = now()
    // The observer is called under the lock, so that it receives reports in order.
    state.withLock { state in
      guard !state.isFinished else { return }
      state.completed += count
      if count < 0 { state.rate.withdraw(-count) }
      guard let next = state.nextReport else {
        state.nextReport = now + TransferMeter.interval
        state.rate.note(state.completed, at: now)
        return
      }
      guard now >= next else { return }
      state.nextReport = now + TransferMeter.interval
      state.hasReported = true
      observer(progress(&state, at: now))
    }
  }

  private func progress(_ state: inout State, at now: ContinuousClock.Instant) -> TransferProgress {
    state.rate.note(state.completed, at: now)
    // A server may announce less than it sends.
    let total = state.total.flatMap { $0 < state.completed ? nil : $0 }
    return TransferProgress(
      id: id, name: name, direction: direction, completedBytes: state.completed, totalBytes: total,
      bytesPerSecond: state.rate.bytesPerSecond,
      timeLeft: total.flatMap { state.rate.time(for: $0 - state.completed) }, isFinished: state.isFinished)
  }
}

/// A part of a transfer, whose count can decrease.
package final class TransferPart: Sendable {
  private let meter: TransferMeter
  private let length: Int64?
  private let state = Mutex((counted: Int64(0), isAccepted: false))

  fileprivate init(of meter: TransferMeter, length: Int64?) {
    self.meter = meter
    self.length = length
  }

  /// Sets the number of bytes of the part that were transferred; it decreases when the part is repeated.
  package func moved(to count: Int64) {
    guard meter.isWatched else { return }
    let count = length.map { min($0, count) } ?? count
    let change = state.withLock { state in
      defer { state.counted = count }
      return count - state.counted
    }
    meter.move(by: change)
  }

  /// Sets the number of bytes that have certainly arrived.
  package func accept(_ count: Int64) {
    state.withLock { $0.isAccepted = true }
    moved(to: count)
  }

  /// Subtracts counted bytes that have not arrived.
  package func settle() {
    if !state.withLock({ $0.isAccepted }) { moved(to: 0) }
  }
}

package enum TransferDirection: Sendable {
  case upload, download
}

package struct TransferProgress: Sendable {
  /// The transfer's identity in its process.
  package let id: Int
  /// The request's name.
  package let name: String
  package let direction: TransferDirection
  package let completedBytes: Int64
  /// The total; nil if it is unknown.
  package let totalBytes: Int64?
  /// The recent rate; nil if too little has been transferred yet.
  package let bytesPerSecond: Double?
  /// The time left; nil if it can't be estimated.
  package let timeLeft: Duration?
  package let isFinished: Bool
}
