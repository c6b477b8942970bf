import OperatingSystem
import Testing

@Suite("A budget of time for evaluation")
struct EvaluationBudgetTests {
  /// How many steps something took that would go on for long.
  private static func count(in budget: EvaluationBudget) -> Int {
    budget.limit {
      let meter = EvaluationBudget.meter
      var steps = 0
      while steps < 1 << 40, !meter.isOver() { steps += 1 }
      return steps
    }
  }

  @Test("Where there is none, nothing is over")
  func unlimited() {
    #expect(!EvaluationBudget.meter.isOver(after: .max))
    #expect(EvaluationBudget.current == nil)
  }

  @Test("What is within its time is not over, however many steps it takes")
  func within() {
    let budget = EvaluationBudget(limit: .seconds(60))
    budget.limit {
      let meter = EvaluationBudget.meter
      for steps in [1, 0, 4096, .max, .max, .min, 1] { #expect(!meter.isOver(after: steps)) }
    }
    #expect(!budget.isExhausted)
  }

  @Test("Time ends a loop, and what is begun afterwards ends at once")
  func time() {
    let budget = EvaluationBudget(limit: .milliseconds(20))
    #expect(Self.count(in: budget) > 0)
    #expect(budget.exhaustion == .time)
    #expect(Self.count(in: budget) == 0)
  }

  @Test("Many short evaluations count together")
  func together() {
    let budget = EvaluationBudget(limit: .zero)
    budget.limit {
      for _ in 0..<10_000 { _ = EvaluationBudget.meter.isOver() }
    }
    #expect(budget.isExhausted)
  }

  @Test("A stop ends a loop on another thread")
  func stopped() async {
    let stop = EvaluationStop()
    let budget = EvaluationBudget(limit: .seconds(60), stop: stop)
    let task = Task.detached { Self.count(in: budget) }
    stop.set()
    #expect(await task.value < 1 << 40)
    #expect(budget.exhaustion == .stopped)
  }

  @Test("An error passes, and a result")
  func results() throws {
    struct Problem: Error {}
    let budget = EvaluationBudget(limit: .seconds(1))
    #expect(budget.limit { 7 } == 7)
    #expect(throws: Problem.self) { try budget.limit { () throws(Problem) -> Int in throw Problem() } }
  }
}
