import Diagnostics
import RunReports
import SpecExecution

/// A request of a run, and what came of it. All its text is masked.
public struct RequestResult: Sendable, Identifiable {
  /// Unique in a run.
  public struct ID: Sendable, Hashable {
    let step: StepID
  }

  public enum Outcome: Sendable, Hashable {
    case passed
    /// An assertion failed, or a capture found nothing.
    case failed
    /// There was no response, or not all of it.
    case transportError
    /// The spec is wrong, in a way that only running could tell.
    case specError
    case skipped(reason: String)
    /// The run only resolved it.
    case notSent
  }

  public enum Stage: String, Sendable {
    case setup, requests, teardown
  }

  public let id: ID
  /// The request that this one is part of, such as a stream; nil for one of the file itself.
  public let parent: ID?
  /// The path of the file as it was given.
  public let path: String
  /// The run of the file, 1-based.
  public let iteration: Int
  /// The first line in its file, 1-based.
  public let line: Int
  public let stage: Stage
  /// Its own name, or method and URL.
  public let name: String
  public let outcome: Outcome
  /// The time since 1970; nil unless ``RunEvent/Needs/starts`` are needed.
  public let start: Duration?
  /// The time that its exchanges took.
  public let duration: Duration
  /// The status of the last response; nil without one.
  public let status: Int?
  /// How often it was sent.
  public let attemptCount: Int
  /// The number of assertions that were evaluated.
  public let assertionCount: Int
  /// The assertions that failed. With ``RunEvent/Needs/assertions``, those of `expect` that passed come before them.
  public let assertions: [AssertionResult]
  /// What does not fail the request.
  public let warnings: [AssertionResult]
  /// The reason why there is no response, or no request.
  public let problem: Diagnostic?
  /// What was captured; empty unless ``RunEvent/Needs/captures`` are needed.
  public let captures: [(name: String, value: String)]
  /// What was sent and received; empty unless ``RunEvent/Needs/hops`` are needed.
  public let hops: [Hop]
  /// The request as a curl command, if it failed or ``RunEvent/Needs/curlCommands`` are needed.
  public let curlCommand: String?

  /// The assertions that failed.
  public var failures: [AssertionResult] { assertions.filter { !$0.isPassed } }

  /// Indicates whether the request failed in any way.
  public var isFailure: Bool {
    switch outcome {
    case .passed, .skipped, .notSent: false
    case .failed, .transportError, .specError: true
    }
  }

  init(_ report: StepReport, of file: FileStart, hops: [Hop]) {
    id = ID(step: report.id)
    parent = report.parent.map { ID(step: $0) }
    path = file.path
    iteration = file.iteration
    line = report.line
    stage = Stage(report.stage)
    name = report.name
    outcome = Outcome(report.outcome)
    start = report.start?.sinceEpoch
    duration = report.duration
    status = report.status
    attemptCount = report.attemptCount
    assertionCount = report.assertionCount
    assertions = report.passedAssertions.map { AssertionResult($0) } + report.failures.map { AssertionResult($0) }
    warnings = report.warnings.map { AssertionResult($0) }
    problem = report.problem.map { Diagnostic($0) }
    captures = report.captures
    self.hops = hops
    curlCommand = report.curlCommand
  }
}

/// An assertion, and what came of it.
public struct AssertionResult: Sendable {
  /// One place where structures, or texts of several lines, differ.
  public struct Difference: Sendable {
    /// A JSONPath, or a line.
    public let path: String
    /// Nil where nothing was expected.
    public let expected: String?
    /// Nil where nothing is there.
    public let actual: String?
    public let note: String?
  }

  public let isPassed: Bool
  /// What was looked at, such as `json $.user.id`.
  public let subject: String
  /// The failed predicate, such as `equals 1`.
  public let predicate: String
  /// The place of what was expected.
  public let location: SpecLocation?
  /// One line.
  public let message: String
  public let expected: String
  public let actual: String
  /// The first of them.
  public let differences: [Difference]
  /// What to write instead, or to look at, each in a line of its own.
  public let hint: String?

  init(_ report: AssertionReport) {
    isPassed = false
    subject = report.subject
    predicate = report.mismatch.predicate
    location = report.range.map { SpecLocation($0) }
    message = report.message
    expected = report.mismatch.expected
    actual = report.mismatch.actual
    differences = report.mismatch.differences.map {
      Difference(path: $0.path, expected: $0.expected, actual: $0.actual, note: $0.note)
    }
    hint = report.mismatch.hint
  }

  init(_ passed: PassedAssertion) {
    isPassed = true
    subject = passed.subject
    location = passed.range.map { SpecLocation($0) }
    (predicate, message, expected, actual, differences, hint) = ("", "\(passed.subject): passed", "", "", [], nil)
  }
}
