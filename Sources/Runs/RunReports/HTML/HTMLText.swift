import RequestSpecs
import SpecExecution
import Values

/// The JSON texts of the HTML report. `Page/model.js` reads the rows, `Page/request.js` the details.
enum HTMLText {
  /// The longest texts in a row, in columns.
  private static let rowLimit = 300

  // MARK: rows

  static func row(of start: FileStart, _ runStart: Timestamp?) -> [UInt8] {
    list([
      "\"f\"", quoted(start.path), quoted(start.name ?? ""), String(start.iteration), quoted(start.variant ?? ""),
      milliseconds(start.time, since: runStart),
    ])
  }

  static func row(of start: GroupStart, _ runStart: Timestamp?) -> [UInt8] {
    list([
      "\"g\"", quoted(start.kind.rawValue), quoted(elided(start.name, to: rowLimit)), String(start.line),
      code(stage: start.stage.rawValue), milliseconds(start.time, since: runStart),
    ])
  }

  /// The row that ends a group or a file.
  static func end(_ duration: Duration) -> [UInt8] { Array("[\"/\",\(milliseconds(duration))]".utf8) }

  /// - Parameters:
  ///   - parent: the step that contains this one.
  ///   - isParent: whether this step contains others.
  static func row(
    of report: StepReport, _ hops: HTMLHops, _ runStart: Timestamp?, parent: StepID?, isParent: Bool
  ) -> [UInt8] {
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
  private static func list(_ items: [String]) -> [UInt8] {
    let last = items.lastIndex { $0 != "0" && $0 != "\"\"" } ?? 0
    return Array("[\(items[...last].joined(separator: ","))]".utf8)
  }

  // MARK: details

  /// The step of the JSON report.
  static func details(of report: StepReport, _ hops: HTMLHops) -> [UInt8] {
    var line = JSONLine()
    line.beginObject()
    JSONReportRecords.step.writeMembers(of: report, to: &line)
    if !hops.isEmpty { line.append(hops.hops, as: "hops") }
    if hops.leftOut > 0 { line.append(hops.leftOut, as: "more_hops") }
    line.endObject()
    return line.bytes
  }

  // MARK: the run

  /// The result of a run in a few words.
  static func headline(_ summary: RunSummary) -> String {
    let counts = summary.counts
    let failed = counts.allFailed
    if failed > 0 { return "\(failed) of \(counted(counts.requests, "request")) failed" }
    if summary.unreadableFiles > 0 { return "\(counted(summary.unreadableFiles, "file")) did not run" }
    if counts.requests == 0 { return "nothing ran" }
    return counts.passed > 0 ? "\(counted(counts.passed, "request")) passed" : "no request was sent"
  }

  /// The members of the JSON report before its files, and what the page has besides.
  static func run(_ summary: RunSummary, _ leftOut: HTMLBlocks.LeftOut) -> [UInt8] {
    var line = JSONLine()
    line.beginObject()
    JSONReportRecords.run.writeMembers(of: summary, to: &line)
    line.next("left_out")
    line.beginObject()
    line.append(leftOut.bodies, as: "bodies")
    line.append(leftOut.details, as: "details")
    line.endObject()
    line.endObject()
    return line.bytes
  }

  // MARK: JSON

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
