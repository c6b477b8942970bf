import CurlTransport
import Diagnostics
import HTTPSemantics
import OperatingSystem
import RequestSpecs
import RunPlanning
import RunReports
import Snapshots
import SpecExecution
import Values

/// A file's requests have one after the other; but a stream, and what is sent meanwhile, or the next host's.
private let connectionsPerFile = 2
/// For libraries, reports, and files that are read and written.
private let descriptorsOfItsOwn = 48

/// Runs request specs: reads files, plans, sends, checks, reports.
public struct Reqrun: Sendable {
  let options: RunOptions
  let output: @Sendable ([UInt8]) -> Void
  private let control = RunControl()
  private let errorOutput: @Sendable ([UInt8]) -> Void
  private let progress: (@Sendable (RunProgress) -> Void)?

  /// - Parameters:
  ///   - options: what to run, and how to tell.
  ///   - output: takes the console report, in order.
  ///   - errorOutput: takes diagnostics.
  ///   - progress: is told how far the run is, from any thread.
  public init(
    options: RunOptions, output: @escaping @Sendable ([UInt8]) -> Void,
    errorOutput: @escaping @Sendable ([UInt8]) -> Void, progress: (@Sendable (RunProgress) -> Void)? = nil
  ) {
    self.options = options
    self.output = output
    self.errorOutput = errorOutput
    self.progress = progress
  }

  /// Gets ready, on a thread of its own, what requests are sent by; for who knows that a run will follow.
  public static func prepare() {
    LibcurlTransport.prepare()
  }

  /// Tells the run to end: what is in flight gets 5 seconds, teardowns 10; a second call aborts.
  ///
  /// - Returns: what to tell the user of it; nil where nothing is waited for.
  @discardableResult
  public func interrupt(signal: Int32) -> String? {
    let names = control.underWay.all.map(\.name)
    control.interrupt(signal: signal)
    return control.phase == .aborting
      ? nil
      : interruptionText(waitingFor: names, signal: signal)
        .map { wrappedLines($0, width: max(options.width ?? .max, 40)).joined(separator: "\n") }
  }

