import RunPlanning

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
  /// Files that are not formatted, where that was only checked.
  public var unformattedFiles = 0
  /// The signal that interrupted the run.
  public var signal: Int32?
  /// What ran. It goes with the result, so that who ends the process need not wait until it is freed.
  var files: [PlannedFile] = []

  /// What a process says of the run: 0 all passed, 1 an expectation failed, the time was over, the
  /// coverage too low or a file not formatted, 2 a spec error, 3 transport errors only,
  /// 4 nothing was selected, 5 a report could not be written, 130 and 143 interrupted.
  public var exitCode: Int32 {
    if let signal { return 128 + signal }
    if unreadableFiles > 0 || specErrors > 0 { return 2 }
    if failed > 0 || exceededTime || coverageIsTooLow || unformattedFiles > 0 { return 1 }
    if transportErrors > 0 { return 3 }
    if selectedNothing { return 4 }
    return unwrittenReports > 0 ? 5 : 0
  }
}
