import SpecExecution
import Synchronization

/// How far a run is.
public struct RunProgress: Sendable {
  /// Runs of files that are over.
  public let finishedFiles: Int
  /// Runs of files in all.
  public let totalFiles: Int
  /// Requests that are over.
  public let requests: Int
  /// Those that failed in any way.
  public let failures: Int
}

/// Counts events into progress.
struct ProgressCounter: FileEventSink {
  private final class Counts: Sendable {
    let state = Mutex((files: 0, requests: 0, failures: 0))
  }

  private let counts = Counts()
  private let total: Int
  private let report: @Sendable (RunProgress) -> Void

  init(total: Int, report: @escaping @Sendable (RunProgress) -> Void) {
    self.total = total
    self.report = report
  }

  func receive(_ event: FileEvent) async {
    let now = counts.state.withLock { counts in
      switch event {
      case .started, .leftOut: break
      case .requestFinished(let request):
        counts.requests += 1
        if request.outcome.isFailure { counts.failures += 1 }
      case .finished: counts.files += 1
      }
      return counts
    }
    report(
      RunProgress(finishedFiles: now.files, totalFiles: total, requests: now.requests, failures: now.failures))
  }
}
