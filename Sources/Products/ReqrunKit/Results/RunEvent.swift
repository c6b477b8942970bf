import RequestSpecs
import SpecExecution
import Values

/// An event of a run. Those of a file are in order, but files run in parallel. Times are since 1970.
public enum RunEvent: Sendable, Equatable {
  /// The optional events, and parts of events, that a reporter needs: nothing else is collected.
  public struct Needs: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// `requestStarted`, `attemptStarted`, `hopStarted`, and ``RequestResult/start``.
    public static let starts = Needs(.starts)
    /// `attemptFinished`.
    public static let attempts = Needs(.attempts)
    /// `hopFinished`, and ``RequestResult/hops``.
    public static let hops = Needs(.hops)
    /// The bodies of hops.
    public static let bodies = Needs([.hops, .bodies])
    /// The beginnings of the bodies of hops.
    package static let bodyBeginnings = Needs([.hops, .bodyBeginnings])
    /// ``RequestResult/captures``.
    public static let captures = Needs([.captures, .wholeCaptures])
    /// The assertions that passed.
    public static let assertions = Needs(.assertions)
    /// ``RequestResult/curlCommand`` of each request.
    public static let curlCommands = Needs(.curlCommands)

    private init(_ needs: ReportNeeds) { rawValue = needs.rawValue }

    var internalForm: ReportNeeds { ReportNeeds(rawValue: rawValue) }
  }

  /// One run of one file.
  public struct File: Sendable, Hashable {
    /// The position in the order of the files, counted from 0; unique in a run.
    public var position = 0
    /// The path as it was given.
    public var path: String
    /// The file's own name.
    public var name: String?
    /// The number of the repetition, counted from 1; see ``RunOptions/repeat``.
    public var iteration = 1
    /// The difference from other runs of the file, if others need it: the values of its variables, or `teardown`.
    public var variant: String?
    /// The time of the start.
    public var start = Duration.zero

    /// Creates a file, for tests of a reporter.
    public init(path: String) { self.path = path }

    init(_ start: FileStart) {
      position = start.position
      path = start.path
      name = start.name
      iteration = start.iteration
      variant = start.variant
      self.start = start.time.sinceEpoch
    }
  }

  /// The start of a group of requests, such as a flow.
  public struct Group: Sendable, Hashable, Identifiable {
    /// The identifier, which is the parent of its requests.
    public var id: RequestResult.ID
    /// The group that contains this one; nil for one of the file itself.
    public var parent: RequestResult.ID?
    /// The path of the file as it was given.
    public var path: String
    /// The first line in its file, counted from 1.
    public var line: Int
    /// The name, or the place without one.
    public var name: String
    /// The time of the start.
    public var start = Duration.zero

    /// Creates a group, for tests of a reporter.
    public init(_ name: String, id: RequestResult.ID, path: String = "", line: Int = 1) {
      (self.name, self.id, self.path, self.line) = (name, id, path, line)
    }

    init(_ start: GroupStart, path: String) {
      id = RequestResult.ID(start.id)
      parent = start.parent.map { RequestResult.ID($0) }
      self.path = path
      line = start.line
      name = start.name
      self.start = start.time.sinceEpoch
    }
  }

  /// The start of a request.
  public struct Request: Sendable, Hashable, Identifiable {
    /// The identifier.
    public var id: RequestResult.ID
    /// The group or request that contains this one; nil for one of the file itself.
    public var parent: RequestResult.ID?
    /// The path of the file as it was given.
    public var path: String
    /// The first line in its file, counted from 1.
    public var line: Int
    /// The stage of the request in its file.
    public var stage = RequestResult.Stage.requests
    /// The request's own name, or method and URL.
    public var name: String
    /// The time of the start.
    public var start = Duration.zero

    /// Creates a request, for tests of a reporter.
    public init(_ name: String, id: RequestResult.ID, path: String = "", line: Int = 1) {
      (self.name, self.id, self.path, self.line) = (name, id, path, line)
    }

    init(_ start: StepStart, path: String) {
      id = RequestResult.ID(start.id)
      parent = start.parent.map { RequestResult.ID($0) }
      self.path = path
      line = start.line
      stage = RequestResult.Stage(start.stage)
      name = start.name
      self.start = start.time.sinceEpoch
    }
  }

  /// The end of an attempt.
  public struct Attempt: Sendable, Hashable, Codable {
    /// The request that the attempt belongs to.
    public var requestID: RequestResult.ID
    /// The number, counted from 1.
    public var number: Int
    /// The time of the start.
    public var start = Duration.zero
    /// The duration of the attempt.
    public var duration = Duration.zero
    /// The outcome of the request if no other attempt follows.
    public var outcome: RequestResult.Outcome
    /// The status of the last response; nil without one.
    public var status: Int?
    /// The round of a poll, counted from 1; nil without one.
    public var round: Int?
    /// The reason why it isn't the one that was wanted; nil if it is.
    public var reason: String?

    /// Creates an attempt, for tests of a reporter.
    public init(_ number: Int, of requestID: RequestResult.ID, _ outcome: RequestResult.Outcome) {
      (self.number, self.requestID, self.outcome) = (number, requestID, outcome)
    }

    init(_ report: AttemptReport) {
      requestID = RequestResult.ID(report.step)
      number = report.number
      start = report.start.sinceEpoch
      duration = report.duration
      outcome = RequestResult.Outcome(report.outcome)
      status = report.status
      round = report.round
      reason = report.reason
    }
  }

  /// The numbers of a finished group, or a finished run of a file.
  public struct Totals: Sendable, Hashable, Codable {
    /// The number of passed requests.
    public var passed = 0
    /// The number of requests with a failed assertion or capture.
    public var failed = 0
    /// The number of requests without a response.
    public var transportErrors = 0
    /// The number of requests with an error in their spec.
    public var specErrors = 0
    /// The number of skipped requests.
    public var skipped = 0
    /// The duration of the group or the file's run.
    public var duration = Duration.zero

    /// Creates totals of nothing.
    public init() {}

    init(_ counts: OutcomeCounts, _ duration: Duration) {
      passed = counts.passed
      failed = counts.failed
      transportErrors = counts.transportErrors
      specErrors = counts.specErrors
      skipped = counts.skipped
      self.duration = duration
    }
  }

  /// Problems with files or options; reported before the run, and if a report cannot be written.
  case diagnostics([Diagnostic])
  /// - Parameter files: the number of runs of files that follow, repetitions included.
  case runStarted(files: Int, start: Duration)
  case fileStarted(File)
  case requestStarted(Request)
  case attemptStarted(RequestResult.ID, number: Int, start: Duration)
  case hopStarted(RequestResult.ID, attempt: Int, number: Int, start: Duration)
  case hopFinished(Hop)
  case attemptFinished(Attempt)
  case requestFinished(RequestResult)
  case groupStarted(Group)
  case groupFinished(RequestResult.ID, Totals)
  case fileFinished(File, Totals)
  case runFinished(RunResult)
}

extension RequestResult.Stage {
  init(_ stage: RequestStage) {
    self =
      switch stage {
      case .setup: .setup
      case .requests: .requests
      case .teardown: .teardown
      }
  }
}

extension RequestResult.Outcome {
  init(_ outcome: RequestOutcome) {
    self =
      switch outcome {
      case .passed: .passed
      case .failed: .failed
      case .transportError: .transportError
      case .specError: .specError
      case .skipped(let reason): .skipped(reason: RunOptions.naming(reason))
      case .notSent: .notSent
      }
  }
}

extension Timestamp {
  var sinceEpoch: Duration { .seconds(seconds) + .nanoseconds(Int64(nanoseconds)) }
}
