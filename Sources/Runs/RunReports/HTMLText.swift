import APIContracts
import Diagnostics
import HTTPMessages
import Matching
import RunEvents
import RunPlanning
import SpecExecution
import Values

/// The JSON texts of the HTML report. `Page/model.js` reads the rows, `Page/request.js` the details.
enum HTMLText {
  /// The longest texts in a row, in columns.
  private static let rowLimit = 300

  // MARK: rows

  static func row(of start: FileStart, _ runStart: Timestamp?) -> String {
    list([
      "\"f\"", quoted(start.path), quoted(start.name ?? ""), String(start.iteration), quoted(start.variant ?? ""),
      milliseconds(start.time, since: runStart),
    ]) + "\n"
  }

  static func row(of start: GroupStart, _ runStart: Timestamp?) -> String {
    list([
      "\"g\"", quoted(start.kind.rawValue), quoted(elided(start.name, to: rowLimit)), String(start.line),
      code(stage: start.stage.rawValue), milliseconds(start.time, since: runStart),
    ]) + "\n"
  }

  /// The row that ends a group or a file.
  static func end(_ duration: Duration) -> String { "[\"/\",\(milliseconds(duration))]\n" }

  /// - Parameters:
  ///   - parent: the step that contains this one.
  ///   - isParent: whether this step contains others.
  static func row(
    of report: StepReport, _ hops: HTMLHops, _ runStart: Timestamp?, parent: StepID?, isParent: Bool
  ) -> String {
    var message = report.message ?? ""
    if case .skipped(let reason) = report.outcome { message = reason }
    let start = report.start.map { milliseconds($0, since: runStart) } ?? "-1"
    let tags = report.tags.isEmpty ? "0" : "[\(report.tags.map(quoted).joined(separator: ","))]"
    var items = [code(report.outcome), quoted(elided(report.name, to: rowLimit)), String(report.line)]
    items += [String(report.status ?? 0), start, milliseconds(report.duration)]
    items += [String(report.attemptCount > 1 ? report.attemptCount : 0), String(report.warnings.count)]
    items += [
      code(stage: report.stage.rawValue), quoted(hops.url == report.name ? "" : elided(hops.url, to: rowLimit)),
    ]
    items += [quoted(elided(message, to: rowLimit)), tags, quoted(report.path ?? "")]
    items += [isParent ? String(report.id.number) : "0", parent.map { String($0.number) } ?? "0", hops.timings ?? "0"]
    return list(items)
  }

  /// The number by which the page knows an outcome.
  private static func code(_ outcome: RequestOutcome) -> String {
    switch outcome {
    case .passed: "0"
    case .failed: "1"
    case .transportError: "2"
    case .specError: "3"
    case .skipped: "4"
    case .notSent: "5"
    }
  }

  /// The number by which the page knows a stage.
  private static func code(stage: String) -> String {
    ["setup": "1", "teardown": "2"][stage] ?? "0"
  }

  /// A list without the items at its end that have their usual value.
  private static func list(_ items: [String]) -> String {
    let last = items.lastIndex { $0 != "0" && $0 != "\"\"" } ?? 0
    return "[\(items[...last].joined(separator: ","))]"
  }

  // MARK: details

  /// The members of the JSON report's step, and what the page shows besides.
  static func details(of report: StepReport, _ hops: HTMLHops) -> String {
    var text = json(JSONReportRecords.step.value(of: report))
    text.removeLast()
    if !hops.isEmpty { text += ",\"hops\":\(hops.heads)" }
    if hops.leftOut > 0 { text += ",\"left_out\":\(hops.leftOut)" }
    if !report.passedAssertions.isEmpty { text += ",\"passed\":\(json(passed(report.passedAssertions)))" }
    if let details = report.transfer?.details, !details.isEmpty {
      text += ",\"details\":\(json(.list(details.map { .text($0) })))"
    }
    let assertions = report.failures + report.warnings
    let places =
      [report.problem?.range] + (report.problem?.notes.map(\.range) ?? []) + assertions.map(\.range)
      + assertions.flatMap { $0.notes.map(\.range) }
    let frames = excerpts(places.compactMap(\.self))
    if !frames.isEmpty { text += ",\"excerpts\":\(json(.list(frames)))" }
    return text + "}"
  }

