import Diagnostics
import RequestSpecs
import SpecExecution

/// What the console shows of a run.
package struct ConsoleOptions: Sendable {
  package enum Detail: Int, Sendable, Comparable {
    /// Failures and the summary alone.
    case quiet
    /// A line per request.
    case normal
    /// And what was sent and received, without bodies.
    case heads
    case bodies

    package static func < (left: Detail, right: Detail) -> Bool { left.rawValue < right.rawValue }
  }

  package var detail = Detail.normal
  package var style = ConsoleStyle(isColored: false)
  package var width: Int?
  /// `--curl`: each request as a curl command.
  package var showsCurl = false

  package init() {}
}

/// The report for people, on a terminal or in a CI log.
package final class ConsoleReport: RunReport {
  private let options: ConsoleOptions
  private let spool: OrderedSpool
  private let output: @Sendable ([UInt8]) -> Void

  package init(options: ConsoleOptions, output: @escaping @Sendable ([UInt8]) -> Void) {
    self.options = options
    self.output = output
    spool = OrderedSpool(output: output)
  }

  package func sink(at position: Int) -> any FileEventSink {
    ConsoleSink(position: position, options: options, spool: spool)
  }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    output(Array(summaryText(summary).utf8))
  }

  private func summaryText(_ summary: RunSummary) -> String {
    let counts = summary.counts
    let style = options.style
    var parts: [String] = []
    if counts.passed > 0 { parts.append(style.green("\(counts.passed) passed")) }
    if counts.failed > 0 { parts.append(style.red("\(counts.failed) failed")) }
    if counts.transportErrors > 0 { parts.append(style.red("\(counts.transportErrors) without an answer")) }
    if counts.specErrors > 0 { parts.append(style.red("\(counts.specErrors) with a spec error")) }
    if counts.skipped > 0 { parts.append(style.yellow("\(counts.skipped) skipped")) }
    var text = options.detail == .quiet && counts.isGood ? "" : "\n"
    text += "\(count(counts.requests, "request")) in \(count(summary.files, "file")): "
    text += parts.isEmpty ? "nothing was sent" : parts.joined(separator: ", ")
    text += " · " + count(counts.assertions, "assertion")
    if counts.failedAssertions > 0 { text += ", \(style.red("\(counts.failedAssertions) failed"))" }
    text += " · \(durationText(summary.duration))\n"
    if summary.unreadableFiles > 0 {
      text += style.red("\(count(summary.unreadableFiles, "file")) could not be read: see the errors above") + "\n"
    }
    if summary.interruptedBy != nil { text += style.yellow("the run was interrupted") + "\n" }
    return text
  }
}

/// One file's part of the console report.
private struct ConsoleSink: FileEventSink {
  let position: Int
  let options: ConsoleOptions
  let spool: OrderedSpool

  func receive(_ event: FileEvent) async {
    switch event {
    case .started(let start):
      guard options.detail > .quiet else { return }
      let iteration = start.iteration > 1 ? " (run \(start.iteration))" : ""
      let name = start.name.map { ": \(sanitizedForTerminal($0))" } ?? ""
      spool.write("\(options.style.bold(start.path))\(name)\(iteration)\n", at: position)
    case .requestFinished(let report): spool.write(text(of: report), at: position)
    case .finished: spool.finish(position)
    }
  }

  private func text(of report: RequestReport) -> String {
    let style = options.style
    let isBad =
      switch report.outcome {
      case .passed, .skipped: false
      default: true
      }
    guard isBad || options.detail > .quiet else { return "" }
    var result = line(of: report) + "\n"
    if options.detail >= .heads {
      result += "    \(style.dim("transport: \(report.transport.kind.rawValue) (\(report.transport.reason))"))\n"
      result += TraceText(style: style).text(of: report)
    }
    let renderer = DiagnosticRenderer(style: style.isColored ? .colored : .plain, width: options.width)
    result += FailureText(renderer: renderer, style: style).text(of: report)
    if let command = report.curlCommand, isBad || options.showsCurl {
      result += "    \(style.dim("try it:")) \(command)\n"
    }
    return result
  }

  private func line(of report: RequestReport) -> String {
    let style = options.style
    let name = sanitizedForTerminal(report.name)
    let stage = report.stage == .requests ? "" : style.dim("[\(report.stage.rawValue)] ")
    switch report.outcome {
    case .passed: return "  \(style.green("✓")) \(stage)\(name)\(facts(report))"
    case .skipped(let reason):
      return "  \(style.yellow("-")) \(stage)\(name)  \(style.yellow("skipped: \(sanitizedForTerminal(reason))"))"
    default: return "  \(style.red("✗")) \(stage)\(name)\(facts(report))"
    }
  }

  private func facts(_ report: RequestReport) -> String {
    var facts = ""
    if let status = report.status { facts += "  \(status)" }
    if report.duration > .zero { facts += "  \(durationText(report.duration))" }
    return options.style.dim(facts)
  }
}
