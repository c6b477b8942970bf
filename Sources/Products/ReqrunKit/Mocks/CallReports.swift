import MockServer
import RequestSpecs
import RunReports
import SpecExecution
import Values

/// The reports of what a mock received: an entry for each request of its sources, and for each call with a problem.
package struct CallReports {
  private let reporters: [any RunReports.Reporter]
  private let start = Timestamp.now
  private let clock = ContinuousClock.now
  private let seed: UInt64?

  /// Opens the reports of the options; nil if one can't be written.
  ///
  /// - Parameter report: takes the reasons.
  package init?(_ options: RunOptions, _ report: (Values.Diagnostic) -> Void) {
    reporters = options.reports.map { $0.makeReporter(options) }
    seed = options.seed
    if options.prepare(reporters, report) > 0 { return nil }
  }

  /// Writes the reports; false if one can't be written.
  ///
  /// - Parameter isVerified: whether a request that was not called is a failure.
  package func write(
    _ mock: MockServer, isVerified: Bool, exitCode: Int32, _ report: (Values.Diagnostic) -> Void
  ) -> Bool {
    let steps = steps(of: mock, isVerified)
    var summary = RunSummary()
    summary.origin.version = Runner.version
    summary.origin.seed = seed
    (summary.start, summary.duration, summary.files, summary.exitCode) = (start, .now - clock, 1, exitCode)
    for step in steps { summary.counts.add(step) }
    let run = RunStart(time: start, fileRuns: 1, requests: steps.count, origin: summary.origin)
    let file = FileStart(position: 0, path: "mock", name: "calls of the mock", iteration: 1, time: start)
    let end = FileReport(
      path: file.path, iteration: 1, counts: summary.counts, start: start, duration: summary.duration)
    for reporter in reporters {
      reporter.start(run)
      let sink = reporter.sink(at: 0)
      sink?.receive(.started(file))
      for step in steps {
        let start = StepStart(
          id: step.id, parent: nil, stage: step.stage, name: step.name, line: step.line, time: self.start)
        if reporter.needs.contains(.starts) { sink?.receive(.stepStarted(start)) }
        sink?.receive(.stepFinished(step))
      }
      sink?.receive(.finished(end))
    }
    return reporters.count(
      failing: { reporter throws(ReportProblem) in try reporter.finish(summary) }, report) == 0
  }

  private func steps(of mock: MockServer, _ isVerified: Bool) -> [StepReport] {
    let (requests, wrong) = mock.results
    var steps: [StepReport] = []
    func add(_ name: String, _ change: (inout StepReport) -> Void) {
      var step = StepReport(id: StepID(file: 0, number: steps.count + 1), parent: nil, name: name, line: 1)
      step.start = start
      change(&step)
      steps.append(step)
    }
    for (title, count) in requests {
      add(title) { step in
        step.attemptCount = min(count, 1)
        if count > 0 {
          step.transfer = TransferReport(summary: count == 1 ? "called once" : "called \(count) times")
        } else if isVerified {
          step.outcome = .failed
          step.problem = .error(.failedRequest, "it was not called", at: nil)
        } else {
          step.outcome = .skipped(reason: "it was not called")
        }
      }
    }
    for call in wrong {
      add("\(call.method) \(call.path)") { step in
        (step.outcome, step.status, step.attemptCount) = (.failed, call.status, 1)
        step.problem = .error(.failedRequest, call.problems.joined(separator: "\n"), at: nil)
      }
    }
    return steps
  }
}
