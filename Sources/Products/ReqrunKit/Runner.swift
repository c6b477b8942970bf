import CurlTransport
import OperatingSystem
import RunReports
import SpecExecution
import Synchronization
import Values

/// Runs specs: reads them, sends their requests, checks the responses, and reports.
///
/// A runner can run any number of times, even concurrently.
public struct Runner: Sendable {
  /// The version of reqrun.
  public static let version = "0.1.0"

  /// The options of the next runs.
  public var options: RunOptions
  private let underWay = ActiveRuns()

  /// Creates a runner with the options, including their specs.
  public init(_ options: RunOptions) {
    self.options = options
  }

  /// Creates a runner of these specs.
  ///
  /// - Parameters:
  ///   - specs: the specs, in place of those of the options.
  ///   - options: all other options.
  public init(specs: [SpecSource], options: RunOptions = RunOptions()) {
    self.init(options)
    self.options.specs = specs
  }

  /// Loads the transport's library, on a thread of its own; call this if a run will follow.
  public static func prepare() {
    LibcurlTransport.prepare()
  }

  /// Runs everything.
  ///
  /// If the task is cancelled, requests in flight are cut off immediately, nothing new starts but teardowns, which have
  /// 10 seconds, and reports are written.
  public func run() async -> RunResult {
    let requests = Mutex<[RequestResult]>([])
    guard options.collectsRequests else { return await run(reportingTo: []) }
    let collector = CustomReporter(needs: options.collectedDetails.internalForm) { event in
      if case .requestFinished(let request) = event { requests.withLock { $0.append(request) } }
    }
    var result = await run(reportingTo: [collector])
    // Files run in parallel.
    result.requests = requests.withLock { $0 }.sorted { $0.id.step.file < $1.id.step.file }
    return result
  }

  /// Runs everything, and returns its events. The last is ``RunEvent/runFinished(_:)``.
  ///
  /// The run starts immediately. It is cancelled, like ``run()``, if the iteration ends early.
  public func events(needs: RunEvent.Needs = []) -> AsyncStream<RunEvent> {
    AsyncStream { continuation in
      let task = Task {
        let reporter = CustomReporter(needs: needs.internalForm) { continuation.yield($0) }
        let result = await run(reportingTo: [reporter])
        continuation.yield(.runFinished(result))
        continuation.finish()
      }
      continuation.onTermination = { end in if case .cancelled = end { task.cancel() } }
    }
  }

  /// Ends the current runs: requests in flight have 5 seconds, teardowns have 10; a second call aborts.
  ///
  /// - Returns: the requests that have to be waited for.
  @discardableResult
  public func interrupt(signal: Int32 = 2) -> [RunningRequest] {
    underWay.all.flatMap { control in
      let running = control.underWay.all.map { RunningRequest($0, at: .now) }
      control.interrupt(signal: signal)
      return control.phase == .aborting ? [] : running
    }
  }

  private func run(reportingTo collectors: [CustomReporter]) async -> RunResult {
    let control = RunControl()
    underWay.add(control)
    defer { underWay.remove(control) }
    let reporters = options.reports.map { $0.makeReporter(options) } + collectors
    // In a separate task: a cancelled one could run no teardown.
    let task = Task {
      var execution = RunExecution(options: options, control: control, reporters: reporters)
      return await execution.run()
    }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      control.cancel()
    }
    for report in options.reports { report.custom?.receive(.runFinished(result)) }
    return result
  }
}

/// The current runs of a runner.
private final class ActiveRuns: Sendable {
  private let controls = Mutex<[RunControl]>([])

  var all: [RunControl] { controls.withLock { $0 } }

  func add(_ control: RunControl) { controls.withLock { $0.append(control) } }
  func remove(_ control: RunControl) { controls.withLock { $0.removeAll { $0 === control } } }
}
