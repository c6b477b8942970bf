import RunReports
import SpecExecution
import Synchronization
import Values

/// Receives the events of a run. The console report and the report files are made from the same events.
///
/// Internal reporters receive the events of each file in a separate sink, so that their output needs no lock; this
/// protocol receives all of them in one place.
public protocol Reporter: Sendable {
  /// The optional events, and parts of events, that it needs.
  var needs: RunEvent.Needs { get }
  /// Receives an event, from any thread. It must return quickly, since the run waits for it.
  func receive(_ event: RunEvent)
}

extension Reporter {
  /// No optional events.
  public var needs: RunEvent.Needs { [] }
}

/// A report of a run.
public struct Report: Sendable {
  /// The path of its file; nil for a report without one.
  public let path: String?
  let makeReporter: @Sendable (RunOptions) -> any RunReports.Reporter
  let custom: (any Reporter)?

  init(
    path: String? = nil, custom: (any Reporter)? = nil,
    _ makeReporter: @escaping @Sendable (RunOptions) -> any RunReports.Reporter
  ) {
    self.path = path
    self.custom = custom
    self.makeReporter = makeReporter
  }

  private init(_ kind: ReportKind, path: String) {
    self.init(path: path) { options in
      kind.make(path, of: options.repository.map { Workspace($0.isEmpty ? nil : $0) })
    }
  }

  /// Creates a report of one of the kinds that ``kinds`` names; nil for another name.
  public init?(kind name: String, path: String) {
    guard let kind = ReportKind(rawValue: name) else { return nil }
    self =
      switch kind {
      case .junit: .junit(path: path)
      case .json: .json(path: path)
      case .jsonLines: .jsonLines(path: path)
      case .html: .html(path: path)
      case .tap: .tap(path: path)
      case .har: .har(path: path)
      case .markdown: .markdown(path: path)
      case .coverage: .coverage(path: path)
      }
  }

  /// The names of the kinds of report files.
  public static var kinds: [String] { ReportKind.allCases.map(\.rawValue) }

  /// Returns a line on a kind, such as `JUnit XML`; empty for another name.
  public static func summary(ofKind name: String) -> String {
    ReportKind(rawValue: name)?.summary ?? ""
  }

  /// JUnit XML: a suite per file, a case per request.
  public static func junit(path: String) -> Report { Report(.junit, path: path) }

  /// One JSON document with all results, of the form that ``Runner/reportSchema`` describes.
  public static func json(path: String) -> Report { Report(.json, path: path) }

  /// The Test Anything Protocol, version 14: a test point per request, a subtest per file and group.
  public static func tap(path: String) -> Report { Report(.tap, path: path) }

  /// An HTTP archive (HAR 1.2): an entry per hop, a page per file.
  public static func har(path: String) -> Report { Report(.har, path: path) }

  /// The events as they happen, one JSON object a line, of the form that ``Runner/eventSchema`` describes.
  public static func jsonLines(path: String) -> Report { Report(.jsonLines, path: path) }

  /// One page for a browser, with everything that was sent and received.
  public static func html(path: String) -> Report { Report(.html, path: path) }

  /// The operations and statuses of OpenAPI documents that the run exercised: JSON, or text if the path ends in `.txt`.
  public static func coverage(path: String) -> Report { Report(.coverage, path: path) }

  /// A summary of the run in Markdown, for comments of pull requests.
  public static func markdown(path: String) -> Report { Report(.markdown, path: path) }

  /// Annotations of GitHub Actions for what is wrong, and its job summary.
  ///
  /// - Parameters:
  ///   - workspace: the directory of the repository.
  ///   - jobSummary: the path of the file that becomes part of the job summary; nil for none.
  ///   - output: receives the commands for the log.
  package static func gitHub(
    workspace: String?, jobSummary: String?, output: @escaping @Sendable ([UInt8]) -> Void
  ) -> [Report] {
    [Report { _ in AnnotationReport(workspace: workspace, output: output) }]
      + (jobSummary.map { path in [Report { _ in MarkdownReport(jobSummary: path, output: output) }] } ?? [])
  }

