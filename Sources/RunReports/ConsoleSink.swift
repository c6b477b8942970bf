import Diagnostics
import RunPlanning
import SpecExecution
import Synchronization

/// One file's part of the console report.
final class ConsoleSink: FileEventSink {
  private let position: Int
  private let options: ConsoleOptions
  private let spool: OrderedSpool
  private let shownTransport = Mutex<TransportDecision?>(nil)

  init(position: Int, options: ConsoleOptions, spool: OrderedSpool) {
    self.position = position
    self.options = options
    self.spool = spool
  }

  func receive(_ event: FileEvent) async {
    switch event {
    case .started(let start):
      guard options.detail > .quiet else { return }
      let iteration = start.iteration > 1 ? " (run \(start.iteration))" : ""
      let name = start.name.map { ": \(sanitizedForTerminal($0))" } ?? ""
      spool.write("\(options.style.bold(start.path))\(name)\(iteration)\n", at: position)
    case .requestFinished(let report): spool.write(text(of: report), at: position)
    case .finished, .leftOut: spool.finish(position)
    }
  }

  private func text(of report: RequestReport) -> String {
    let style = options.style
    let isBad = report.outcome.isFailure
    guard isBad || options.detail > .quiet else { return "" }
    var result = line(of: report) + "\n"
    if options.detail >= .heads || options.showsTransport { result += transportLine(report.transport) }
    result += TraceText(style: style).text(of: report)
    if let change = report.snapshotChange {
      let verb = change.kind == .written ? "written" : "updated"
      result += "    \(style.yellow("snapshot \(verb):")) \(sanitizedForTerminal(change.path))\n"
    }
    if isBad {
      // Set in by four columns.
      let width = options.width.map { $0 - 4 }
      let renderer = DiagnosticRenderer(style: style.isColored ? .colored : .plain, width: width)
      result += FailureText(renderer: renderer, style: style).text(of: report)
    }
    if let command = report.curlCommand, isBad || options.showsCurl {
      result += "    \(style.dim("try it:")) \(command)\n"
    }
    return result
  }

  /// Which transport and why; only where that changes within the file.
  private func transportLine(_ decision: TransportDecision) -> String {
    let isNew = shownTransport.withLock { shown in
      defer { shown = decision }
      return shown != decision
    }
    guard isNew else { return "" }
    let text = "transport: \(decision.kind.rawValue) (\(decision.reason))"
    return "    \(options.style.dim(sanitizedForTerminal(text)))\n"
  }

  private func line(of report: RequestReport) -> String {
    let style = options.style
    let stage = report.stage == .requests ? "" : "[\(report.stage.rawValue)] "
    let end: String
    switch report.outcome {
    case .skipped(let reason): end = "skipped: \(sanitizedForTerminal(reason))"
    case .notSent: end = ""
    default: end = facts(report)
    }
    let name = fitted(sanitizedForTerminal(report.name), beside: 4 + stage.utf8.count + 2 + displayWidth(of: end))
    switch report.outcome {
    case .passed: return "  \(style.green("✓")) \(style.dim(stage))\(name)  \(style.dim(end))"
    case .notSent: return "  \(style.dim("·")) \(style.dim(stage))\(name)"
    case .skipped: return "  \(style.yellow("-")) \(style.dim(stage))\(name)  \(style.yellow(end))"
    default: return "  \(style.red("✗")) \(style.dim(stage))\(name)" + (end.isEmpty ? "" : "  \(style.dim(end))")
    }
  }

  /// A name cut so that it and what stands beside it fill one line, where the width is known.
  private func fitted(_ name: String, beside taken: Int) -> String {
    guard let width = options.width else { return name }
    return elided(name, to: max(20, width - taken))
  }

  private func facts(_ report: RequestReport) -> String {
    var facts: [String] = []
    if let status = report.status { facts.append(String(status)) }
    if report.duration > .zero { facts.append(roundedDurationText(report.duration)) }
    return facts.joined(separator: "  ")
  }
}
