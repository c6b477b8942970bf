import SpecExecution

/// The rate of finished requests, and the estimated time left.
package struct RequestPace: Sendable {
  /// The time over which the rate is measured.
  private static let window = Duration.seconds(5)
  private static let interval = Duration.milliseconds(200)
  private static let minTime = Duration.seconds(1)

  private let planned: Int
  private let start: ContinuousClock.Instant
  /// The finished requests at earlier times, the oldest first.
  private var samples: [(time: ContinuousClock.Instant, count: Int)] = []
  private var finished = 0
  /// The finished requests that were planned: rows are not known before.
  private var finishedPlanned = 0
  /// The groups with rows, and those in them.
  private var rows: Set<StepID> = []

  /// - Parameter planned: the number of requests without rows; 0 if it is unknown.
  package init(planned: Int, start: ContinuousClock.Instant = .now) {
    self.planned = planned
    self.start = start
    samples = [(start, 0)]
  }

  package mutating func receive(_ event: FileEvent) {
    switch event {
    case .groupStarted(let group):
      if group.kind == .rows || group.parent.map(rows.contains) == true { rows.insert(group.id) }
    case .groupFinished(let group): rows.remove(group.id)
    case .stepFinished(let report):
      finished += 1
      if report.group.map(rows.contains) != true { finishedPlanned += 1 }
    case .started, .stepStarted, .attemptStarted, .hopStarted, .hopFinished, .attemptFinished, .finished, .leftOut:
      break
    }
  }

  /// Notes the finished requests at a time.
  package mutating func sample(at time: ContinuousClock.Instant) {
    guard let last = samples.last, time - last.time >= Self.interval else { return }
    samples.append((time, finished))
    let old = samples.prefix { time - $0.time > Self.window }.count
    samples.removeFirst(min(old, samples.count - 2))
  }

  /// The number of requests that finished per second, lately; nil if it is too early to say.
  package func perSecond(at time: ContinuousClock.Instant) -> Double? {
    guard let first = samples.first, time - first.time >= Self.minTime else { return nil }
    return Double(finished - first.count) / ((time - first.time) / .seconds(1))
  }

  /// The estimated time left; nil if it is unknown.
  package func timeLeft(at time: ContinuousClock.Instant) -> Duration? {
    let elapsed = time - start
    guard rows.isEmpty, finishedPlanned > 0, finishedPlanned < planned, elapsed >= Self.minTime else { return nil }
    return elapsed * (Double(planned - finishedPlanned) / Double(finishedPlanned))
  }
}