  /// The command's report for people, with the options ``RunOptions/detail`` and the like.
  ///
  /// - Parameters:
  ///   - output: receives the report, in order.
  ///   - diagnostics: receives problems with files and options.
  public static func console(
    output: @escaping @Sendable ([UInt8]) -> Void, diagnostics: @escaping @Sendable ([UInt8]) -> Void
  ) -> Report {
    Report { options in
      ConsoleReport(options: ConsoleOptions(options), output: output, errorOutput: diagnostics)
    }
  }

  /// A report by your own reporter.
  public static func custom(_ reporter: any Reporter) -> Report {
    Report(custom: reporter) { _ in
      CustomReporter(needs: reporter.needs.internalForm) { reporter.receive($0) }
    }
  }
}

extension ConsoleOptions {
  fileprivate init(_ options: RunOptions) {
    self.init()
    detail =
      switch options.detail {
      case .quiet: .quiet
      case .normal: .normal
      case .heads: .heads
      case .bodies: .bodies
      }
    layout =
      switch options.layout {
      case .full: .full
      case .compact: .compact
      case nil: nil
      }
    slowestCount = options.slowest
    foldsFiles = options.foldsFiles
    style = ConsoleStyle(isColored: options.isColored)
    width = options.width
    height = options.height
    isTerminal = options.isTerminal
    showsCurl = options.curl || options.dryRun
    showsSecrets = options.showSecrets
    showsTransport = options.dryRun
  }
}

/// Converts internal events to public ones.
struct CustomReporter: RunReports.Reporter {
  let needs: ReportNeeds
  let receive: @Sendable (RunEvent) -> Void

  func start(_ run: RunStart) { receive(.runStarted(files: run.fileRuns, start: run.time.sinceEpoch)) }
  func receive(_ diagnostics: [Values.Diagnostic]) { receive(.diagnostics(diagnostics.map { Diagnostic($0) })) }
  func sink(at position: Int) -> (any FileEventSink)? { CustomSink(needs, receive) }
}

/// Converts the internal events of one file to public ones.
private final class CustomSink: FileEventSink {
  private struct State {
    var file: FileStart?
    /// The hops of requests in progress.
    var hops: [StepID: [Hop]] = [:]
  }

  private let needs: ReportNeeds
  private let report: @Sendable (RunEvent) -> Void
  private let state = Mutex(State())

  init(_ needs: ReportNeeds, _ report: @escaping @Sendable (RunEvent) -> Void) {
    (self.needs, self.report) = (needs, report)
  }

  func receive(_ event: FileEvent) {
    if let event = publicEvent(event) { report(event) }
  }

  private func publicEvent(_ event: FileEvent) -> RunEvent? {
    switch event {
    case .started(let start):
      state.withLock { $0.file = start }
      return .fileStarted(RunEvent.File(start))
    case .groupStarted(let start):
      return file.map { .groupStarted(RunEvent.Group(start, path: $0.path)) }
    case .groupFinished(let report):
      return .groupFinished(RequestResult.ID(report.id), RunEvent.Totals(report.counts, report.duration))
    case .stepStarted(let start):
      return file.map { .requestStarted(RunEvent.Request(start, path: $0.path)) }
    case .attemptStarted(let start):
      return .attemptStarted(RequestResult.ID(start.step), number: start.number, start: start.time.sinceEpoch)
    case .hopStarted(let start):
      return .hopStarted(
        RequestResult.ID(start.step), attempt: start.attempt, number: start.number, start: start.time.sinceEpoch)
    case .hopFinished(let report):
      let hop = Hop(report)
      if needs.contains(.hops) { state.withLock { $0.hops[report.step, default: []].append(hop) } }
      return .hopFinished(hop)
    case .attemptFinished(let report): return .attemptFinished(RunEvent.Attempt(report))
    case .stepFinished(let report):
      let hops = needs.contains(.hops) ? state.withLock { $0.hops.removeValue(forKey: report.id) } ?? [] : nil
      return file.map { .requestFinished(RequestResult(report, of: $0, hops: hops, needs)) }
    case .finished(let report):
      return file.map { .fileFinished(RunEvent.File($0), RunEvent.Totals(report.counts, report.duration)) }
    case .leftOut: return nil
    }
  }

  private var file: FileStart? { state.withLock { $0.file } }
}
