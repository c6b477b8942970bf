import Dispatch
import HTTPSemantics
import Synchronization

/// Ends exchanges at their deadlines: one timer for all of them, set to the nearest.
final class DeadlineTimer: Sendable {
  private struct State {
    var exchanges: [ObjectIdentifier: SessionExchange] = [:]
    /// The time at which the timer fires next.
    var isSetTo: ContinuousClock.Instant?
  }

  private let queue = DispatchQueue(label: "deadlines")
  private let state = Mutex(State())

  func watch(_ exchange: SessionExchange) {
    guard let instant = exchange.nearestDeadline?.instant else { return }
    let isNearest = state.withLock { state in
      state.exchanges[ObjectIdentifier(exchange)] = exchange
      guard state.isSetTo.map({ instant < $0 }) ?? true else { return false }
      state.isSetTo = instant
      return true
    }
    if isNearest { set(to: instant) }
  }

  func forget(_ exchange: SessionExchange) {
    state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = nil }
  }

  /// Sets the timer; one that an earlier one has overtaken fires too, and does nothing.
  private func set(to instant: ContinuousClock.Instant) {
    let timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    let (seconds, attoseconds) = max(.zero, instant - .now).components
    let nanoseconds = min(seconds, 86_400) * 1_000_000_000 + attoseconds / 1_000_000_000
    timer.schedule(deadline: .now() + .nanoseconds(Int(nanoseconds)), leeway: .nanoseconds(0))
    timer.setEventHandler { [weak self] in
      timer.cancel()
      self?.fire(instant)
    }
    timer.activate()
  }

  private func fire(_ instant: ContinuousClock.Instant) {
    let exchanges = state.withLock { state -> [SessionExchange]? in
      guard state.isSetTo == instant else { return nil }
      state.isSetTo = nil
      return Array(state.exchanges.values)
    }
    guard let exchanges else { return }
    let now = ContinuousClock.now
    var nearest: ContinuousClock.Instant?
    for exchange in exchanges {
      guard let deadline = exchange.nearestDeadline else { continue }
      if deadline.instant <= now {
        exchange.cancel(deadline.error)
      } else {
        nearest = min(nearest ?? deadline.instant, deadline.instant)
      }
    }
    guard let nearest else { return }
    let isNearest = state.withLock { state in
      guard state.isSetTo.map({ nearest < $0 }) ?? true else { return false }
      state.isSetTo = nearest
      return true
    }
    if isNearest { set(to: nearest) }
  }
}