  /// Runs everything.
  public func run() async -> RunResult {
    let start = ContinuousClock.now
    let time = Timestamp.now
    // It is for the documents that are fetched before the first request, too.
    if let longest = options.maxTime { control.expire(after: longest, from: start) }
    defer { control.finish() }
    let unwritable = prepareReports()
    guard unwritable == 0 else {
      var result = RunResult()
      result.unwrittenReports = unwritable
      return result
    }
    let curl = LibcurlTransport(parallel: connectionsPerFile * jobs)
    if !options.dryRun, options.transport != .urlsession { Self.prepare() }
    var session = PlanningSession(options: options)
    let reports = [consoleReport()] + fileReports()
    let fetching = { runContext(runValues: [:], jar: nil, curl, needs: []) }
    let plans = await session.plan(
      startsServer: !options.dryRun, fetchingIn: options.dryRun ? nil : fetching)
    showDiagnostics(session.bag)
    var result = RunResult()
    result.unreadableFiles = session.unreadableFiles
    result.transportErrors = session.unreachableFiles
    result.exceededTime = control.exceededTime != nil
    var files = plans.filter { $0.selectedCount > 0 }
    guard !files.isEmpty else {
      session.stopDemo()
      if session.unreadableFiles + session.unreachableFiles == 0 {
        result.selectedNothing = true
        show(session.nothingSelected)
      }
      var summary = RunSummary()
      summary.brokenFiles = session.brokenFiles
      result.unwrittenReports = finish(Array(reports.dropFirst()), summary)
      return result
    }
    warnOfOpenNetrc(files)
    warnOfFewerJobs(files.count)
    let needs = reports.reduce(into: ReportNeeds()) { $0.formUnion($1.needs) }
    var context = runContext(runValues: session.runValues, jar: session.cookieJar?.jar, curl, needs: needs)
    let failures = await context.loadContracts(of: files, from: session.contracts)
    if !failures.isEmpty {
      session.add(failures)
      showDiagnostics(failures.flatMap(\.diagnostics))
      let failed = Set(failures.map(\.path))
      files.removeAll { failed.contains($0.path) }
      result.unreadableFiles += failures.count { !$0.isTransportError }
      result.transportErrors += failures.count { $0.isTransportError }
    }
    showDiagnostics(context.warningsOfFetchedContracts(of: files))
    let progress = progress.map {
      ProgressCounter(total: files.count * options.repeat, underWay: control.underWay, report: $0)
    }
    progress?.begin()
    if let progress { context.onTransfer = { (transfer: TransferProgress) in progress.receive(transfer) } }
    let scheduler = RunScheduler(
      files: files, context: context, jobs: jobs, repeatCount: options.repeat)
    for report in reports { report.start(RunStart(time: time, fileRuns: files.count * options.repeat)) }
    let counts = await scheduler.run { position in
      let sinks = reports.compactMap { $0.sink(at: position) } + (progress.map { [$0] } ?? [])
      return sinks.count == 1 ? sinks[0] : SinkGroup(sinks)
    }
    control.finish()
    progress?.end()
    session.stopDemo()
    var summary = RunSummary()
    summary.counts = counts
    summary.files = files.count
    summary.unreadableFiles = session.unreadableFiles
    summary.brokenFiles = session.brokenFiles
    summary.start = time
    summary.duration = .now - start
    summary.interruptedBy = control.signal
    summary.exceededTime = control.exceededTime
    if !options.dryRun {
      summary.contracts = context.coverage(of: files)
      summary.minCoverage = options.minCoverage
    }
    result.coverageIsTooLow = summary.coverageIsTooLow
    if options.updateSnapshots, !options.dryRun, control.phase <= .stopping {
      summary.unusedSnapshots = unusedSnapshots(of: files, context)
      summary.prunesSnapshots = options.prune
    }
    result.unwrittenReports = finish(reports, summary) + write(session.cookieJar)
    result.passed = counts.passed
    result.failed = counts.failed
    result.transportErrors += counts.transportErrors
    result.specErrors = counts.specErrors
    result.skipped = counts.skipped
    result.snapshotsWritten = counts.snapshotsWritten
    result.snapshotsUpdated = counts.snapshotsUpdated
    result.unusedSnapshots = summary.unusedSnapshots
    result.signal = control.signal
    result.files = files
    result.exceededTime = control.exceededTime != nil
    return result
  }

  // MARK: parts

  /// How many reports cannot be written, as far as that is known before the run.
  private func prepareReports() -> Int {
    count(fileReports()) { report throws(ReportProblem) in try report.prepare() }
  }

  /// How many reports could not be written.
  private func finish(_ reports: [any Reporter], _ summary: RunSummary) -> Int {
    count(reports) { report throws(ReportProblem) in try report.finish(summary) }
  }

  /// How many of the reports a step fails for; why is told.
  private func count(
    _ reports: [any Reporter], failing step: (any Reporter) throws(ReportProblem) -> Void
  ) -> Int {
    var problems = 0
    for report in reports {
      do throws(ReportProblem) {
        try step(report)
      } catch {
        problems += 1
        showDiagnostics([Diagnostic.error(error.message, at: nil)])
      }
    }
    return problems
  }

  /// 1 if the jar could not be written.
  private func write(_ cookieJar: CookieJarFile?) -> Int {
    var bag = DiagnosticBag()
    cookieJar?.write(into: &bag)
    showDiagnostics(bag)
    return bag.hasErrors ? 1 : 0
  }

  private func fileReports() -> [any Reporter] {
    options.reports.map { $0.kind.make($0.path) }
  }

  private func consoleReport() -> any Reporter {
    var console = ConsoleOptions()
    console.detail =
      switch options.detail {
      case .quiet: .quiet
      case .normal: .normal
      case .heads: .heads
      case .bodies: .bodies
      }
    console.style = ConsoleStyle(isColored: options.isColored)
    console.width = options.width
    console.isTerminal = options.isTerminal
    console.showsCurl = options.curl || options.dryRun
    console.showsSecrets = options.showSecrets
    console.showsTransport = options.dryRun
    return ConsoleReport(options: console, output: output)
  }

