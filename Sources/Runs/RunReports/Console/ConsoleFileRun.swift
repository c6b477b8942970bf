import HTTPSemantics
import RequestSpecs
import SpecExecution
import Values

/// One file's part of the console report.
struct ConsoleFileRun: FileRecorder {
  private let position: Int
  private let options: ConsoleOptions
  private let spool: OrderedSpool
  private let folding: FailureFolding
  private var groups = OpenGroups()
  private var shownTransports: Set<TransportDecision> = []
  private var drawnFailures = DrawnFailures()
  /// Indicates whether the first line of the file is written, and the section that it opens.
  private var hasHeading = false
  private var section: LogSection?
  private var skips = FoldedSkips()
  /// The hops of steps in progress.
  private var hops: [StepID: [HopReport]] = [:]

  init(position: Int, options: ConsoleOptions, spool: OrderedSpool, folding: FailureFolding) {
    (self.position, self.options, self.spool, self.folding) = (position, options, spool, folding)
  }

  mutating func receive(_ event: FileEvent, in groups: OpenGroups) {
    self.groups = groups
    switch event {
    case .started: if showsAll { writeHeading(isCollapsed: true) }
    case .groupStarted(let start): begin(start)
    case .groupFinished: write(text(of: skips.end()))
    case .hopFinished(let hop):
      // Another reporter may need hops that aren't shown here.
      guard options.detail >= .heads, !hop.isPart else { return }
      hops[hop.step, default: []].append(hop)
    case .stepFinished(let report):
      let ended = skips.add(report)
      let text = text(of: ended) + (report.isSkippedWithRest ? "" : text(of: report))
      if report.outcome.isFailure || !showsAll && !text.isEmpty { writeHeading(isCollapsed: false) }
      write(text)
    case .finished(let report):
      write(text(of: skips.end()))
      end(report)
    case .leftOut: spool.finish(position)
    case .stepStarted, .attemptStarted, .hopStarted, .attemptFinished: break
    }
  }

  // MARK: The file

  /// Indicates whether each request has a line, and each group.
  private var showsAll: Bool { options.detail > .quiet && options.layout != .compact }

  /// Writes the file's heading, unless it is there already; what failed is in a section that isn't folded.
  private mutating func writeHeading(isCollapsed: Bool) {
    let isFolded = section?.isCollapsed == true && !isCollapsed
    guard options.detail > .quiet, let file = groups.file, !hasHeading || isFolded else { return }
    hasHeading = true
    let closing = section?.closing ?? ""
    section = options.foldsFiles ? LogSection(position: position, isCollapsed: isCollapsed) : nil
    let mark = showsAll ? "" : options.style.red("✗") + " "
    var (path, rest) = title(of: file)
    path = fitted(path, beside: 2)
    rest = fitted(rest, beside: 2 + displayWidth(of: path))
    spool.write(closing + (section?.opening ?? ""), at: position)
    write("\(mark)\(options.style.bold(path))\(rest)\n")
  }

  /// The path of a file, and the rest of its heading.
  private func title(of file: FileStart) -> (path: String, rest: String) {
    let iteration = file.iteration > 1 ? " (run \(file.iteration))" : ""
    let variant = file.variant.map { " (\(elided(sanitizedForTerminal($0), to: 60)))" } ?? ""
    let name = variant + (file.name.map { ": \(sanitizedForTerminal($0))" } ?? "")
    return (sanitizedForTerminal(file.path), name + iteration)
  }

  /// Ends the file's part: in a compact report with its only line, if nothing else was said.
  private func end(_ report: FileReport) {
    if let file = groups.file, !hasHeading, options.detail > .quiet {
      let counts = report.counts
      var facts = counted(counts.requests, "request")
      if counts.skipped > 0 { facts += ", \(counts.skipped) skipped" }
      facts += "  \(roundedDurationText(report.duration))"
      let (path, rest) = title(of: file)
      let name = fitted(path + rest, beside: 4 + facts.utf8.count)
      let mark = counts.passed > 0 ? options.style.green("✓") : options.style.yellow("-")
      write("\(mark) \(name)  \(options.style.dim(facts))\n")
    }
    if let section { spool.write(section.closing, at: position) }
    spool.finish(position)
  }

  // MARK: Requests

  private mutating func begin(_ start: GroupStart) {
    write(text(of: skips.end()))
    let outer = groups.depth(of: start.parent)
    guard showsAll, start.kind != .rows, start.kind != .rounds else { return }
    let name = fitted(sanitizedForTerminal(start.name), beside: 2 + 2 * outer)
    write("\(indentation(outer))\(options.style.bold(name))\n")
  }

  private func indentation(_ depth: Int) -> String { String(repeating: "  ", count: depth + 1) }

  /// The indentation of a step's line: without the names of groups around it there is none.
  private func indentation(of report: StepReport) -> String {
    guard let group = report.group, showsAll else { return "  " }
    return indentation(groups.depth(of: group))
  }

  /// Whole lines.
  private func write(_ text: String) {
    spool.write(withoutWorkflowCommands(text), at: position)
  }

