import OperatingSystem
import RunEvents
import RunScopes
import SpecExecution
import Synchronization

/// The progress of a run.
public struct RunProgress: Sendable {
  /// The number of finished runs of files.
  public let finishedFiles: Int
  /// The total number of runs of files.
  public let totalFiles: Int
  /// The number of finished requests.
  public let requests: Int
  /// The number of requests that failed in any way.
  public let failures: Int
  /// The transfers in progress, in the order of their starts. Uploads, downloads and playlists are always included,
  /// other bodies if they take more than a tenth of a second. A finished one is included once more.
  public let transfers: [RunTransfer]
  /// The requests in flight, the oldest first; secrets in their names are masked.
  public let running: [RunningRequest]

  package init(
    finishedFiles: Int, totalFiles: Int, requests: Int, failures: Int, transfers: [RunTransfer] = [],
    running: [RunningRequest] = []
  ) {
    self.running = running
    self.finishedFiles = finishedFiles
    self.totalFiles = totalFiles
    self.requests = requests
    self.failures = failures
    self.transfers = transfers
  }
}

/// A request in flight.
public struct RunningRequest: Sendable {
  /// The name, or method and URL.
  public let name: String
  /// The time since it was sent.
  public let duration: Duration

  package init(name: String, duration: Duration) {
    self.name = name
    self.duration = duration
  }
}

/// Converts events to progress reports, and sends some while there are no events.
struct ProgressCounter: FileEventSink {
  private struct State {
    var files = 0
    var requests = 0
    var failures = 0
    var transfers: [RunTransfer] = []
    var isOver = false
  }

  private static let interval = Duration.milliseconds(200)

  private final class Counts: Sendable {
    let state = Mutex(State())
  }

  private let counts = Counts()
  private let total: Int
  private let underWay: RequestsUnderWay
  private let report: @Sendable (RunProgress) -> Void

  init(total: Int, underWay: RequestsUnderWay, report: @escaping @Sendable (RunProgress) -> Void) {
    self.total = total
    self.underWay = underWay
    self.report = report
  }

  /// Starts sending progress reports until the end, on a thread of its own, since Swift's may all be busy.
  func begin() {
    _ = startThread {
      while !counts.state.withLock({ $0.isOver }) {
        pause(for: Self.interval)
        tell { _ in }
      }
    }
  }

  func end() { counts.state.withLock { $0.isOver = true } }

  func receive(_ event: FileEvent) {
    tell { counts in
      switch event {
      case .started, .leftOut, .groupStarted, .groupFinished, .stepStarted, .attemptStarted, .hopStarted, .hopFinished,
        .attemptFinished:
        break
      case .stepFinished(let request):
        counts.requests += 1
        if request.outcome.isFailure { counts.failures += 1 }
      case .finished: counts.files += 1
      }
    }
  }

  func receive(_ progress: TransferProgress) {
    let transfer = RunTransfer(progress)
    tell { counts in
      if let index = counts.transfers.firstIndex(where: { $0.id == transfer.id }) {
        counts.transfers[index] = transfer
      } else {
        counts.transfers.append(transfer)
      }
    }
  }

  private func tell(_ change: (inout State) -> Void) {
    let now = counts.state.withLock { state in
      change(&state)
      defer { state.transfers.removeAll { $0.isFinished } }
      return state
    }
    guard !now.isOver else { return }
    let time = ContinuousClock.now
    let running = underWay.all.map { RunningRequest(name: $0.name, duration: time - $0.start) }
    report(
      RunProgress(
        finishedFiles: now.files, totalFiles: total, requests: now.requests, failures: now.failures,
        transfers: now.transfers, running: running))
  }
}
