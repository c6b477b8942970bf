import HTTPMessages
import HTTPSemantics
import OperatingSystem
import RequestResolution
import RunEvents
import RunPlanning
import RunScopes
import Snapshots
import Synchronization
import Transfers

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
  /// The contracts by the paths of their files.
  var contracts: [String: FileContract] = [:]
  package let snapshots: SnapshotStore
  /// Up to that number of threads of each transport; called when they are needed.
  package var executors: [TransportKind: @Sendable (Int) -> [any ExchangeExecutor]] = [:]
  /// The executor of the transport that sends all requests, which runs a file itself if there is one for each
  /// concurrent file; nil is Swift's own pool.
  fileprivate(set) var executor: (any ExchangeExecutor)?
  /// Receives the progress of transfers, from any thread; nil without an observer.
  package var onTransfer: (@Sendable (TransferProgress) -> Void)?
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
  private let context: RunContext
  private let jobs: Int
  private let repeatCount: Int
  /// One executor for each concurrent file, or none.
  private let executors: [any ExchangeExecutor]

  package init(files: [PlannedFile], context: RunContext, jobs: Int, repeatCount: Int) {
    let prepared = files.map { file in
      context.control.evaluationBudget(.setup).limit {
        PreparedFile(
          file, environment: context.environment, needs: context.needs, contract: context.contracts[file.path])
      }
    }
    self.files = prepared
    self.jobs = max(1, jobs)
    self.repeatCount = max(1, repeatCount)
    self.context = context
    let parallel = min(self.jobs, self.files.count * self.repeatCount)
    // Evaluation blocks a thread: with more files than processors it is better done on any free one.
    guard parallel <= processorCount, !context.isDryRun,
      let (_, executors) = context.executors.first(where: { kind, _ in prepared.allSatisfy { $0.runs(by: kind) } })
    else {
      executors = []
      return
    }
    let found = executors(parallel)
    self.executors = found.count == parallel ? found : []
  }

  /// Runs all files; `makeSink` creates the sink of each run of a file, in the order of the output.
  package func run(makeSink: @escaping @Sendable (_ position: Int) async -> any FileEventSink) async -> OutcomeCounts {
    let total = files.count * repeatCount
    // A slow file delays the output of all after it: they must not run ahead without limit.
    let positions = PositionQueue(total: total, window: max(1024, jobs * 4))
    return await withTaskGroup(of: OutcomeCounts.self) { group in
      for index in 0..<min(jobs, total) {
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
    let iteration = position / files.count + 1
    if iteration > 1, context.control.phase > .running {
      sink.receive(.leftOut)
      return OutcomeCounts()
    }
    let run = FileRun(
      file: files[position % files.count], context: context, iteration: iteration, position: position, into: sink)
    return await run.run()
  }
}

/// Hands out 0, 1, 2, …, up to a limit beyond the first that isn't finished.
package final class PositionQueue: Sendable {
  private struct State {
    var next = 0
    var firstOpen = 0
    /// Finished positions beyond the first open one.
    var finished: Set<Int> = []
    var waiting: [CheckedContinuation<Int?, Never>] = []
  }

  private let total: Int
  private let window: Int
  private let state = Mutex(State())

  package init(total: Int, window: Int) {
    self.total = total
    self.window = window
  }

  /// Nil when all are handed out.
  package func next() async -> Int? {
    await withCheckedContinuation { continuation in
      let response: Int?? = state.withLock { state in
        if state.next >= total { return .some(nil) }
        if state.next - state.firstOpen >= window {
          state.waiting.append(continuation)
          return nil
        }
        state.next += 1
        return state.next - 1
      }
      if let response { continuation.resume(returning: response) }
    }
  }

  package func finish(_ position: Int) {
    let ready = state.withLock { state in
      state.finished.insert(position)
      while state.finished.remove(state.firstOpen) != nil { state.firstOpen += 1 }
      var ready: [(CheckedContinuation<Int?, Never>, Int?)] = []
      while !state.waiting.isEmpty, state.next >= total || state.next - state.firstOpen < window {
        let continuation = state.waiting.removeFirst()
        ready.append((continuation, state.next < total ? state.next : nil))
        if state.next < total { state.next += 1 }
      }
      return ready
    }
    for (continuation, position) in ready { continuation.resume(returning: position) }
  }
}
