import Diagnostics
import EvaluationBudgets
import HTTPMessages
import RequestSpecs
import RunPlanning
import RunScopes
import Snapshots
import Templates
import Values

/// An event of one run of one file. All text in events is already masked: no report can leak what it never gets.
///
/// Steps nest: events carry the identifier of their step, and the start and end of a step that of its parent. Optional
/// events are sent only if a reporter needs them (``ReportNeeds``).
package enum FileEvent: Sendable {
  case started(FileStart)
  case groupStarted(GroupStart)
  case groupFinished(GroupReport)
  /// Optional, like the next two.
  case stepStarted(StepStart)
  case attemptStarted(AttemptStart)
  /// The request of an exchange is sent; not reported for the exchanges of a transfer.
  case hopStarted(HopStart)
  /// Optional: the data sent and received. Reported once the captures have revealed all secrets, before its attempt's
  /// end.
  case hopFinished(HopReport)
  /// Optional.
  case attemptFinished(AttemptReport)
  indirect case stepFinished(StepReport)
  case finished(FileReport)
  /// This repetition was not started, since the run was asked to end; there are no other events for it.
  case leftOut
}

/// The identifier of a step, unique in a run.
package struct StepID: Sendable, Hashable {
  /// The position of the file's run in the order of the output.
  package let file: Int
  /// The number in the order in which the file's steps started, counted from 1.
  package let number: Int

  package init(file: Int, number: Int) {
    self.file = file
    self.number = number
  }
}

/// The start of one run of one file.
package struct FileStart: Sendable {
  /// The position in the order of the output.
  package let position: Int
  package let path: String
  package let name: String?
  /// The number of the repetition, counted from 1; see `--repeat`.
  package let iteration: Int
  /// The difference from other runs of the file, if it runs for others: the values of its variables, or its teardown.
  package let variant: String?
  /// The part of the file that runs for others, before or after them; nil for a run of its own.
  package let part: FilePart?
  package let time: Timestamp

  package init(
    position: Int, path: String, name: String?, iteration: Int, variant: String? = nil, part: FilePart? = nil,
    time: Timestamp
  ) {
    self.position = position
    self.path = path
    self.name = name
    self.iteration = iteration
    self.variant = variant
    self.part = part
    self.time = time
  }
}

/// The parts of a file that others need.
package enum FilePart: String, Sendable, CaseIterable {
  /// Its setup and its requests.
  case need
  case teardown
}

/// The end of one run of one file.
package struct FileReport: Sendable {
  package let path: String
  package let iteration: Int
  /// The same as in ``FileStart``.
  package let variant: String?
  package let counts: OutcomeCounts
  package let start: Timestamp
  package let duration: Duration

  package init(
    path: String, iteration: Int, variant: String? = nil, counts: OutcomeCounts, start: Timestamp, duration: Duration
  ) {
    self.path = path
    self.iteration = iteration
    self.variant = variant
    self.counts = counts
    self.start = start
    self.duration = duration
  }
}

/// The number of requests by outcome.
package struct OutcomeCounts: Sendable, Hashable {
  package var passed = 0
  package var failed = 0
  package var transportErrors = 0
  package var specErrors = 0
  package var skipped = 0
  package var notSent = 0
  package var assertions = 0
  package var failedAssertions = 0
  package var warnings = 0
  package var snapshotsWritten = 0
  package var snapshotsUpdated = 0

  package init() {}

  package var requests: Int { passed + failed + transportErrors + specErrors + skipped + notSent }
  package var isGood: Bool { failed == 0 && transportErrors == 0 && specErrors == 0 }

  package mutating func add(_ other: OutcomeCounts) {
    passed += other.passed
    failed += other.failed
    transportErrors += other.transportErrors
    specErrors += other.specErrors
    skipped += other.skipped
    notSent += other.notSent
    assertions += other.assertions
    failedAssertions += other.failedAssertions
    warnings += other.warnings
    snapshotsWritten += other.snapshotsWritten
    snapshotsUpdated += other.snapshotsUpdated
  }

  package mutating func add(_ report: StepReport) {
    switch report.outcome {
    case .passed: passed += 1
    case .failed: failed += 1
    case .transportError: transportErrors += 1
    case .specError: specErrors += 1
    case .skipped: skipped += 1
    case .notSent: notSent += 1
    }
    assertions += report.assertionCount
    failedAssertions += report.failures.reduce(0) { $0 + 1 + $1.dependents.count }
    warnings += report.warnings.count
    switch report.snapshotChange?.kind {
    case .written: snapshotsWritten += 1
    case .updated: snapshotsUpdated += 1
    case nil: break
    }
  }
}

package enum RequestOutcome: Sendable, Hashable {
  case passed
  /// An assertion failed, or a capture found nothing.
  case failed
  /// The network failed: no response, or not all of it.
  case transportError
  /// The spec has an error that only running could find.
  case specError
  case skipped(reason: String)
  /// `--dry-run`: it would be sent.
  case notSent

  package var isFailure: Bool {
    switch self {
    case .passed, .skipped, .notSent: false
    case .failed, .transportError, .specError: true
    }
  }
}

package struct StepStart: Sendable {
  package let id: StepID
  /// Nil for a step of the file itself.
  package let parent: StepID?
  package let stage: RequestStage
  package let name: String
  /// The line of the request in its file, counted from 1.
  package let line: Int
  package let time: Timestamp

  package init(id: StepID, parent: StepID?, stage: RequestStage, name: String, line: Int, time: Timestamp) {
    self.id = id
    self.parent = parent
    self.stage = stage
    self.name = name
    self.line = line
    self.time = time
  }
}