  private func runContext(
    runValues: [String: Value], jar: CookieJar?, _ curl: LibcurlTransport, needs: ReportNeeds
  ) -> RunContext {
    var defaults = RequestDefaults()
    defaults.timeout = options.timeout
    defaults.maxBodyBytes = options.maxBody
    defaults.maxDownloadBytes = options.maxDownload
    defaults.userAgent = options.userAgent
    defaults.keepsSentHeads = needs.contains(.hops)
    let environment = RunEnvironment(
      runValues: runValues, seed: options.seed ?? UInt64.random(in: .min ... .max),
      netrcPath: options.netrcFile, fileAccess: fileAccess)
    let urlSession = makeURLSessionTransport()
    var context = RunContext(
      environment: environment, control: control, defaults: defaults, needs: needs, isDryRun: options.dryRun,
      failFast: options.failFast, curl: curl, urlSession: urlSession,
      jar: jar, snapshots: SnapshotStore(updates: options.updateSnapshots),
      storage: StorageBudget(memory: Int(clamping: options.maxMemory)))
    context.keepsGoing = options.keepGoing
    context.executors = [
      .curl: { curl.executors($0) }, .urlsession: { urlSessionExecutors(of: urlSession, $0) },
    ]
    return context
  }

  /// What the spec at a path may read.
  private var fileAccess: @Sendable (String) -> FileAccess {
    { [fileRoot = options.fileRoot] in FileAccess(root: fileRoot ?? defaultFileRoot($0)) }
  }

  private func unusedSnapshots(of files: [PlannedFile], _ context: RunContext) -> [String] {
    var cleaning = SnapshotCleaning(store: context.snapshots, fileAccess: fileAccess, removes: options.prune)
    for file in files { cleaning.clean(file) }
    return cleaning.unused
  }

  /// As many as are asked for, and as the system lets have connections at a time.
  private var jobs: Int {
    min(options.jobs, max(1, (descriptorLimit - descriptorsOfItsOwn) / connectionsPerFile))
  }

  private func warnOfFewerJobs(_ files: Int) {
    guard jobs < options.jobs, (files.multiplied(by: options.repeat) ?? .max) > jobs else { return }
    showDiagnostics(
      .warning(
        "only \(jobs) files run at a time: the system lets reqrun open \(descriptorLimit) files and connections",
        at: nil,
        help: "raise the limit (ulimit -n), or give fewer --jobs"))
  }

  private func warnOfOpenNetrc(_ files: [PlannedFile]) {
    let isUsed = files.contains { file in
      file.allSteps.contains { if case .netrc? = $0.request.settings.auth.value { true } else { false } }
    }
    guard isUsed, let path = netrcPath(options.netrcFile), isReadableByOthers(path) else { return }
    showDiagnostics([
      .warning(
        "others may read the passwords in the netrc file \(path)", at: nil,
        help: "allow only yourself: chmod 600 \(path)")
    ])
  }

  func showDiagnostics(_ bag: DiagnosticBag) {
    guard !bag.diagnostics.isEmpty else { return }
    let renderer = DiagnosticRenderer(style: options.isColored ? .colored : .plain, width: options.width)
    let digest = DiagnosticDigest(bag.diagnostics)
    var text = renderer.render(digest.drawn) + "\n"
    for line in digest.lines { text += "\n\(line)\n" }
    errorOutput(Array(withoutWorkflowCommands(text).utf8))
  }

  private func showDiagnostics(_ diagnostic: Diagnostic) { showDiagnostics([diagnostic]) }

  func show(_ nothing: NothingSelected?) {
    if let nothing { showDiagnostics(nothing.diagnostic) }
  }

  private func showDiagnostics(_ diagnostics: [Diagnostic]) {
    var bag = DiagnosticBag()
    bag.add(contentsOf: diagnostics)
    showDiagnostics(bag)
  }
}
