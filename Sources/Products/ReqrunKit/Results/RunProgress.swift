import OperatingSystem
import SpecExecution
import Synchronization

/// The progress of a run.
public struct RunProgress: Sendable, Hashable {
  /// The number of finished runs of files.
  public var finishedFiles: Int
  /// The number of files that run now.
  public var runningFiles = 0
  /// The total number of runs of files.
  public var totalFiles: Int
  /// The number of finished requests.
  public var requests: Int
  /// The number of requests that failed in any way.
  public var failures: Int
  /// The number of requests that finished per second, lately; nil if it is too early to say.
  public var requestsPerSecond: Double?
  /// The estimated time left; nil if it is unknown, such as while rows run.
  public var timeLeft: Duration?
  /// The transfers in progress, in the order of their starts. Uploads, downloads and playlists are always included,
  /// other bodies if they take more than a tenth of a second. A finished one is included once more.
  public var transfers: [RunTransfer]
  /// The requests in flight and the polls, the oldest first; secrets in their names are masked.
  public var running: [RunningRequest]

  /// Creates a progress report.
  public init(
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
public struct RunningRequest: Sendable, Hashable {
  /// The name, or method and URL.
  public let name: String
  /// The time since it was sent, or since its first round.
  public let duration: Duration
  /// The round of a poll, counted from 1; nil without one.
  public let round: Int?

  /// Creates a request in flight.
  public init(name: String, duration: Duration, round: Int? = nil) {
    self.name = name
    self.duration = duration
    self.round = round
  }

  init(_ entry: InFlightRequests.Entry, at time: ContinuousClock.Instant) {
    self.init(name: entry.name, duration: time - entry.start, round: entry.round)
  }
}

/// Converts events to progress reports, and sends some while there are no events.
struct ProgressCounter: FileEventSink {
  private struct State {
    var startedFiles = 0
    var files = 0
    var requests = 0
    var failures = 0
    var transfers: [RunTransfer] = []
    var pace: RequestPace
    var isOver = false
  }

  private static let interval = Duration.milliseconds(200)

  private final class Counts: Sendable {
    let state: Mutex<State>

    init(_ state: State) { self.state = Mutex(state) }
  }

  private let counts: Counts
  private let total: Int
  private let underWay: InFlightRequests
  private let report: @Sendable (RunProgress) -> Void

  init(
    files total: Int, requests: Int, underWay: InFlightRequests, report: @escaping @Sendable (RunProgress) -> Void
  ) {
    counts = Counts(State(pace: RequestPace(planned: requests)))
    self.total = total
    self.underWay = underWay
    self.report = report
  }

  /// Starts sending progress reports until the end, on a thread of its own, since Swift's may all be busy.
  func begin() {
    _ = startThread {
      while !counts.state.withLock({ $0.isOver }) {
        pause(for: Self.interval)
        update { _ in }
      }
    }
  }

  func end() { counts.state.withLock { $0.isOver = true } }

  func receive(_ event: FileEvent) {
    update { counts in
      counts.pace.receive(event)
      switch event {
      case .started: counts.startedFiles += 1
      case .leftOut, .groupStarted, .groupFinished, .stepStarted, .attemptStarted, .hopStarted, .hopFinished,
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
    update { counts in
      if let index = counts.transfers.firstIndex(where: { $0.id == transfer.id }) {
        counts.transfers[index] = transfer
      } else {
        counts.transfers.append(transfer)
      }
    }
  }

  private func update(_ change: (inout State) -> Void) {
    let now = counts.state.withLock { state in
      change(&state)
      state.pace.sample(at: .now)
      defer { state.transfers.removeAll { $0.isFinished } }
      return state
    }
    guard !now.isOver else { return }
    let time = ContinuousClock.now
    var progress = RunProgress(
      finishedFiles: now.files, totalFiles: total, requests: now.requests, failures: now.failures,
      transfers: now.transfers, running: underWay.all.map { RunningRequest($0, at: time) })
    progress.runningFiles = now.startedFiles - now.files
    progress.requestsPerSecond = now.pace.perSecond(at: time)
    progress.timeLeft = now.transfers.isEmpty ? now.pace.timeLeft(at: time) : nil
    report(progress)
  }
}
