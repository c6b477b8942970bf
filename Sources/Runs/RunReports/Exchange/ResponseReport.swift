import HTTPSemantics
import SpecExecution
import Synchronization
import Values

/// The options of the report of `send`.
package struct ResponseOptions: Sendable {
  /// The parts of an exchange that are printed.
  package struct Parts: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let requestHead = Parts(rawValue: 1)
    package static let requestBody = Parts(rawValue: 2)
    package static let responseHead = Parts(rawValue: 4)
    package static let responseBody = Parts(rawValue: 8)
    /// Times, sizes and addresses.
    package static let measures = Parts(rawValue: 16)

    /// The letters that stand for parts.
    package static let letters: KeyValuePairs<Character, Parts> = [
      "H": .requestHead, "B": .requestBody, "h": .responseHead, "b": .responseBody, "m": .measures,
    ]
  }

  package var parts: Parts = [.responseHead, .responseBody]
  /// Indicates whether redirects, challenges and attempts are printed, too.
  package var showsAllHops = false
  /// Indicates whether JSON and markup are indented.
  package var isFormatted = false
  /// Indicates whether the output goes to a terminal, on which secrets, control characters and binary data aren't shown.
  package var isTerminal = false
  package var style = ConsoleStyle(isColored: false)
  package var errorStyle = ConsoleStyle(isColored: false)
  package var width: Int?
  /// The part of the body that is printed in its place.
  package var query: ResponseQuery?
  /// Indicates whether nothing is sent.
  package var isOffline = false
  /// Indicates whether the request is printed as a curl command, in place of everything else.
  package var showsCurl = false
  package var showsSecrets = false
  /// Indicates whether the phases are drawn.
  package var showsTiming = false
  /// Prints the response while it arrives; nil to print it once it is there.
  package var live: LiveResponse?

  package init() {}
}

/// The report of `send`: the one exchange as it was, for people or for the next program.
package final class ResponseReport: Reporter {
  private let options: ResponseOptions
  private let output: @Sendable ([UInt8]) -> Void
  private let errorOutput: @Sendable ([UInt8]) -> Void

  /// - Parameters:
  ///   - output: takes the exchange.
  ///   - errorOutput: takes diagnostics and failures.
  package init(
    options: ResponseOptions, output: @escaping @Sendable ([UInt8]) -> Void,
    errorOutput: @escaping @Sendable ([UInt8]) -> Void
  ) {
    (self.options, self.output, self.errorOutput) = (options, output, errorOutput)
  }

  package var needs: ReportNeeds {
    if options.showsCurl { return options.showsSecrets ? [.curlCommands, .openCurlCommands] : [.curlCommands] }
    var needs: ReportNeeds = [.hops]
    if options.parts.contains(.requestBody) { needs.insert(.bodies) }
    if options.parts.contains(.responseBody), options.live == nil { needs.formUnion([.bodies, .openBodies]) }
    if options.isOffline { needs.insert(.unsentHops) }
    return needs
  }

  package func receive(_ diagnostics: [Diagnostic]) {
    let text = DiagnosticDigest(diagnostics).text(isColored: options.errorStyle.isColored, width: options.width)
    errorOutput(Array(text.utf8))
  }

  package func sink(at position: Int) -> (any FileEventSink)? {
    RecordingSink(ReportedExchange(options: options, output: output, errorOutput: errorOutput))
  }
}

private struct ReportedExchange: FileRecorder {
  let options: ResponseOptions
  let output: @Sendable ([UInt8]) -> Void
  let errorOutput: @Sendable ([UInt8]) -> Void
  /// The hops of steps in progress.
  var hops: [StepID: [HopReport]] = [:]

  mutating func receive(_ event: FileEvent, in groups: OpenGroups) {
    switch event {
    case .hopFinished(let hop): hops[hop.step, default: []].append(hop)
    case .stepFinished(let report):
      let hops = hops.removeValue(forKey: report.id) ?? []
      // A token that it gets is a step within the request.
      if report.parent == nil { write(report, hops) }
    default: break
    }
  }

  private func write(_ report: StepReport, _ hops: [HopReport]) {
    if options.showsCurl {
      if let command = report.openCurlCommand ?? report.curlCommand {
        output(Array("\(sanitizedForTerminal(command, keepingLineBreaks: true))\n".utf8))
      }
    } else {
      options.live?.end()
      let shown = options.showsAllHops && options.live == nil ? hops[...] : hops.suffix(1)
      // The rest was printed while it arrived.
      var rest = options
      if options.live != nil { rest.parts.formIntersection(.measures) }
      var writer = ExchangeWriter(options: rest, output: output)
      for hop in shown { writer.write(hop) }
      if report.outcome == .notSent, let transfer = report.transfer { writer.write(unsent: transfer) }
      writer.end()
      // Not a part of what the next program in a pipe gets.
      for timings in shown.compactMap(\.timings) where options.showsTiming {
        note(WaterfallText(style: options.errorStyle, width: options.width).text(of: timings))
      }
    }
    if let transfer = report.transfer, !report.outcome.isFailure, report.outcome != .notSent, options.live == nil {
      note("\(sanitizedForTerminal(transfer.summary))\n")
    }
    guard report.outcome.isFailure || !report.warnings.isEmpty else {
      if case .skipped(let reason) = report.outcome { note("\(sanitizedForTerminal(reason))\n") }
      return
    }
    let style = options.errorStyle
    let renderer = DiagnosticRenderer(style: style.isColored ? .colored : .plain, width: options.width)
    if let problem = report.problem {
      // A failure of the network has no place in what was typed.
      let place = report.outcome == .transportError ? nil : problem.range
      note(
        renderer.render(
          Diagnostic(problem.severity, nil, problem.message, at: place, notes: problem.notes, help: problem.help))
          + "\n")
    }
    for failure in report.failures { note(renderer.render(diagnostic(.error, failure)) + "\n") }
    for warning in report.warnings { note(renderer.render(diagnostic(.warning, warning)) + "\n") }
  }

  /// An assertion without its place: it wasn't typed as it stands in the spec.
  private func diagnostic(_ severity: Severity, _ report: AssertionReport) -> Diagnostic {
    let hint = report.mismatch.hint?.split(separator: "\n").first.map(String.init)
    guard options.query != nil, report.subject.hasPrefix("capture") else {
      return Diagnostic(severity, nil, report.message, at: nil, notes: [], help: hint)
    }
    // The capture that stands for the query.
    let reason = report.mismatch.actual == "nothing" ? "" : ": \(report.mismatch.actual)"
    var help = hint.flatMap { $0.contains("default") ? nil : $0 }
    if help == nil, reason.contains("read as XML"), case .markup(let path)? = options.query,
      !path.text.contains(where: { "/(@'".contains($0) })
    {
      help = "a member of JSON is selected by `$.\(path.text)`"
    }
    return Diagnostic(severity, nil, "the query selects nothing\(reason)", at: nil, notes: [], help: help)
  }

  private func note(_ text: String) { errorOutput(Array(withoutWorkflowCommands(text).utf8)) }
}

/// The last response of the one request of `send`.
package final class LastResponse: Reporter, FileEventSink {
  private let hop = Mutex<HopReport?>(nil)

  package init() {}

  package var needs: ReportNeeds { [.hops, .bodies] }

  package func sink(at position: Int) -> (any FileEventSink)? { self }

  /// The response; nil if there was none.
  package var value: ReceivedResponse? { hop.withLock { $0?.response } }

  package func receive(_ event: FileEvent) {
    if case .hopFinished(let finished) = event { hop.withLock { $0 = finished } }
  }
}
