import HTTPSemantics
import RequestSpecs
import Templates
import Values

extension RowsRun {
  /// The step that runs for each row.
  struct Subject: Sendable {
    let stage: RequestStage
    let line: Int
    let name: String
    let readsRowCount: Bool

    init(_ target: Target) {
      switch target {
      case .request(let request):
        (stage, line, name) = (request.stage, request.line, request.staticName)
        readsRowCount = request.readsRowCount
      case .group(let group):
        (stage, line, name) = (group.planned.stage, group.planned.line, group.planned.staticName)
        readsRowCount = group.readsRowCount
      case .use(let step):
        (stage, line, name) = (step.request.stage, step.request.line, step.request.staticName)
        readsRowCount = step.request.readsRowCount
      }
    }
  }

  /// The sink for a row's events: failed steps get a note on the row, unless it is a mere number or nothing.
  func noting(_ row: Value, _ place: String?, _ events: any FileEventSink) -> any FileEventSink {
    if case .count = rows.source { return events }
    if case .null = row { return events }
    return RowNotes(sink: events, row: row, place: place, registry: outer.scope.registry)
  }

  func newReport(_ index: Int?) -> StepReport {
    var report = StepReport(
      id: steps.newStep(), parent: id, name: index.map { "\(subject.name) [\($0)]" } ?? subject.name, line: subject.line
    )
    report.group = id
    report.stage = stage
    report.place = rows.range.firstLine
    return report
  }

  /// Reports an error of the rows themselves, as that of a step.
  func report(
    _ error: TemplateError, index: Int?, _ counts: inout OutcomeCounts, into events: any FileEventSink
  ) {
    var report = newReport(index)
    if context.isDryRun, let name = outer.scope.takeStandIn() {
      report.outcome = .skipped(reason: "its rows need `\(name)`, which only a response gives")
    } else {
      report.fail(error, registry: outer.scope.registry)
    }
    counts.add(report)
    events.receive(.stepFinished(report))
    if steps.failsFast, report.outcome.isFailure { context.control.stop() }
  }

  /// Reports that there are not the rows that there should be.
  func report(_ failure: RowsFailure, index: Int?, _ counts: inout OutcomeCounts) {
    var report = newReport(index)
    report.outcome = .failed
    report.assertionCount = 1
    report.failures = [
      AssertionReport(
        subject: failure.subject, range: rows.next?.range ?? rows.range.firstLine, expected: failure.expected,
        actual: outer.scope.registry.masked(message: failure.actual), hint: failure.help)
    ]
    counts.add(report)
    events.receive(.stepFinished(report))
    if steps.failsFast { context.control.stop() }
  }

  /// Reports that the rows from one on did not start.
  func skipRest(from index: Int, _ reason: SkipReason, _ counts: inout OutcomeCounts) {
    var report = newReport(index)
    report.name += " and those after it"
    skip(report, reason, &counts)
  }

  func skip(_ skipped: StepReport, _ reason: SkipReason, _ counts: inout OutcomeCounts) {
    var report = skipped
    report.outcome = .skipped(reason: reason.text)
    report.isUnreached = !reason.isWanted
    counts.add(report)
    events.receive(.stepFinished(report))
  }
}