/// The start of a group: steps with a scope of their own, such as a flow.
package struct GroupStart: Sendable {
  package let id: StepID
  /// Nil for a group of the file itself.
  package let parent: StepID?
  package let kind: PlannedGroup.Kind
  package let stage: RequestStage
  package let name: String
  /// The line of the group in its file, counted from 1.
  package let line: Int
  package let time: Timestamp

  package init(
    id: StepID, parent: StepID?, kind: PlannedGroup.Kind, stage: RequestStage, name: String, line: Int, time: Timestamp
  ) {
    self.id = id
    self.parent = parent
    self.kind = kind
    self.stage = stage
    self.name = name
    self.line = line
    self.time = time
  }
}

/// The end of a group, after the ends of its steps.
package struct GroupReport: Sendable {
  package let id: StepID
  package let parent: StepID?
  /// The requests in it, including those of groups inside.
  package let counts: OutcomeCounts
  package let duration: Duration

  package init(id: StepID, parent: StepID?, counts: OutcomeCounts, duration: Duration) {
    self.id = id
    self.parent = parent
    self.counts = counts
    self.duration = duration
  }
}

/// The start of an attempt at the exchanges of a step.
package struct AttemptStart: Sendable {
  package let step: StepID
  /// The number, counted from 1.
  package let number: Int
  package let time: Timestamp
  /// The same time, for differences from others.
  package let instant: ContinuousClock.Instant

  package init(step: StepID, number: Int, time: Timestamp, instant: ContinuousClock.Instant = .now) {
    self.step = step
    self.number = number
    self.time = time
    self.instant = instant
  }
}

/// The end of an attempt.
package struct AttemptReport: Sendable {
  package let step: StepID
  /// The number, counted from 1.
  package let number: Int
  package let start: Timestamp
  package let duration: Duration
  /// The outcome of the step if no other attempt follows.
  package let outcome: RequestOutcome
  package let status: Int?
  /// The round of a poll, counted from 1; nil without one.
  package let round: Int?
  /// The reason why it isn't the one that was wanted; nil if it is.
  package let reason: String?

  package init(
    step: StepID, number: Int, start: Timestamp, duration: Duration, outcome: RequestOutcome, status: Int?,
    round: Int? = nil, reason: String? = nil
  ) {
    self.step = step
    self.number = number
    self.start = start
    self.duration = duration
    self.outcome = outcome
    self.status = status
    self.round = round
    self.reason = reason
  }
}

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
  package fileprivate(set) var attempts: [AttemptReport] = []
  package var status: Int?
  /// Nil if the problem is that of a group.
  package var transport: TransportDecision?
  /// The cache's part in the final response; nil without a cache.
  package var cache: CacheOutcome?
  package var assertionCount = 0
  package var failures: [AssertionReport] = []
  /// Passed assertions of `expect`, only if a reporter needs them.
  package var passedAssertions: [PassedAssertion] = []
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
  /// Captured values, only if a reporter needs them.
  package var captures: [(name: String, value: String)] = []

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
        problem.severity, problem.message, at: problem.range, notes: problem.notes,
        help: problem.help.map { "\($0); \(hint)" } ?? hint)
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
    problem = .error(reason, at: range ?? place, help: help)
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
    captures = []
    snapshotChange = nil
    problem = nil
    switch exhaustion {
    case .stopped: cutShort(control, at: range)
    case .time:
      outcome = .failed
      problem = .error(
        "evaluating the response took longer than \(durationText(limit)) (it was at: \(subject))", at: range ?? place,
        help: "ask for less of so large a response, or set a longer `timeout`")
    }
  }

  /// Adds an error in the spec that only running could find.
  package mutating func fail(_ error: TemplateError, registry: SecretRegistry) {
    outcome = .specError
    unsetName = error.unsetName
    problem = .error(
      registry.masked(message: error.message), at: error.range ?? place, notes: error.notes,
      help: error.help.map(registry.masked(message:)))
  }
}

/// Receives the events of one run of one file. It must not block.
///
/// The events of concurrent steps may arrive at the same time.
package protocol FileEventSink: Sendable {
  func receive(_ event: FileEvent)
}

/// The data that the reporters of a run need beyond the ends of steps and files: nothing else is collected.
package struct ReportNeeds: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The starts of steps, attempts and hops, and the times of steps.
  package static let starts = ReportNeeds(rawValue: 1 << 0)
  package static let attempts = ReportNeeds(rawValue: 1 << 1)
  package static let hops = ReportNeeds(rawValue: 1 << 2)
  /// The beginnings of the bodies of hops, as text.
  package static let bodyBeginnings = ReportNeeds(rawValue: 1 << 3)
  /// The whole bodies of responses, as long as the run has room for them.
  package static let bodies = ReportNeeds(rawValue: 1 << 4)
  package static let captures = ReportNeeds(rawValue: 1 << 5)
  /// The curl command of each request; those of failed ones are always reported.
  package static let curlCommands = ReportNeeds(rawValue: 1 << 6)
  /// The same with its secrets, for the console alone.
  package static let openCurlCommands = ReportNeeds(rawValue: 1 << 7)
  /// The assertions of `expect` that passed.
  package static let assertions = ReportNeeds(rawValue: 1 << 8)
  /// The whole bodies of responses with their secrets, for the output of `send` alone.
  package static let openBodies = ReportNeeds(rawValue: 1 << 9)
  /// The requests of a dry run as hops without a response.
  package static let unsentHops = ReportNeeds(rawValue: 1 << 10)
}

/// The report on a transfer; masked already.
package struct TransferReport: Sendable {
  /// One line beside the request's name, such as the path of a file.
  package var summary: String
  /// Lines that are shown if details are asked for.
  package var details: [String] = []

  package init(summary: String) {
    self.summary = summary
  }
}
