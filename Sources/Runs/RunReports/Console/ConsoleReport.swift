import HTTPSemantics
import SpecExecution
import Synchronization
import Values

package struct ConsoleOptions: Sendable {
  package enum Detail: Int, Sendable, Comparable {
    /// Failures, and the summary.
    case quiet
    /// A line per request.
    case normal
    /// The heads that were sent and received, too.
    case heads
    case bodies

    package static func < (left: Detail, right: Detail) -> Bool { left.rawValue < right.rawValue }
  }

  package enum Layout: Sendable {
    /// A line per request.
    case full
    /// A line per file, and the requests that failed.
    case compact
  }

  package var detail = Detail.normal
  /// Nil for a compact report of many requests: more than fill the terminal, or fifty elsewhere.
  package var layout: Layout?
  /// The number of slowest requests that are listed at the end.
  package var slowestCount = 0
  /// Indicates whether the output of each file is a section that GitLab can fold.
  package var foldsFiles = false
  package var style = ConsoleStyle(isColored: false)
  package var width: Int?
  /// The number of lines of the terminal.
  package var height: Int?
  /// `--curl`: each request as a curl command.
  package var showsCurl = false
  /// `--show-secrets`: these commands with their secrets.
  package var showsSecrets = false
  /// Indicates whether the output is a terminal for a person.
  package var isTerminal = false
  /// `--dry-run`: the transport of each request, with the reason.
  package var showsTransport = false

  package init() {}

  /// The number of requests up to which each has a line; nil if something was asked for that each has.
  fileprivate var listedRequests: Int? {
    guard detail <= .normal, !showsCurl, !showsTransport else { return nil }
    return isTerminal ? height : 50
  }
}

/// The report for people, on a terminal or in a CI log.
package final class ConsoleReport: Reporter {
  private let options: ConsoleOptions
  private let spool: OrderedSpool
  private let folding: FailureFolding
  private let output: @Sendable ([UInt8]) -> Void
  private let errorOutput: @Sendable ([UInt8]) -> Void
  private let failures = ProblemDigest<Void>(ofFailures: FailureList.limit) { _ in }
  private let slowest: SlowestRequests?
  private let layout = Mutex(ConsoleOptions.Layout.full)

  /// - Parameters:
  ///   - output: takes the report, in order.
  ///   - errorOutput: takes diagnostics.
  package init(
    options: ConsoleOptions, output: @escaping @Sendable ([UInt8]) -> Void,
    errorOutput: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.errorOutput = errorOutput
    self.options = options
    self.output = output
    let folding = FailureFolding()
    self.folding = folding
    spool = OrderedSpool { output(folding.resolve($0)) }
    slowest = options.slowestCount > 0 ? SlowestRequests(limit: options.slowestCount) : nil
  }

  package var needs: ReportNeeds {
    var needs: ReportNeeds = []
    if options.detail >= .heads { needs.formUnion([.hops, .captures]) }
    if options.detail == .bodies { needs.insert(.bodyBeginnings) }
    if options.showsCurl { needs.insert(.curlCommands) }
    if options.showsSecrets { needs.insert(.openCurlCommands) }
    return needs
  }

  package func receive(_ diagnostics: [Diagnostic]) {
    errorOutput(
      Array(DiagnosticDigest(diagnostics).text(isColored: options.style.isColored, width: options.width).utf8))
  }

  package func start(_ run: RunStart) {
    let isCompact = options.listedRequests.map { run.requests > $0 } ?? false
    layout.withLock { $0 = options.layout ?? (isCompact ? .compact : .full) }
  }

  package func sink(at position: Int) -> (any FileEventSink)? {
    var options = options
    options.layout = layout.withLock { $0 }
    let run = ConsoleFileRun(position: position, options: options, spool: spool, folding: folding)
    return SinkGroup([failures.sink(), RecordingSink(run)] + (slowest.map { [$0.sink()] } ?? []))
  }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    guard summary.start != nil else { return }
    failures.add(summary.brokenFiles) { _ in }
    let list = FailureList(style: options.style, width: options.width)
    let text =
      list.text(ofWarnings: summary.warnings) + list.text(failures)
      + wrapped(summaryText(summary), to: options.width)
    output(Array(withoutWorkflowCommands(text).utf8))
  }

  private func summaryText(_ summary: RunSummary) -> String {
    let style = options.style
    let numbers = SummaryText(summary: summary, style: style)
    var text = options.detail == .quiet && summary.counts.isGood && summary.warnings.isEmpty ? "" : "\n"
    if folding.count > 0 {
      let (count, all) = (folding.count, folding.count == 1 ? "it" : "them")
      let advice = "\(counted(count, "failure")) in one line each: `--report junit=PATH` has all of \(all)"
      text += style.dim(advice) + "\n\n"
    }
    if let slowest = slowest?.text(style), !slowest.isEmpty { text += slowest + "\n" }
    text += numbers.line + "\n"
    text += CoverageText.summary(summary, style: style, isQuiet: options.detail == .quiet)
    text += snapshotText(summary)
    for line in numbers.shortfalls { text += line + "\n" }
    return text
  }

  /// The changes of snapshots; empty if none was stored and all are used.
  private func snapshotText(_ summary: RunSummary) -> String {
    let counts = summary.counts
    let unused = summary.unusedSnapshots
    let remnant = summary.prunesSnapshots ? "removed" : "unused"
    var parts: [String] = []
    if counts.snapshotsWritten > 0 { parts.append("\(counts.snapshotsWritten) written") }
    if counts.snapshotsUpdated > 0 { parts.append("\(counts.snapshotsUpdated) updated") }
    if !unused.isEmpty { parts.append(options.style.yellow("\(unused.count) \(remnant)")) }
    if parts.isEmpty { return "" }
    var text = "snapshots: \(parts.joined(separator: ", "))\n"
    for path in unused { text += "  \(remnant): \(sanitizedForTerminal(path))\n" }
    if !unused.isEmpty, !summary.prunesSnapshots { text += "  --prune removes what is unused\n" }
    return text
  }
}
