import RunReports
import SpecExecution
import Values

/// A request of a run, and its result. All its text is masked.
public struct RequestResult: Sendable, Identifiable {
  /// An identifier, unique in a run.
  public struct ID: Sendable, Hashable {
    let step: StepID
  }

  /// The outcome of a request.
  public enum Outcome: Sendable, Hashable {
    case passed
    /// An assertion failed, or a capture found nothing.
    case failed
    /// The network failed: no response, or not all of it.
    case transportError
    /// The spec has an error that only running could find.
    case specError
    case skipped(reason: String)
    /// The run only resolved it.
    case notSent
  }

  /// The stage of a request in its file.
  public enum Stage: String, Sendable {
    case setup, requests, teardown
  }

  /// The identifier.
  public let id: ID
  /// The group or the request that contains this one, such as a flow or a stream; nil for one of the file itself.
  public let parent: ID?
  /// The path of the file as it was given.
  public let path: String
  /// The number of the file's run, counted from 1.
  public let iteration: Int
  /// The first line in its file, counted from 1.
  public let line: Int
  /// The stage of the request in its file.
  public let stage: Stage
  /// The request's own name, or method and URL.
  public let name: String
  /// The outcome.
  public let outcome: Outcome
  /// The time since 1970; nil unless ``RunEvent/Needs/starts`` are needed.
  public let start: Duration?
  /// The time that its exchanges took, with the pauses between them.
  public let duration: Duration
  /// The status of the last response; nil without one.
  public let status: Int?
  /// The number of times it was sent.
  public let attemptCount: Int
  /// The number of rounds of a poll; 0 without one.
  public let roundCount: Int
  /// The attempts of a request that may be sent again; of very many the first and the last.
  public let attempts: [RunEvent.Attempt]
  /// The number of assertions that were evaluated.
  public let assertionCount: Int
  /// The failed assertions. With ``RunEvent/Needs/assertions``, passed ones of `expect` precede them.
  public let assertions: [AssertionResult]
  /// Problems that don't fail the request.
  public let warnings: [AssertionResult]
  /// The reason why there is no response, or no request.
  public let problem: Diagnostic?
  /// Captured values; empty unless ``RunEvent/Needs/captures`` are needed.
  public let captures: [(name: String, value: String)]
  /// The requests that were sent and their responses; empty unless ``RunEvent/Needs/hops`` are needed.
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
    path = report.path ?? file.path
    iteration = file.iteration
    line = report.line
    stage = Stage(report.stage)
    name = report.name
    outcome = Outcome(report.outcome)
    start = report.start?.sinceEpoch
    duration = report.duration
    status = report.status
    attemptCount = report.attemptCount
    roundCount = report.roundCount
    attempts = report.attempts.map { RunEvent.Attempt($0) }
    assertionCount = report.assertionCount
    assertions = report.passedAssertions.map { AssertionResult($0) } + report.failures.map { AssertionResult($0) }
    warnings = report.warnings.map { AssertionResult($0) }
    problem = report.problem.map { Diagnostic($0) }
    captures = report.captures
    self.hops = hops
    curlCommand = report.curlCommand
  }
}

/// An assertion, and its result.
public struct AssertionResult: Sendable {
  /// A difference between structures, or texts of several lines.
  public struct Difference: Sendable {
    /// A JSONPath, or a line.
    public let path: String
    /// Nil if nothing was expected.
    public let expected: String?
    /// Nil if nothing is there.
    public let actual: String?
    /// A remark on the difference, such as that only letter case differs.
    public let note: String?
  }

  /// Indicates whether the assertion passed.
  public let isPassed: Bool
  /// The subject, such as `json $.user.id`.
  public let subject: String
  /// The failed predicate, such as `equals 1`.
  public let predicate: String
  /// The place of the expectation.
  public let location: SpecLocation?
  /// The message in one line.
  public let message: String
  /// The expected value, shortened.
  public let expected: String
  /// The actual value, shortened.
  public let actual: String
  /// The first differences.
  public let differences: [Difference]
  /// Advice on what to write or to check, one hint per line.
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
