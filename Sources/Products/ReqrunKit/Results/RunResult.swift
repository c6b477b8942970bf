import RequestSpecs
import SpecExecution

/// The result of a run.
public struct RunResult: Sendable, Hashable, Codable {
  /// The number of requests that met all expectations.
  public var passed = 0
  /// The number of requests with a failed assertion.
  public var failed = 0
  /// The number of requests without a response.
  public var transportErrors = 0
  /// The number of requests that could not be resolved from their spec.
  public var specErrors = 0
  /// The number of requests that were skipped.
  public var skipped = 0
  /// The number of files that are unreadable or invalid.
  public var unreadableFiles = 0
  /// The number of reports that could not be written.
  public var unwrittenReports = 0
  /// The number of new snapshots.
  public var snapshotsWritten = 0
  /// The number of updated snapshots.
  public var snapshotsUpdated = 0
  /// The files of snapshots that no request uses; listed, or removed, if snapshots are updated.
  public var unusedSnapshots: [String] = []
  /// Indicates whether no request was selected.
  public var selectedNothing = false
  /// Indicates whether every request was skipped.
  public var skippedAll = false
  /// The outcomes of ``RunOptions/failOn`` that occurred.
  public var forbiddenOutcomes: Set<FailOn> = []
  /// Indicates whether the run exceeded its time limit.
  public var exceededTime = false
  /// Indicates whether fewer operations of contracts were covered than required.
  public var coverageIsTooLow = false
  /// The signal that interrupted the run.
  public var signal: Int32?
  /// Indicates whether the run was ended since its task was cancelled.
  public var isCancelled = false
  /// The requests, in the order of their files; empty if ``RunOptions/collectsRequests`` is false.
  public var requests: [RequestResult] = []
  /// Problems with files and options, and with reports that could not be written.
  public var diagnostics: [Diagnostic] = []
  /// The plans of the run, kept so that the end of the process need not wait until they are freed. They contain the
  /// values of secrets.
  var plan = Hidden<[PlannedFile]>()
  /// The captured values of ``RunOptions/revealedCaptures``, with their secrets.
  var revealed = Hidden<[String: JSONValue]>()
  /// The exit code of the run that was reported again.
  var replayedExitCode: Int32?

  private enum CodingKeys: CodingKey {
    case passed, failed, transportErrors, specErrors, skipped, unreadableFiles, unwrittenReports, snapshotsWritten
    case snapshotsUpdated, unusedSnapshots, selectedNothing, skippedAll, forbiddenOutcomes, exceededTime
    case coverageIsTooLow, signal, isCancelled, requests, diagnostics, replayedExitCode
  }

  /// Creates the result of a run of nothing, for tests of a reporter.
  public init() {}

  /// The values that all requests captured, by name, their secrets masked; of the same name, the last one. Nil unless
  /// ``RunEvent/Needs/captures`` are in ``RunOptions/collectedDetails``.
  public var captures: [String: JSONValue]? {
    requests.reduce(into: nil) { all, request in
      if let own = request.captures { all = (all ?? [:]).merging(own) { $1 } }
    }
  }

  /// Returns the last value that was captured under a name of ``RunOptions/revealedCaptures``, with its secrets. It is
  /// no part of anything that is printed, compared or encoded.
  public func revealedCapture(_ name: String) -> JSONValue? { revealed.content?[name] }

  /// The exit code of the run: 0 all passed, 1 an assertion failed, the time limit was exceeded, the coverage is too low
  /// or an outcome was forbidden, 2 an invalid spec, 3 network failures only, 4 nothing was selected, or all of it
  /// skipped, 5 a report could not be written, 130, 143 and 129 interrupted.
  public var exitCode: Int32 {
    if let replayedExitCode { return replayedExitCode == 0 && unwrittenReports > 0 ? 5 : replayedExitCode }
    if let signal { return 128 + signal }
    if isCancelled { return 130 }
    if unreadableFiles > 0 || specErrors > 0 { return 2 }
    if failed > 0 || exceededTime || coverageIsTooLow || !forbiddenOutcomes.isEmpty { return 1 }
    if transportErrors > 0 { return 3 }
    if selectedNothing || skippedAll { return 4 }
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

/// An outcome that may fail a run.
public enum FailOn: String, Sendable, CaseIterable, Codable {
  /// A request was skipped.
  case skipped
  /// A warning was reported.
  case warnings

  /// The outcome as a reason.
  var reason: String {
    switch self {
    case .skipped: "requests were skipped"
    case .warnings: "there were warnings"
    }
  }
}
