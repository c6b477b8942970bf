import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Templates
import Transfers
import Values

/// State that all files of a run share.
package struct RunContext: Sendable {
  package let environment: RunEnvironment
  package let control: RunControl
  package let defaults: RequestDefaults
  package let needs: ReportNeeds
  package let isDryRun: Bool
  package let failFast: Bool
  /// Indicates whether a file continues after a failure by default.
  package var keepsGoing = false
  /// The jar of the requests that share one.
  package let sharedJar: CookieJar
  /// Indicates whether it is also used by requests that don't ask for it.
  let isJarForAll: Bool
  /// The contents of the jar before the run.
  let importedCookies: [Cookie]
  let caches = RunCaches()
  let storage: StorageBudget
  let downloads = DownloadCoordinator()
  let tokens = RunTokens()
  /// The contracts by the paths of their files.
  var contracts: [String: FileContracts<FileContract>] = [:]
  package let snapshots: SnapshotStore
  /// The files that others use or need; nil if there are none.
  fileprivate(set) var reused: ReusedRuns?
  /// Up to that number of threads of each transport; called when they are needed.
  package var executors: [TransportKind: @Sendable (Int) -> [any ExchangeExecutor]] = [:]
  /// The executor of the transport that sends all requests, which runs a file itself if there is one for each
  /// concurrent file; nil is Swift's own pool.
  fileprivate(set) var executor: (any ExchangeExecutor)?
  var onTransfer: (@Sendable (TransferProgress) -> Void)?
  /// Receives each request that a dry run resolves.
  package var onResolved: ResolvedObserver?
  package typealias ExchangeObserver = @Sendable (_ part: ExchangePart, _ secrets: SecretRegistry) -> Void
  /// Receives each exchange while it takes place.
  package var onExchange: ExchangeObserver?
  package typealias ResolvedObserver = @Sendable (RequestStep, StepReport, ResolvedRequest, FileScope) -> Void
  /// Receives all rows of a group of rows, of which only the first then runs.
  package var onRows: RowsObserver?
  package typealias RowsObserver = @Sendable (StepID, RowsSpec, Result<[Value], TemplateError>) -> Void
  /// Receives each captured value, with its secrets, by its name.
  package var onCapture: (@Sendable (String, Value) -> Void)?
  /// Shows a person how to sign in; nil if nobody would see it.
  package var onSignIn: (@Sendable (SignInPrompt) -> Void)?
  private let transports: [TransportKind: any Transport]
  private let fallback: any Transport

  /// - Parameter jar: the jar of all files; nil gives each its own.
  package init(
    environment: RunEnvironment, control: RunControl, defaults: RequestDefaults, needs: ReportNeeds, isDryRun: Bool,
    failFast: Bool, curl: any Transport, urlSession: (any Transport)?, jar: CookieJar? = nil,
    snapshots: SnapshotStore = SnapshotStore(updates: false), storage: StorageBudget = StorageBudget()
  ) {
    self.storage = storage
    self.snapshots = snapshots
    self.environment = environment
    self.control = control
    self.defaults = defaults
    self.needs = needs
    self.isDryRun = isDryRun
    self.failFast = failFast
    sharedJar = jar ?? CookieJar()
    isJarForAll = jar != nil
    importedCookies = jar?.all ?? []
    fallback = curl
    transports = urlSession.map { [.urlsession: $0] } ?? [:]
  }

  func transport(_ kind: TransportKind) -> any Transport { transports[kind] ?? fallback }
}