  private static func passed(_ assertions: [PassedAssertion]) -> Value {
    .list(
      assertions.map { assertion in
        .mapping(
          Mapping([
            ("subject", .text(assertion.subject)), ("line", .integer(assertion.range?.start.line ?? 0)),
          ]))
      })
  }

  /// The sources at places, each once.
  private static func excerpts(_ places: [SourceRange]) -> [Value] {
    var known: Set<SourceRange> = []
    return places.compactMap { place in
      guard known.insert(place).inserted, known.count <= 50, let frame = SourceFrame(place) else { return nil }
      let lines = frame.lines.map { line in Value.list([.integer(line.number)] + line.parts.map { .text($0) }) }
      return .mapping(Mapping([("place", .text(place.location)), ("lines", .list(lines))]))
    }
  }

  // MARK: the run

  /// The result of a run in a few words.
  static func headline(_ summary: RunSummary) -> String {
    let counts = summary.counts
    let failed = counts.failed + counts.transportErrors + counts.specErrors
    if failed > 0 { return "\(failed) of \(counted(counts.requests, "request")) failed" }
    if summary.unreadableFiles > 0 { return "\(counted(summary.unreadableFiles, "file")) did not run" }
    if counts.requests == 0 { return "nothing ran" }
    return counts.passed > 0 ? "\(counted(counts.passed, "request")) passed" : "no request was sent"
  }

  static func run(_ summary: RunSummary, _ leftOut: HTMLBlocks.LeftOut) -> String {
    let origin = summary.origin
    let facts = [
      ("Version", origin.version.isEmpty ? nil : "reqrun \(origin.version)"), ("Host", origin.host),
      ("Environment", origin.environment), ("Shard", origin.shard),
    ].compactMap { name, value in value.map { Value.list([.text(name), .text($0)]) } }
    var text = reportText(JSONReportRecords.run.value(of: summary))
    text.removeLast()
    text += ",\"facts\":\(reportText(.list(facts)))"
    text += ",\"left_out\":{\"bodies\":\(leftOut.bodies),\"details\":\(leftOut.details)}"
    text += ",\"unused_snapshots\":\(summary.unusedSnapshots.count)"
    let broken = summary.brokenFiles.flatMap { $0.errors.flatMap { [$0.range] + $0.notes.map(\.range) } }
    text += ",\"excerpts\":\(reportText(.list(excerpts(broken.compactMap(\.self)))))"
    text += ",\"contracts\":\(reportText(.list(summary.contracts.map(contract))))"
    if let least = summary.minCoverage { text += ",\"min_coverage\":\(least)" }
    return text + "}"
  }

  private static func contract(_ contract: ContractCoverage) -> Value {
    .mapping(
      Mapping([
        ("document", .text(contract.document)), ("unmatched", .integer(contract.unmatchedRequests)),
        ("operations", .list(contract.operations.map(operation))),
      ]))
  }

  private static func operation(_ entry: ContractCoverage.OperationCoverage) -> Value {
    .mapping(
      Mapping([
        ("method", .text(entry.operation.method)), ("path", .text(entry.operation.path)),
        ("deprecated", .bool(entry.operation.isDeprecated)), ("exercised", .bool(entry.isExercised)),
        ("responses", .integer(entry.requests)),
        ("statuses", .list(entry.statuses.map { .list([.text($0.status), .integer($0.responses)]) })),
        ("undeclared", .list(entry.undeclared.map { .list([.integer($0.status), .integer($0.responses)]) })),
      ]))
  }

  // MARK: JSON

  static func json(_ value: Value) -> String { value.jsonText().string }

  static func quoted(_ text: String) -> String { reportText(.text(text)) }

  /// A duration in milliseconds with two decimals.
  static func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    // A thousand years at most.
    let hundredths = min(max(seconds, -30_000_000_000), 30_000_000_000) * 100_000 + attoseconds / 10_000_000_000_000
    if hundredths == 0 { return "0" }
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    guard rest != 0 else { return String(whole) }
    return "\(whole < 0 || rest < 0 ? "-" : "")\(whole.magnitude).\(rest.magnitude < 10 ? "0" : "")\(rest.magnitude)"
  }

  private static func milliseconds(_ time: Timestamp, since start: Timestamp?) -> String {
    start.map { milliseconds(time.duration(since: $0)) } ?? "0"
  }
}
