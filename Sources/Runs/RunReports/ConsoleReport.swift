import Diagnostics
import HTTPMessages
import RunEvents
import SpecExecution
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

  package var detail = Detail.normal
  package var style = ConsoleStyle(isColored: false)
  package var width: Int?
  /// `--curl`: each request as a curl command.
  package var showsCurl = false
  /// `--show-secrets`: these commands with their secrets.
  package var showsSecrets = false
  /// Indicates whether the output is a terminal for a person.
  package var isTerminal = false
  /// `--dry-run`: the transport of each request, with the reason.
  package var showsTransport = false

  package init() {}
}

/// The report for people, on a terminal or in a CI log.
package final class ConsoleReport: Reporter {
  private let options: ConsoleOptions
  private let spool: OrderedSpool
  private let output: @Sendable ([UInt8]) -> Void
  private let errorOutput: @Sendable ([UInt8]) -> Void
  private let failures = FailureList()

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
    spool = OrderedSpool(output: output)
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

  package func sink(at position: Int) -> (any FileEventSink)? {
    ConsoleSink(position: position, options: options, spool: spool, failures: failures)
  }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    guard summary.start != nil else { return }
    let text = failures.text(options.style, width: options.width) + summaryText(summary)
    output(Array(withoutWorkflowCommands(text).utf8))
  }

  private func summaryText(_ summary: RunSummary) -> String {
    let counts = summary.counts
    let style = options.style
    var parts: [String] = []
    if counts.passed > 0 { parts.append(style.green("\(counts.passed) passed")) }
    if counts.failed > 0 { parts.append(style.red("\(counts.failed) failed")) }
    if counts.transportErrors > 0 { parts.append(style.red("\(counts.transportErrors) without a whole response")) }
    if counts.specErrors > 0 { parts.append(style.red("\(counts.specErrors) with a spec error")) }
    if counts.notSent > 0 { parts.append("\(counts.notSent) not sent") }
    if counts.skipped > 0 { parts.append(style.yellow("\(counts.skipped) skipped")) }
    var text = options.detail == .quiet && counts.isGood ? "" : "\n"
    text += "\(counted(counts.requests, "request")) in \(counted(summary.files, "file")): "
    text += parts.isEmpty ? "nothing was sent" : parts.joined(separator: ", ")
    text += " · " + counted(counts.assertions, "assertion")
    if counts.failedAssertions > 0 { text += ", \(style.red("\(counts.failedAssertions) failed"))" }
    if counts.warnings > 0 { text += " · " + style.yellow(counted(counts.warnings, "warning")) }
    text += " · \(roundedDurationText(summary.duration))\n"
    text += CoverageText.summary(summary, style: style, isQuiet: options.detail == .quiet)
    if summary.unreadableFiles > 0 {
      text +=
        style.red(
          "\(counted(summary.unreadableFiles, "file")) \(summary.unreadableFiles == 1 ? "has" : "have") errors and did not run"
        ) + "\n"
    }
    if let longest = summary.exceededTime {
      text += style.red("the run was ended after \(roundedDurationText(longest)) (--max-time)") + "\n"
    }
    text += snapshotText(summary)
    if summary.interruptedBy != nil { text += style.yellow("the run was interrupted") + "\n" }
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
