import CurlTransport
import OperatingSystem
import RunReports
import SpecExecution
import Synchronization
import Values

/// Runs specs: reads them, sends their requests, checks the responses, and reports.
///
/// A runner can run any number of times, even concurrently. It is a value: copies have nothing in common.
public struct Runner: Sendable {
  /// The version of reqrun.
  public static let version = "0.1.0"

  /// The options of the next runs.
  public var options: RunOptions

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
  ///
  /// - Parameter interrupter: ends the run more gently.
  public func run(interrupter: Interrupter? = nil) async -> RunResult {
    let requests = Mutex<[RequestResult]>([])
    guard options.collectsRequests else { return await run(reportingTo: [], interrupter) }
    let collector = CustomReporter(needs: options.collectedDetails.internalForm) { event in
      if case .requestFinished(let request) = event { requests.withLock { $0.append(request) } }
    }
    var result = await run(reportingTo: [collector], interrupter)
    // Files run in parallel.
    result.requests = requests.withLock { $0 }.sorted { RequestResult.ID.isInOrder($0.id, $1.id) }
    return result
  }

  /// Runs everything, and returns its events. The last is ``RunEvent/runFinished(_:)``.
  ///
  /// The run starts immediately. It is cancelled, like ``run()``, if the iteration ends early.
  public func events(needs: RunEvent.Needs = [], interrupter: Interrupter? = nil) -> AsyncStream<RunEvent> {
    AsyncStream { continuation in
      let task = Task {
        let reporter = CustomReporter(needs: needs.internalForm) { continuation.yield($0) }
        let result = await run(reportingTo: [reporter], interrupter)
        continuation.yield(.runFinished(result))
        continuation.finish()
      }
      continuation.onTermination = { end in if case .cancelled = end { task.cancel() } }
    }
  }

  private func run(reportingTo collectors: [CustomReporter], _ interrupter: Interrupter?) async -> RunResult {
    let control = RunControl()
    interrupter?.add(control)
    defer { interrupter?.remove(control) }
    let revealed = Mutex<[String: JSONValue]>([:])
    var options = options
    if !options.revealedCaptures.isEmpty {
      options.onCapture = { [names = options.revealedCaptures] name, value in
        if names.contains(name) { revealed.withLock { $0[name] = JSONValue(value) } }
      }
    }
    let reporters = options.reports.map { $0.makeReporter(options) } + collectors
    // In a separate task: a cancelled one could run no teardown.
    let task = Task { [options] in
      var execution = RunExecution(options: options, control: control, reporters: reporters)
      return await execution.run()
    }
    var result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      control.cancel()
    }
    result.revealed.content = revealed.withLock { $0 }
    for report in options.reports { report.custom?.receive(.runFinished(result)) }
    return result
  }
}

/// Ends the runs that it is given to, as Ctrl-C does for the command.
public final class Interrupter: Sendable {
  private let controls = Mutex<[RunControl]>([])

  /// Creates an interrupter of no run yet.
  public init() {}

  /// Ends the current runs: requests in flight have 5 seconds, teardowns have 10; a second call aborts.
  ///
  /// - Parameter signal: the signal for ``RunResult/signal``.
  /// - Returns: the requests that have to be waited for.
  @discardableResult
  public func interrupt(signal: Int32 = 2) -> [RunningRequest] {
    controls.withLock { $0 }.flatMap { control in
      let running = control.underWay.all.map { RunningRequest($0, at: .now) }
      control.interrupt(signal: signal)
      return control.phase == .aborting ? [] : running
    }
  }

  fileprivate func add(_ control: RunControl) { controls.withLock { $0.append(control) } }
  fileprivate func remove(_ control: RunControl) { controls.withLock { $0.removeAll { $0 === control } } }
}
