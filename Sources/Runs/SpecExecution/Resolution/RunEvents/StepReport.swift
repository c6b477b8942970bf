import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Templates
import Values

/// The end of a step: the complete report on a request.
package struct StepReport: Sendable {
  package let id: StepID
  /// The step that contains this one; nil for a step of the file itself.
  package let parent: StepID?
  /// The innermost group around it; nil for a step of the file itself.
  package var group: StepID?
  package var stage = RequestStage.requests
  package var name = ""
  /// The path of its file, if that is used by the file of the run.
  package var path: String?
  /// The line of the request in its file, counted from 1.
  package var line: Int
  package var outcome = RequestOutcome.passed
  /// Nil unless a reporter needs times.
  package var start: Timestamp?
  /// The tags of the request, its file and its flow; empty unless a reporter needs starts.
  package var tags: [String] = []
  package var duration = Duration.zero
  /// The number of attempts; 0 if nothing was sent.
  package var attemptCount = 0
  /// The number of rounds of a poll; 0 without one.
  package var roundCount = 0
  /// The attempts of a request that may be sent again; of very many the first and the last.
  package var attempts: [AttemptReport] = []
  package var status: Int?
  /// Nil if the problem is that of a group.
  package var transport: TransportDecision?
  /// The cache's part in the final response; nil without a cache.
  package var cache: CacheOutcome?
  package var assertionCount = 0
  package var failures: [AssertionReport] = []
  /// Passed assertions of `expect`, only if a reporter needs them.
  package var passedAssertions: [PassedAssertion] = []
  package var skippedAssertions: [SkippedAssertions] = []
  /// Problems that don't fail the request: parts of it that violate its contract.
  package var warnings: [AssertionReport] = []
  package var transfer: TransferReport?
  /// The snapshot of the response that was stored.
  package var snapshotChange: SnapshotChange?
  /// The reason why there is no response, or no request.
  package var problem: Diagnostic?
  /// The request as a curl command; only if it was asked for or something failed.
  package var curlCommand: String?
  /// The same with its secrets, for the console alone; only if it was asked for.
  package var openCurlCommand: String?
  /// Indicates whether the rest of the file is skipped for the same reason.
  package var isSkippedWithRest = false
  /// Indicates whether it was skipped although the spec wants it: after a failure, or since the run ended.
  package var isUnreached = false
  /// Indicates whether the same request would fail in the same way again.
  package var isLasting = false
  /// Captured values, only if a reporter needs them.
  package var captures: [CapturedValue] = []

  /// The request's first line, for problems without a place of their own.
  package var place: SourceRange?
  /// The name that had no value, if that is the problem.
  package var unsetName: String?

  package init(
    id: StepID, parent: StepID?, name: String, line: Int, transport: TransportDecision? = nil
  ) {
    self.id = id
    self.parent = parent
    self.name = name
    self.line = line
    self.transport = transport
  }
}

/// A captured value, masked.
package struct CapturedValue: Sendable {
  package var name: String
  /// The value as text, shortened.
  package var value: String
  /// The whole value; nil unless a reporter needs it.
  package var whole: Value?

  package init(name: String, value: String, whole: Value? = nil) {
    self.name = name
    self.value = value
    self.whole = whole
  }
}

extension StepReport {
  private static let attemptLimit = 100

  package mutating func add(_ attempt: AttemptReport) {
    if attempts.count == StepReport.attemptLimit { attempts.remove(at: StepReport.attemptLimit / 2) }
    attempts.append(attempt)
  }

  /// The problem in words; nil without one.
  package var message: String? {
    if let problem { return problem.message }
    guard let first = failures.first else { return nil }
    let more = failures.reduce(-1) { $0 + 1 + $1.dependents.count }
    return first.message + (more > 0 ? " (and \(more) more)" : "")
  }

  /// Adds a hint to the problem, or else to the first failure.
  package mutating func addHint(_ hint: String) {
    if let problem {
      self.problem = Diagnostic(
        problem.severity, problem.code, problem.message, at: problem.range, notes: problem.notes,
        help: problem.help.map { "\($0)\($0.hasSuffix("?") ? " " : "; ")\(hint)" } ?? hint)
    } else if !failures.isEmpty {
      failures[0].mismatch.hint = failures[0].mismatch.hint.map { "\(hint)\n\($0)" } ?? hint
    }
  }

  /// Takes the attempts from the report of a round after this one, whose results don't count.
  package mutating func takeAttempts(of later: StepReport) {
    (attemptCount, roundCount, attempts) = (later.attemptCount, later.roundCount, later.attempts)
  }

  /// Notes that it was in flight when the run had to end.
  package mutating func cutShort(_ control: RunControl, at range: SourceRange?, help: String? = nil) {
    let reason = "cut short: \(control.reason)"
    guard control.exceededTime != nil else {
      outcome = .skipped(reason: reason + (help.map { "; \($0)" } ?? ""))
      return
    }
    outcome = .failed
    problem = .error(.failedRequest, reason, at: range ?? place, help: help)
  }

  /// Replaces all results of an evaluation that was interrupted.
  ///
  /// - Parameter subject: the subject at which the budget was used up.
  package mutating func fail(
    _ exhaustion: EvaluationBudget.Exhaustion, limit: Duration, _ control: RunControl, subject: String,
    at range: SourceRange?
  ) {
    failures = []
    warnings = []
    skippedAssertions = []
    captures = []
    snapshotChange = nil
    problem = nil
    switch exhaustion {
    case .stopped: cutShort(control, at: range)
    case .time:
      outcome = .failed
      problem = .error(
        .failedRequest, "evaluating the response took longer than \(durationText(limit)) (it was at: \(subject))",
        at: range ?? place, help: "ask for less of so large a response, or set a longer `timeout`")
    }
  }

  /// Adds an error in the spec that only running could find.
  package mutating func fail(_ error: TemplateError, registry: SecretRegistry) {
    outcome = .specError
    unsetName = error.unsetName
    problem = .error(
      error.code, registry.masked(message: error.message), at: error.range ?? place, notes: error.notes,
      help: error.help.map(registry.masked(message:)))
  }
}