/// Runs files in parallel, as many as there are jobs; each file's requests in order.
package struct RunScheduler: Sendable {
  private let files: [PreparedFile]
  private let needs: NeedRuns
  private let order: RunOrder
  private var context: RunContext
  private let jobs: Int
  /// One executor for each concurrent file, or none.
  private let executors: [any ExchangeExecutor]

  package init(files: [PlannedFile], context: RunContext, jobs: Int, repeatCount: Int) {
    func prepare(_ file: PlannedFile) -> PreparedFile {
      context.control.evaluationBudget(.setup).limit {
        PreparedFile(
          file, environment: context.environment, needs: context.needs, contracts: context.contracts[file.path])
      }
    }
    let prepared = files.map(prepare)
    var used: [SpecID: PreparedFile] = [:]
    for use in files.withNeeded.flatMap(\.usedFiles) where used[use.id] == nil { used[use.id] = prepare(use.file) }
    let needs = NeedRuns(
      files, prepared, used, in: context.environment, standsIn: context.isDryRun, context.control, prepare)
    self.files = prepared
    self.needs = needs
    order = RunOrder(
      needs.entries, needsOfFiles: needs.needsOfFiles.map(\.awaited),
      needsOfNeeds: needs.runs.map(\.needs.awaited),
      haveTeardown: Set(needs.runs.indices.filter { needs.runs[$0].file.hasTeardown }),
      repeatCount: max(1, repeatCount))
    self.jobs = max(1, jobs)
    self.context = context
    self.context.reused = ReusedRuns(needs, used)
    let parallel = min(self.jobs, order.total)
    // Evaluation blocks a thread: with more files than processors it is better done on any free one.
    guard parallel <= processorCount, !context.isDryRun,
      let (_, executors) = context.executors.first(where: { kind, _ in
        (prepared + needs.runs.map(\.file) + used.values).allSatisfy { $0.runs(by: kind) }
      })
    else {
      executors = []
      return
    }
    let found = executors(parallel)
    self.executors = found.count == parallel ? found : []
  }

  /// Receives the progress of transfers, from any thread; nil without an observer.
  package var onTransfer: (@Sendable (TransferProgress) -> Void)? {
    get { context.onTransfer }
    set { context.onTransfer = newValue }
  }

  /// The number of runs that follow, repetitions included.
  package var runCount: Int { order.total }

  /// The number of files that run, those that others need included.
  package var fileCount: Int { needs.runs.isEmpty ? files.count : needs.entries.count + addedNeeds }

  /// The number of runs for others that are not arguments themselves.
  private var addedNeeds: Int {
    needs.runs.count - needs.entries.count { if case .need = $0 { true } else { false } }
  }

  /// Runs all files; `makeSink` creates the sink of each run of a file, in the order of the output.
  package func run(makeSink: @escaping @Sendable (_ position: Int) async -> any FileEventSink) async -> OutcomeCounts {
    // A slow file delays the output of all after it: they must not run ahead without limit.
    let positions = PositionQueue(order, window: max(1024, jobs * 4))
    return await withTaskGroup(of: OutcomeCounts.self) { group in
      for index in 0..<min(jobs, order.total) {
        var context = context
        context.executor = executors.isEmpty ? nil : executors[index]
        group.addTask(executorPreference: context.executor) { [context] in
          var counts = OutcomeCounts()
          while let position = await positions.next() {
            counts.add(await run(position, in: context, into: await makeSink(position)))
            positions.finish(position)
          }
          return counts
        }
      }
      var counts = OutcomeCounts()
      for await partial in group { counts.add(partial) }
      return counts
    }
  }

  private func run(
    _ position: Int, in context: RunContext, into sink: any FileEventSink
  ) async -> OutcomeCounts {
    let (run, iteration) = order.run(at: position)
    switch run {
    case .file(let index):
      if iteration > 1, context.control.phase > .running {
        sink.receive(.leftOut)
        return OutcomeCounts()
      }
      return await FileRun(
        file: files[index], context: context, iteration: iteration, position: position,
        needs: needs.needsOfFiles.isEmpty ? nil : needs.needsOfFiles[index], into: sink
      ).run()
    case .need(let index):
      let need = needs.runs[index]
      let run = FileRun(
        file: need.file, context: context, iteration: 1, position: position, needs: need.needs,
        arguments: need.arguments, variant: need.variant, part: .need, into: sink)
      return await need.run(run)
    case .teardown(let index): return await needs.runs[index].tearDown(at: position, context, into: sink)
    }
  }
}
