import RunReports
import SpecExecution
import Values

/// A request of a run, and its result. All its text is masked. What wasn't asked for is nil: see
/// ``RunOptions/collectedDetails``.
public struct RequestResult: Sendable, Hashable, Codable, Identifiable {
  /// An identifier, unique in a run.
  public struct ID: Sendable, Hashable, Codable {
    private let file: Int
    private let number: Int

    /// Creates an identifier, for tests of a reporter.
    public init(file: Int = 0, number: Int) { (self.file, self.number) = (file, number) }

    init(_ step: StepID) { self.init(file: step.file, number: step.number) }

    /// The order of the files.
    static func isInOrder(_ first: ID, _ second: ID) -> Bool { first.file < second.file }
  }

  /// The outcome of a request.
  public enum Outcome: Sendable, Hashable, Codable {
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
  public enum Stage: String, Sendable, Codable {
    case setup, requests, teardown
  }

  /// The identifier.
  public var id: ID
  /// The group or the request that contains this one, such as a flow or a stream; nil for one of the file itself.
  public var parent: ID?
  /// The path of the file as it was given.
  public var path: String
  /// The number of the file's run, counted from 1.
  public var iteration = 1
  /// The first line in its file, counted from 1.
  public var line: Int
  /// The stage of the request in its file.
  public var stage = Stage.requests
  /// The request's own name, or method and URL.
  public var name: String
  /// The outcome.
  public var outcome: Outcome
  /// The time since 1970; nil unless ``RunEvent/Needs/starts`` are needed.
  public var start: Duration?
  /// The time that its exchanges took, with the pauses between them.
  public var duration = Duration.zero
  /// The status of the last response; nil without one.
  public var status: Int?
  /// The number of times it was sent.
  public var attemptCount = 1
  /// The number of rounds of a poll; 0 without one.
  public var roundCount = 0
  /// The attempts of a request that may be sent again; of very many the first and the last.
  public var attempts: [RunEvent.Attempt] = []
  /// The number of assertions that were evaluated.
  public var assertionCount = 0
  /// The failed assertions. With ``RunEvent/Needs/assertions``, passed ones of `expect` precede them.
  public var assertions: [AssertionResult] = []
  /// Problems that don't fail the request.
  public var warnings: [AssertionResult] = []
  /// The reason why there is no response, or no request.
  public var problem: Diagnostic?
  /// The captured values by name, their secrets masked; nil unless ``RunEvent/Needs/captures`` are needed.
  public var captures: [String: JSONValue]?
  /// The requests that were sent and their responses; nil unless ``RunEvent/Needs/hops`` are needed.
  public var hops: [Hop]?
  /// The request as a curl command, if it failed or ``RunEvent/Needs/curlCommands`` are needed.
  public var curlCommand: String?

  /// Creates the result of a request, for tests of a reporter.
  public init(_ name: String, _ outcome: Outcome, id: ID = ID(number: 1), path: String = "", line: Int = 1) {
    (self.name, self.outcome, self.id, self.path, self.line) = (name, outcome, id, path, line)
  }

  /// The last response; nil if there was none, or unless ``RunEvent/Needs/hops`` are needed.
  public var response: Hop.Response? { hops?.last { !$0.isPart }?.response }

  /// The assertions that failed.
  public var failures: [AssertionResult] { assertions.filter { !$0.isPassed } }

  /// Indicates whether the request failed in any way.
  public var isFailure: Bool {
    switch outcome {
    case .passed, .skipped, .notSent: false
    case .failed, .transportError, .specError: true
    }
  }

  init(_ report: StepReport, of file: FileStart, hops: [Hop]?, _ needs: ReportNeeds) {
    self.init(
      report.name, Outcome(report.outcome), id: ID(report.id), path: report.path ?? file.path, line: report.line)
    parent = report.parent.map { ID($0) }
    iteration = file.iteration
    stage = Stage(report.stage)
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
    if needs.contains(.wholeCaptures) {
      captures = Dictionary(
        report.captures.map { ($0.name, $0.whole.map { JSONValue($0) } ?? .string($0.value)) },
        uniquingKeysWith: { $1 })
    }
    self.hops = hops
    curlCommand = report.curlCommand
  }
}

/// An assertion, and its result.
public struct AssertionResult: Sendable, Hashable, Codable {
  /// A difference between structures, or texts of several lines.
  public struct Difference: Sendable, Hashable, Codable {
    /// A JSONPath, or a line.
    public var path: String
    /// Nil if nothing was expected.
    public var expected: String?
    /// Nil if nothing is there.
    public var actual: String?
    /// A remark on the difference, such as that only letter case differs.
    public var note: String?

    /// Creates a difference, for tests of a reporter.
    public init(at path: String, expected: String?, actual: String?, note: String? = nil) {
      (self.path, self.expected, self.actual, self.note) = (path, expected, actual, note)
    }
  }

  /// Indicates whether the assertion passed.
  public var isPassed: Bool
  /// The subject, such as `json $.user.id`.
  public var subject: String
  /// The predicate, such as `equals 1`; may be empty.
  public var predicate = ""
  /// The place of the expectation.
  public var location: SpecLocation?
  /// The message in one line.
  public var message: String
  /// The expected value, shortened; empty if the assertion passed.
  public var expected = ""
  /// The actual value, shortened; empty if the assertion passed.
  public var actual = ""
  /// The first differences; none if the assertion passed.
  public var differences: [Difference] = []
  /// Advice on what to write or to check, one hint per line.
  public var hint: String?

  /// Creates a failed assertion, for tests of a reporter.
  public init(failed subject: String, expected: String, actual: String, at location: SpecLocation? = nil) {
    isPassed = false
    message = "\(subject): expected \(expected), actual \(actual)"
    (self.subject, self.expected, self.actual, self.location) = (subject, expected, actual, location)
  }

  /// Creates an assertion that passed, for tests of a reporter.
  public init(passed subject: String, at location: SpecLocation? = nil) {
    (isPassed, message) = (true, "\(subject): passed")
    (self.subject, self.location) = (subject, location)
  }

  init(_ report: AssertionReport) {
    self.init(
      failed: report.subject, expected: report.mismatch.expected, actual: report.mismatch.actual,
      at: report.range.map { SpecLocation($0) })
    predicate = report.mismatch.predicate
    message = report.message
    differences = report.mismatch.differences.map {
      Difference(at: $0.path, expected: $0.expected, actual: $0.actual, note: $0.note)
    }
    hint = report.mismatch.hint.map(RunOptions.naming)
  }

  init(_ passed: PassedAssertion) {
    self.init(passed: passed.subject, at: passed.range.map { SpecLocation($0) })
    predicate = passed.predicate
  }
}
