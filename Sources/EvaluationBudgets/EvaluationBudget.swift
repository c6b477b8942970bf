import Synchronization

/// The time that evaluation may take.
///
/// What loops over text and values from outside counts its steps here, and ends early, with any result, once the budget
/// is used up. Whoever made the budget then drops that result and tells of one failure instead. A budget that is used up
/// stays so.
package final class EvaluationBudget: Sendable {
  package enum Exhaustion: UInt8, Sendable {
    /// The time is over.
    case time = 1
    /// The run ends.
    case stopped
  }

  /// The budget of what is evaluated now; nil where there is no limit.
  @TaskLocal package static var current: EvaluationBudget?

  /// How many steps there are from one look at the clock to the next.
  private static let interval = 2048

  private let end: ContinuousClock.Instant
  private let stop: EvaluationStop?
  // Only one thread at a time counts: no exchange is needed.
  private let stepsLeft = Atomic(EvaluationBudget.interval)
  private let state = Atomic<UInt8>(0)

  /// - Parameters:
  ///   - limit: from now on.
  ///   - stop: ends evaluation before its time.
  package init(limit: Duration, stop: EvaluationStop? = nil) {
    end = .now + limit
    self.stop = stop
  }

  /// Why the budget is used up; nil as long as nobody came to find that it is.
  package var exhaustion: Exhaustion? { Exhaustion(rawValue: state.load(ordering: .relaxed)) }

  package var isExhausted: Bool { state.load(ordering: .relaxed) != 0 }

  /// Evaluates something within the budget.
  package func limit<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    // `withValue` knows no types of errors.
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

  /// The meter of what is evaluated now; to be asked for once, before a loop.
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

  /// Whether evaluation is to end early.
  ///
  /// - Parameter steps: how much was done since the last call; a step takes a fraction of a microsecond.
  package func isOver(after steps: Int = 1) -> Bool {
    guard let budget else { return false }
    return budget.isUsedUp(after: steps)
  }
}

/// Tells evaluation on any thread to end.
package final class EvaluationStop: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var isSet: Bool { flag.load(ordering: .relaxed) }

  package func set() { flag.store(true, ordering: .relaxed) }
}
