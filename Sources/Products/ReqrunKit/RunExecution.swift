import CurlTransport
import HTTPSemantics
import OperatingSystem
import RequestSpecs
import RunReports
import SpecExecution
import Values

/// The number of connections of a file: its requests use one after another; but a stream, and requests during it, or
/// another host need a second one.
private let connectionsPerFile = 2
/// The number of descriptors for libraries, reports, and files that are read and written.
private let descriptorsOfItsOwn = 48

/// One run, from the options to the reports.
package struct RunExecution {
  private let options: RunOptions
  private let control: RunControl
  private let reporters: [any RunReports.Reporter]
  private let start = ContinuousClock.now
  private let startTime = Timestamp.now
  private let seed: UInt64
  private var result = RunResult()
  /// The diagnostics that were reported, in lists of those reported together.
  private var reported: [[Values.Diagnostic]] = []

  package init(options: RunOptions, control: RunControl, reporters: [any RunReports.Reporter]) {
    self.options = options
    self.control = control
    seed = options.seed ?? UInt64.random(in: .min ... .max)
    self.reporters = reporters
  }

  /// Runs files that are planned already, without sending their requests.
  package mutating func dryRun(_ files: [PlannedFile], _ preparation: RunPreparation) async -> RunResult {
    var (preparation, summary) = (preparation, RunSummary())
    await run(files.withWholeNeeds, &preparation, TransportSet(options), &summary)
    return result
  }

  package mutating func run() async -> RunResult {
    // It is also for documents that are fetched before the first request.
    if let longest = options.maxTime { control.expire(after: longest, from: start) }
    result.unwrittenReports = options.prepare(reporters) { report([$0]) }
    if result.unwrittenReports == 0 { await planAndRun() }
    control.finish()
    noteEnd()
    return result
  }

  private mutating func noteEnd() {
    result.signal = control.signal
    result.isCancelled = control.isCancelled
    result.exceededTime = control.exceededTime != nil
  }

  private mutating func planAndRun() async {
    let transports = options.transports ?? TransportSet(options)
    if !options.dryRun { transports.prepare() }
    let planned = await control.unlessEnded { [self] in await plan(for: transports) }
    var preparation = planned?.preparation ?? RunPreparation(options: options, control: control)
    report(preparation.bag.diagnostics)
    result.unreadableFiles = preparation.unreadableFiles
    result.transportErrors = preparation.unreachableFiles
    let files = (planned?.plans ?? []).filter { $0.selectedCount > 0 }.withWholeNeeds
    var summary = RunSummary()
    summary.origin = origin
    summary.origin.allFiles = preparation.filesOfAllShards
    if files.isEmpty {
      if planned != nil, preparation.unreadableFiles + preparation.unreachableFiles == 0 {
        let reason = await preparation.reasonForNothing()
        result.selectedNothing = reason?.severity != .warning
        report(reason.map { [$0] } ?? [])
      }
    } else {
      await run(files, &preparation, transports, &summary)
    }
    preparation.stopServers()
    summary.unreadableFiles = preparation.unreadableFiles
    noteEnd()
    if planned == nil { (summary.start, summary.duration) = (startTime, .now - start) }
    summary.interruptedBy = control.signal
    summary.exceededTime = control.exceededTime
    summary.brokenFiles = preparation.brokenFiles
    summary.diagnostics = reported
    noteForbidden(&summary)
    summary.exitCode = result.exitCode
    result.unwrittenReports = reporters.count(
      failing: { reporter throws(ReportProblem) in try reporter.finish(summary) }
    ) { report([$0]) }
    guard !files.isEmpty else { return }
    var bag = DiagnosticBag()
    preparation.cookieJar?.write(into: &bag)
    report(bag.diagnostics)
    if bag.hasErrors { result.unwrittenReports += 1 }
  }

  private mutating func noteForbidden(_ summary: inout RunSummary) {
    result.skippedAll = summary.skippedAll
    if options.failOn.contains(.skipped), summary.counts.skipped > 0 { result.forbiddenOutcomes.insert(.skipped) }
    if options.failOn.contains(.warnings), summary.counts.warnings + summary.warnings.count > 0 {
      result.forbiddenOutcomes.insert(.warnings)
    }
    summary.forbidden = FailOn.allCases.filter(result.forbiddenOutcomes.contains).map(\.reason)
  }

  /// The plans; servers that nobody waits for any more are stopped.
  private func plan(for transports: TransportSet) async -> (preparation: RunPreparation, plans: [PlannedFile]) {
    var preparation = RunPreparation(options: options, control: control)
    let fetching = { context(runValues: [:], jar: nil, transports, needs: []) }
    let plans = await preparation.plan(startsServer: !options.dryRun, fetchingIn: options.dryRun ? nil : fetching)
    if control.phase > .stopping { preparation.stopServers() }
    return (preparation, plans)
  }

  private mutating func run(
    _ planned: [PlannedFile], _ preparation: inout RunPreparation, _ transports: TransportSet,
    _ summary: inout RunSummary
  ) async {
    var files = planned
    var all = files.withReused
    warnOfOpenNetrc(all)
    warnOfFewerJobs(files.count)
    let needs = reporters.reduce(into: ReportNeeds()) { $0.formUnion($1.needs) }
    var context = context(
      runValues: preparation.runValues, mocks: preparation.mocks.running, jar: preparation.cookieJar?.jar, transports,
      needs: needs)
    let failures = await context.loadContracts(of: all, from: preparation.contracts)
    if !failures.isEmpty {
      preparation.add(failures)
      report(failures.flatMap(\.diagnostics))
      let failed = Set(failures.map(\.path))
      files.removeAll { file in [file].withReused.contains { failed.contains($0.path) } }
      all = files.withReused
      result.unreadableFiles += failures.count { !$0.isTransportError }
      result.transportErrors += failures.count { $0.isTransportError }
    }
    report(context.warningsOfFetchedContracts(of: all))
    var scheduler = RunScheduler(files: files, context: context, jobs: jobs, repeatCount: options.repeat)
    let requests = files.reduce(0) { $0.addingClamped($1.selectedCount.multiplied(by: options.repeat) ?? .max) }
    let runStart = RunStart(
      time: startTime, fileRuns: scheduler.runCount, requests: requests, origin: summary.origin)
    let progress = options.onProgress.map {
      ProgressCounter(files: scheduler.runCount, requests: requests, underWay: control.underWay, report: $0)
    }
    progress?.begin()
    if let progress { scheduler.onTransfer = { (transfer: TransferProgress) in progress.receive(transfer) } }
    for reporter in reporters { reporter.start(runStart) }
    let counts = await scheduler.run { [reporters] position in
      let sinks = reporters.compactMap { $0.sink(at: position) } + (progress.map { [$0] } ?? [])
      return sinks.count == 1 ? sinks[0] : SinkGroup(sinks)
    }
    control.finish()
    progress?.end()
    report(context.warningsOfSchemas(of: all))
    summary.counts = counts
    summary.files = scheduler.fileCount
    summary.start = startTime
    summary.duration = .now - start
    if !options.dryRun {
      summary.contracts = context.coverage(of: all)
      summary.minCoverage = options.minCoverage
    }
    if options.updateSnapshots, !options.dryRun, control.phase <= .stopping {
      summary.unusedSnapshots = unusedSnapshots(of: all, context)
      summary.prunesSnapshots = options.prune
    }
    result.add(counts)
    result.coverageIsTooLow = summary.coverageIsTooLow
    result.unusedSnapshots = summary.unusedSnapshots
    result.plan.content = all
  }

  // MARK: Parts

  private var origin: RunOrigin {
    var origin = RunOrigin()
    origin.version = Runner.version
    origin.host = hostName
    origin.shard = options.shard?.description
    origin.seed = seed
    origin.environment = options.environment
    origin.isDryRun = options.dryRun
    return origin
  }

  private mutating func report(_ diagnostics: [Values.Diagnostic]) {
    var bag = DiagnosticBag()
    bag.add(contentsOf: diagnostics)
    guard !bag.diagnostics.isEmpty else { return }
    reported.append(bag.diagnostics)
    for reporter in reporters { reporter.receive(bag.diagnostics) }
    result.diagnostics += bag.diagnostics.map { Diagnostic($0) }
  }

  private func context(
    runValues: [String: Value], mocks: [String: RunningMock] = [:], jar: CookieJar?, _ transports: TransportSet,
    needs: ReportNeeds
  ) -> RunContext {
    var defaults = RequestDefaults()
    defaults.timeout = options.timeout
    defaults.maxBodyBytes = options.maxBody
    defaults.maxDownloadBytes = options.maxDownload
    defaults.userAgent = options.userAgent
    defaults.keepsSentHeads = needs.contains(.hops)
    let environment = RunEnvironment(
      runValues: runValues, mocks: mocks, seed: seed,
      netrcPath: options.netrcFile, openValues: options.openValues,
      isSecretVariable: options.isSecretVariable, fileAccess: options.fileAccess)
    var context = RunContext(
      environment: environment, control: control, defaults: defaults, needs: needs, isDryRun: options.dryRun,
      failFast: options.failFast, curl: transports.main, urlSession: transports.urlSession,
      jar: jar, snapshots: SnapshotStore(updates: options.updateSnapshots),
      storage: StorageBudget(memory: Int(clamping: options.maxMemory)))
    context.keepsGoing = options.keepGoing
    context.onResolved = options.onResolved
    context.onExchange = options.onExchange
    context.onRows = options.onRows
    context.onCapture = options.onCapture
    context.executors = transports.executors
    if let show = options.onSignIn {
      context.onSignIn = { prompt in show(prompt.text, prompt.code == nil ? prompt.url : nil) }
    }
    return context
  }

  private func unusedSnapshots(of files: [PlannedFile], _ context: RunContext) -> [String] {
    var cleaning = SnapshotCleaning(store: context.snapshots, fileAccess: options.fileAccess, removes: options.prune)
    let used = Set(files.flatMap(\.usedFiles).map(\.file.path))
    for file in files { cleaning.clean(file, isUsed: used.contains(file.path)) }
    return cleaning.unused
  }

  private var jobs: Int { options.allowedJobs }

  private mutating func warnOfFewerJobs(_ files: Int) {
    guard jobs < options.jobs, (files.multiplied(by: options.repeat) ?? .max) > jobs else { return }
    report([
      .warning(
        .unsupported,
        "only \(jobs) files run at a time: the system lets reqrun open \(descriptorLimit) files and connections",
        at: nil,
        help: "raise the limit (ulimit -n), or give fewer --jobs")
    ])
  }

  private mutating func warnOfOpenNetrc(_ files: [PlannedFile]) {
    let isUsed = files.contains { file in
      file.requestSteps.contains { if case .netrc? = $0.request.settings.auth.value { true } else { false } }
    }
    guard isUsed, let path = netrcPath(options.netrcFile), isReadableByOthers(path) else { return }
    report([
      .warning(
        .exposedFile, "others may read the passwords in the netrc file \(path)", at: nil,
        help: "allow only yourself: chmod 600 \(path)")
    ])
  }
}

/// The transports of a run, with their open connections.
struct TransportSet: Sendable {
  let main: any HTTPSemantics.Transport
  let urlSession: (any HTTPSemantics.Transport)?
  private let curl: LibcurlTransport?

  init(_ options: RunOptions) {
    if case .custom(let transport) = options.transport {
      (main, urlSession, curl) = (CustomTransport(transport: transport), nil, nil)
    } else {
      let curl = LibcurlTransport(parallel: connectionsPerFile * options.allowedJobs)
      (main, urlSession, self.curl) = (curl, makeURLSessionTransport(), curl)
    }
  }

  /// Loads the transport's library, on a thread of its own.
  func prepare() { if curl != nil { LibcurlTransport.prepare() } }

  var executors: [TransportKind: @Sendable (Int) -> [any ExchangeExecutor]] {
    guard let curl else { return [:] }
    return [
      .curl: { curl.executors($0) }, .urlsession: { [urlSession] in urlSessionExecutors(of: urlSession, $0) },
    ]
  }
}

extension RunOptions {
  /// The number of parallel files: as requested, up to the number of connections that the system allows.
  fileprivate var allowedJobs: Int { min(jobs, max(1, (descriptorLimit - descriptorsOfItsOwn) / connectionsPerFile)) }
}
