import Synchronization

/// The time limit of an evaluation.
///
/// Loops over foreign text and values count their steps here, and end early, with any result, once the budget is used
/// up. Its owner then drops that result and reports one failure instead. A budget that is used up stays so.
package final class EvaluationBudget: Sendable {
  package enum Exhaustion: UInt8, Sendable {
    /// The time is over.
    case time = 1
    /// The run ends.
    case stopped
  }

  /// The budget of the current evaluation; nil without a limit.
  @TaskLocal package static var current: EvaluationBudget?

  /// The number of steps between two checks of the clock.
  private static let interval = 2048

  private let end: ContinuousClock.Instant
  private let stop: EvaluationStop?
  // Only one thread at a time counts: no exchange is needed.
  private let stepsLeft = Atomic(EvaluationBudget.interval)
  private let state = Atomic<UInt8>(0)

  /// - Parameters:
  ///   - limit: the time from now on.
  ///   - stop: ends evaluation early.
  package init(limit: Duration, stop: EvaluationStop? = nil) {
    end = .now + limit
    self.stop = stop
  }

  /// The reason why the budget is used up; nil until a check has found that.
  package var exhaustion: Exhaustion? { Exhaustion(rawValue: state.load(ordering: .relaxed)) }

  package var isExhausted: Bool { state.load(ordering: .relaxed) != 0 }

  /// Evaluates something within the budget.
  package func limit<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    // `withValue` erases typed errors.
    var result: Swift.Result<Result, Failure>?
    EvaluationBudget.$current.withValue(self) {
      do throws(Failure) {
        result = .success(try body())
      } catch {
        result = .failure(error)
      }
    }
    guard let result else { preconditionFailure("the body was called") }
    return try result.get()
  }

  /// The meter of the current evaluation; call this once, before a loop.
  package static var meter: EvaluationMeter { EvaluationMeter(budget: current) }

  fileprivate func isUsedUp(after steps: Int) -> Bool {
    let left = stepsLeft.load(ordering: .relaxed) &- steps
    stepsLeft.store(left, ordering: .relaxed)
    return left <= 0 && look()
  }

  private func look() -> Bool {
    stepsLeft.store(0, ordering: .relaxed)
    if isExhausted { return true }
    if stop?.isSet ?? false {
      state.store(Exhaustion.stopped.rawValue, ordering: .relaxed)
    } else if ContinuousClock.now >= end {
      state.store(Exhaustion.time.rawValue, ordering: .relaxed)
    } else {
      stepsLeft.store(EvaluationBudget.interval, ordering: .relaxed)
      return false
    }
    return true
  }
}

/// Counts the steps of one evaluation on its budget.
package struct EvaluationMeter: Sendable {
  fileprivate let budget: EvaluationBudget?

  /// Returns whether evaluation must end early.
  ///
  /// - Parameter steps: the number of steps since the last call; a step takes a fraction of a microsecond.
  package func isOver(after steps: Int = 1) -> Bool {
    guard let budget else { return false }
    return budget.isUsedUp(after: steps)
  }
}

/// Asks evaluation on any thread to end.
package final class EvaluationStop: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var isSet: Bool { flag.load(ordering: .relaxed) }

  package func set() { flag.store(true, ordering: .relaxed) }
}