  private mutating func text(of report: StepReport) -> String {
    let style = options.style
    let isBad = report.outcome.isFailure
    guard isBad || showsAll || options.detail > .quiet && !report.warnings.isEmpty else { return "" }
    var result = line(of: report)
    result += "\n"
    if let transport = report.transport, options.detail >= .heads || options.showsTransport {
      result += transportLine(transport)
    }
    if options.detail >= .heads {
      let hops = hops.removeValue(forKey: report.id) ?? []
      result += TraceText(
        style: style, indentsJSON: options.isTerminal, showsBodies: options.detail == .bodies
      ).text(
        of: hops, AttemptText(report), report.captures)
    }
    if options.detail >= .heads {
      for group in report.skippedAssertions {
        result += wrapped("    \(style.yellow("-")) \(style.dim(sanitizedForTerminal(group.message)))\n")
      }
    }
    if let transfer = report.transfer, options.detail >= .heads || report.outcome == .notSent {
      for line in transfer.details { result += wrapped("    \(style.dim(sanitizedForTerminal(line)))\n") }
    }
    if let change = report.snapshotChange {
      let verb = change.kind == .written ? "written" : "updated"
      result += "    \(style.yellow("snapshot \(verb):")) \(sanitizedForTerminal(change.path))\n"
    }
    let command = (report.openCurlCommand ?? report.curlCommand).map {
      "    \(style.dim("try it:")) \(sanitizedForTerminal($0))\n"
    }
    let asked = options.showsCurl ? command ?? "" : ""
    guard isBad else {
      if !report.warnings.isEmpty { result += failureText.warnings(of: report) }
      return result + asked
    }
    let text = failureText
    let line = text.summary(of: report) + asked
    guard drawnFailures.add(report) else {
      folding.add(1)
      return result + line
    }
    return result
      + folding.both(
        report.message ?? "", in: position, drawn: text.text(of: report) + (command ?? ""), line: line)
  }

  /// A line for requests that were skipped for the same reason.
  private mutating func text(of skips: FoldedSkips.Group?) -> String {
    guard let skips, showsAll else { return "" }
    guard skips.count > 1, case .skipped(let reason) = skips.first.outcome else { return text(of: skips.first) }
    let style = options.style
    let text = "\(counted(skips.count, "request")) skipped: \(sanitizedForTerminal(reason))"
    return wrapped("\(indentation(of: skips.first))\(style.yellow("-")) \(style.yellow(text))\n")
  }

  private var failureText: FailureText {
    // Indented by four columns.
    let width = options.width.map { $0 - 4 }
    let style = options.style
    return FailureText(
      renderer: DiagnosticRenderer(style: style.isColored ? .colored : .plain, width: width), style: style)
  }

  /// The transport with the reason: if it was explicitly chosen, or isn't the usual one; each once per file.
  private mutating func transportLine(_ decision: TransportDecision) -> String {
    guard options.showsTransport || !decision.isUsual,
      shownTransports.insert(decision).inserted
    else { return "" }
    let text = "transport: \(decision.kind.rawValue) (\(decision.reason))"
    return wrapped("    \(options.style.dim(sanitizedForTerminal(text)))\n")
  }

  private func line(of report: StepReport) -> String {
    let style = options.style
    let stage = report.stage == .requests ? "" : "[\(report.stage.rawValue)] "
    let end: String
    switch report.outcome {
    case .skipped(let reason): end = "skipped: \(sanitizedForTerminal(reason))"
    case .notSent: end = ""
    default: end = facts(report)
    }
    let indentation = indentation(of: report)
    let wholeName = showsAll ? report.name : groups.name(of: report)
    let name = fitted(
      sanitizedForTerminal(wholeName),
      beside: indentation.utf8.count + 2 + stage.utf8.count + 2 + displayWidth(of: end))
    switch report.outcome {
    case .passed:
      // Nearly every line: concatenated, since interpolation is slower.
      var line = indentation
      line.reserveCapacity(name.utf8.count + 32)
      line += style.green("✓")
      line += " "
      line += style.dim(stage)
      line += name
      line += "  "
      line += style.dim(end)
      return line
    case .notSent: return "\(indentation)\(style.dim("·")) \(style.dim(stage))\(name)"
    case .skipped:
      return wrapped("\(indentation)\(style.yellow("-")) \(style.dim(stage))\(name)  \(style.yellow(end))")
    default:
      return "\(indentation)\(style.red("✗")) \(style.dim(stage))\(name)" + (end.isEmpty ? "" : "  \(style.dim(end))")
    }
  }

  private func wrapped(_ text: String) -> String { RunReports.wrapped(text, to: options.width) }

  /// A name shortened so that it fits one line with the text beside it, if the width is known.
  private func fitted(_ name: String, beside taken: Int) -> String {
    guard let width = options.width else { return name }
    return elided(name, to: max(20, width - taken))
  }

  private func facts(_ report: StepReport) -> String {
    var facts: [String] = []
    if let status = report.status { facts.append(String(status)) }
    if report.duration > .zero { facts.append(roundedDurationText(report.duration)) }
    if report.roundCount > 1 { facts.append(counted(report.roundCount, "round")) }
    if report.attemptCount > max(1, report.roundCount) { facts.append(counted(report.attemptCount, "attempt")) }
    if let transfer = report.transfer { facts.append(sanitizedForTerminal(transfer.summary)) }
    let skipped = report.skippedAssertions.reduce(0) { $0 + $1.subjects.count }
    if skipped > 0 { facts.append("\(counted(skipped, "assertion")) skipped") }
    return facts.joined(separator: "  ")
  }
}
