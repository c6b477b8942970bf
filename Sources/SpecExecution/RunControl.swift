import Synchronization

/// Where a run stands when it is asked to end: running, draining after the first signal, aborting after the second.
///
/// Tasks are not cancelled on the first signal, since cancellation sticks and would end the teardown too; only what
/// is in flight is cut, when its time is up.
package final class RunControl: Sendable {
  package enum Phase: Int, Sendable, Comparable {
    case running, stopping, draining, aborting

    package static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
  }

  private struct Flight {
    let isTeardown: Bool
    let cancel: @Sendable () -> Void
  }

  private struct State {
    var phase = Phase.running
    var signal: Int32?
    var flights: [Int: Flight] = [:]
    var nextFlight = 0
    var isCutting = (requests: false, teardown: false)
  }

  private let state = Mutex(State())

  /// What is in flight may take this long after the first signal, and the teardowns that follow.
  package static let drainTime = (requests: Duration.seconds(5), teardown: Duration.seconds(10))

  package init() {}

  package var phase: Phase { state.withLock { $0.phase } }
  /// The signal that ended the run, if one did.
  package var signal: Int32? { state.withLock { $0.signal } }

  /// Begins nothing new (`--fail-fast`); what is in flight is finished.
  package func stop() {
    state.withLock { if $0.phase == .running { $0.phase = .stopping } }
  }

  /// The first signal drains, the second aborts.
  package func interrupt(signal: Int32) {
    let phase = state.withLock { state in
      state.phase = state.phase < .draining ? .draining : .aborting
      if state.signal == nil { state.signal = signal }
      return state.phase
    }
    if phase == .aborting {
      cut(requests: true, teardown: true)
      return
    }
    Task.detached { [self] in
      try? await Task.sleep(for: RunControl.drainTime.requests)
      cut(requests: true, teardown: false)
      try? await Task.sleep(for: RunControl.drainTime.teardown)
      cut(requests: true, teardown: true)
    }
  }

  private func cut(requests: Bool, teardown: Bool) {
    let flights = state.withLock { state in
      state.isCutting = (state.isCutting.requests || requests, state.isCutting.teardown || teardown)
      return state.flights.values.filter { $0.isTeardown ? teardown : requests }
    }
    for flight in flights { flight.cancel() }
  }

  /// Runs something that a signal may cut short, in a task of its own.
  func supervise<Output: Sendable>(
    isTeardown: Bool, _ operation: @escaping @Sendable () async -> Output
  ) async -> Output {
    let task = Task { await operation() }
    let (number, isLate) = state.withLock { state in
      state.nextFlight += 1
      state.flights[state.nextFlight] = Flight(isTeardown: isTeardown, cancel: { task.cancel() })
      return (state.nextFlight, isTeardown ? state.isCutting.teardown : state.isCutting.requests)
    }
    if isLate { task.cancel() }
    defer { state.withLock { _ = $0.flights.removeValue(forKey: number) } }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
