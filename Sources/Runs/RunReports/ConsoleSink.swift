import Diagnostics
import HTTPMessages
import RunEvents
import RunPlanning
import SpecExecution
import Synchronization
import Values

/// One file's part of the console report.
final class ConsoleSink: FileEventSink {
  private let position: Int
  private let options: ConsoleOptions
  private let spool: OrderedSpool
  private let failures: ProblemSink<Void>
  private let folding: FailureFolding
  private let shownTransports = Mutex<Set<TransportDecision>>([])
  private let drawnFailures = Mutex(DrawnFailures())
  private let heading = Mutex(Heading())
  private let skips = Mutex(FoldedSkips())
  private let groups = Mutex(OpenGroups())
  /// The hops of steps in progress.
  private let hops = Mutex<[StepID: [HopReport]]>([:])

  init(
    position: Int, options: ConsoleOptions, spool: OrderedSpool, failures: ProblemSink<Void>,
    folding: FailureFolding
  ) {
    self.folding = folding
    self.position = position
    self.options = options
    self.spool = spool
    self.failures = failures
  }

  func receive(_ event: FileEvent) {
    failures.receive(event)
    switch event {
    case .started(let start):
      heading.withLock { $0.file = start }
      if showsAll { writeHeading(isCollapsed: true) }
    case .groupStarted(let start): begin(start)
    case .groupFinished(let report):
      write(text(of: skips.withLock { $0.end() }))
      groups.withLock { $0.close(report) }
    case .hopFinished(let hop):
      // Another reporter may need hops that aren't shown here.
      guard options.detail >= .heads, !hop.isPart else { return }
      hops.withLock { $0[hop.step, default: []].append(hop) }
    case .stepFinished(let report):
      let ended = skips.withLock { $0.add(report) }
      let text = text(of: ended) + (report.isSkippedWithRest ? "" : text(of: report))
      if report.outcome.isFailure || !showsAll && !text.isEmpty { writeHeading(isCollapsed: false) }
      write(text)
    case .finished(let report):
      write(text(of: skips.withLock { $0.end() }))
      end(report)
    case .leftOut: spool.finish(position)
    case .stepStarted, .attemptStarted, .hopStarted, .attemptFinished: break
    }
  }

  // MARK: The file

  /// The first line of a file, and the section that it opens.
  private struct Heading {
    var file: FileStart?
    var isShown = false
    var section: LogSection?
  }

  /// Indicates whether each request has a line, and each group.
  private var showsAll: Bool { options.detail > .quiet && options.layout != .compact }

  /// Writes the file's heading, unless it is there already; what failed is in a section that isn't folded.
  private func writeHeading(isCollapsed: Bool) {
    guard options.detail > .quiet else { return }
    let text = heading.withLock { heading -> String? in
      guard let file = heading.file else { return nil }
      let isFolded = heading.section?.isCollapsed == true && !isCollapsed
      guard !heading.isShown || isFolded else { return nil }
      heading.isShown = true
      let closing = heading.section?.closing ?? ""
      heading.section = options.foldsFiles ? LogSection(position: position, isCollapsed: isCollapsed) : nil
      let mark = showsAll ? "" : options.style.red("✗") + " "
      var (path, rest) = title(of: file)
      path = fitted(path, beside: 2)
      rest = fitted(rest, beside: 2 + displayWidth(of: path))
      return closing + (heading.section?.opening ?? "")
        + withoutWorkflowCommands("\(mark)\(options.style.bold(path))\(rest)\n")
    }
    if let text { spool.write(text, at: position) }
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
    let (file, isShown, section) = heading.withLock { ($0.file, $0.isShown, $0.section) }
    if let file, !isShown, options.detail > .quiet {
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

  private func begin(_ start: GroupStart) {
    write(text(of: skips.withLock { $0.end() }))
    let outer = groups.withLock { groups in
      groups.open(start)
      return groups.depth(of: start.parent)
    }
    guard showsAll, start.kind != .rows, start.kind != .rounds else { return }
    let name = fitted(sanitizedForTerminal(start.name), beside: 2 + 2 * outer)
    write("\(indentation(outer))\(options.style.bold(name))\n")
  }

  private func indentation(_ depth: Int) -> String { String(repeating: "  ", count: depth + 1) }

  /// The indentation of a step's line: without the names of groups around it there is none.
  private func indentation(of report: StepReport) -> String {
    guard let group = report.group, showsAll else { return "  " }
    return indentation(groups.withLock { $0.depth(of: group) })
  }

  /// Whole lines.
  private func write(_ text: String) {
    spool.write(withoutWorkflowCommands(text), at: position)
  }

  private func text(of report: StepReport) -> String {
    let style = options.style
    let isBad = report.outcome.isFailure
    guard isBad || showsAll || options.detail > .quiet && !report.warnings.isEmpty else { return "" }
    var result = line(of: report)
    result += "\n"
    if let transport = report.transport, options.detail >= .heads || options.showsTransport {
      result += transportLine(transport)
    }
    if options.detail >= .heads {
      let hops = hops.withLock { $0.removeValue(forKey: report.id) } ?? []
      result += TraceText(
        style: style, indentsJSON: options.isTerminal, showsBodies: options.detail == .bodies
      ).text(
        of: hops, AttemptText(report), report.captures)
    }
    if options.detail >= .heads, let transfer = report.transfer {
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
    guard drawnFailures.withLock({ $0.add(report) }) else {
      folding.add(1)
      return result + line
    }
    return result
      + folding.both(
        report.message ?? "", in: position, drawn: text.text(of: report) + (command ?? ""), line: line)
  }

  /// A line for requests that were skipped for the same reason.
  private func text(of skips: FoldedSkips.Group?) -> String {
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
  private func transportLine(_ decision: TransportDecision) -> String {
    guard options.showsTransport || !decision.isUsual,
      shownTransports.withLock({ $0.insert(decision).inserted })
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
    let wholeName = showsAll ? report.name : groups.withLock { $0.name(of: report) }
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
    return facts.joined(separator: "  ")
  }
}

/// Groups requests that are skipped after one failure.
private struct FoldedSkips {
  struct Group {
    let first: StepReport
    var count = 1
  }

  private var group: Group?

  /// - Returns: the previous group, once another reason or none follows.
  mutating func add(_ report: StepReport) -> Group? {
    guard report.isSkippedWithRest else { return end() }
    if let first = group?.first, first.outcome == report.outcome, first.stage == report.stage {
      group?.count += 1
      return nil
    }
    defer { group = Group(first: report) }
    return group
  }

  mutating func end() -> Group? {
    defer { group = nil }
    return group
  }
}

/// Limits the failures of a file that are drawn completely: many of the same kind, or very many, would hide everything
/// else.
private struct DrawnFailures {
  private static let limit = 100
  private static let limitOfKind = 3

  private var counts: [[SourcePosition?]: Int] = [:]
  private var drawn = 0

  /// Adds a request's failures; returns whether they should be drawn.
  mutating func add(_ report: StepReport) -> Bool {
    let places = report.failures.map(\.range) + [report.problem?.range]
    let kind = places.prefix(20).map { $0?.start }
    if drawn < DrawnFailures.limit, counts[kind, default: 0] < DrawnFailures.limitOfKind {
      counts[kind, default: 0] += 1
      drawn += 1
      return true
    }
    return false
  }
}
