import RunPlanning
import SpecExecution

/// How a run ended.
public struct RunResult: Sendable {
  /// Requests that met all expectations.
  public var passed = 0
  /// Requests with an expectation that was not met.
  public var failed = 0
  /// Requests without a response.
  public var transportErrors = 0
  /// Requests that could not be made out of their spec.
  public var specErrors = 0
  /// Requests that were left out.
  public var skipped = 0
  /// Files that could not be read, or are wrong.
  public var unreadableFiles = 0
  /// Reports that could not be written.
  public var unwrittenReports = 0
  /// Snapshots that were not there before.
  public var snapshotsWritten = 0
  /// Snapshots that were stored anew.
  public var snapshotsUpdated = 0
  /// The files of snapshots that no request has; told, or removed, where snapshots are updated.
  public var unusedSnapshots: [String] = []
  /// Whether no request was selected.
  public var selectedNothing = false
  /// Whether the run was ended since its longest time was over.
  public var exceededTime = false
  /// Whether fewer operations of contracts were exercised than the least that was asked for.
  public var coverageIsTooLow = false
  /// The signal that interrupted the run.
  public var signal: Int32?
  /// Whether the run was ended since its task was cancelled.
  public var isCancelled = false
  /// The requests, by the order of their files; empty if ``RunOptions/collectsRequests`` is false.
  public var requests: [RequestResult] = []
  /// What is wrong with files and options, and with reports that could not be written.
  public var diagnostics: [Diagnostic] = []
  /// What ran. It goes with the result, so that who ends the process need not wait until it is freed.
  var plan: KeptPlan?

  /// What a process says of the run: 0 all passed, 1 an expectation failed, the time was over or the coverage too low,
  /// 2 a spec error, 3 transport errors only, 4 nothing was selected, 5 a report could not be written, 130 and 143
  /// interrupted.
  public var exitCode: Int32 {
    if let signal { return 128 + signal }
    if isCancelled { return 130 }
    if unreadableFiles > 0 || specErrors > 0 { return 2 }
    if failed > 0 || exceededTime || coverageIsTooLow { return 1 }
    if transportErrors > 0 { return 3 }
    if selectedNothing { return 4 }
    return unwrittenReports > 0 ? 5 : 0
  }

  /// Indicates whether everything that was selected ran and passed.
  public var isSuccess: Bool { exitCode == 0 }

  mutating func add(_ counts: OutcomeCounts) {
    passed += counts.passed
    failed += counts.failed
    transportErrors += counts.transportErrors
    specErrors += counts.specErrors
    skipped += counts.skipped
    snapshotsWritten += counts.snapshotsWritten
    snapshotsUpdated += counts.snapshotsUpdated
  }
}

/// A plan that is kept, but not shown: it has the values of secrets.
final class KeptPlan: Sendable {
  private let files: [PlannedFile]

  init(_ files: [PlannedFile]) { self.files = files }
}
