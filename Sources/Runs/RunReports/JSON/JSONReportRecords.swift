import APIContracts
import HTTPSemantics
import RequestSpecs
import SpecExecution
import Values

/// The objects of the JSON report. A new member is an entry here.
enum JSONReportRecords {
  /// The members of the document before `files`.
  static let run = ReportRecord<RunSummary>(
    RunSummary(),
    .derived("version", "The version of this form of the report", .version) { _ in JSONReport.version },
    .required("reqrun", "The version of reqrun", \.origin.version, .text),
    .optional("host", "The name of the machine", \.origin.host, .text),
    .optional("shard", "The shard that ran, such as 2/4; missing if all files ran", \.origin.shard, .text),
    .list("all_files", "The files of all shards, in their order, if only a shard ran", \.origin.allFiles, .text),
    .optional("environment", "The environment that the command line chose", \.origin.environment, .text),
    .optional(
      "seed", "The seed of random values, as --seed takes it", \.origin.seed,
      ReportForm<String>.text.converted({ String($0) }, { UInt64($0) })),
    .flag("dry_run", "true if nothing was sent", \.origin.isDryRun),
    .optional("start", "The start of the run; missing if nothing ran", \.start, .time),
    .required("duration", "How long the run took", \.duration, .duration),
    .required(
      "exit_code", "The exit code of the run, unless a report could not be written", \.exitCode, .exitCode),
    .required("file_count", "The number of files that ran, each counted once", \.files, .count),
    .required("counts", "The requests by outcome, and assertions", \.counts, counts.form),
    .optional("signal", "The signal that interrupted the run", \.interruptedBy, .signal),
    .optional("exceeded_time", "The time limit that the run exceeded", \.exceededTime, .duration),
    .required(
      "unreadable_files", "The number of files that are unreadable or invalid, and did not run", \.unreadableFiles,
      .count),
    .list("broken_files", "Files that did not run, with their errors", \.brokenFiles, brokenFile.form),
    .list(
      "diagnostics", "Errors and warnings about files and options, in lists of those that were reported together",
      \.diagnostics, .list(of: JSONResultRecords.diagnostic.form)),
    .list("contracts", "The OpenAPI documents, and what of them was exercised", \.contracts, contract.form),
    .optional(
      "min_coverage", "The percentage of operations that had to be exercised", \.minCoverage, .integer(0...100)),
    .list(
      "unused_snapshots", "Snapshots that no request uses, if snapshots were updated", \.unusedSnapshots, .text),
    .flag("prunes_snapshots", "true if these were removed", \.prunesSnapshots))

  static let brokenFile = ReportRecord<BrokenFile>(
    BrokenFile(path: "", errors: []), .required("path", "The path of the file", \.path, .text),
    .list("errors", "The errors of the file", \.errors, JSONResultRecords.diagnostic.form),
    .surroundings("The lines around the places of errors") { $0.errors.flatMap(\.places) })

  static let counts = ReportRecord<OutcomeCounts>(
    OutcomeCounts(), .required("passed", "Requests that met all expectations", \.passed, .count),
    .required("failed", "Requests with a failed assertion", \.failed, .count),
    .required("transport_errors", "Requests without a complete response", \.transportErrors, .count),
    .required("spec_errors", "Requests that could not be resolved from their spec", \.specErrors, .count),
    .required("skipped", "Requests that were skipped", \.skipped, .count),
    .required("not_sent", "Requests that a dry run resolved", \.notSent, .count),
    .required("assertions", "Assertions that were evaluated", \.assertions, .count),
    .required("failed_assertions", "Assertions that failed", \.failedAssertions, .count),
    .optional(
      "skipped_assertions", "Assertions whose `when` does not hold", \.skippedAssertions, .ordinal, unless: 0),
    .required("warnings", "Problems that fail no request", \.warnings, .count),
    .required("snapshots_written", "New snapshots", \.snapshotsWritten, .count),
    .required("snapshots_updated", "Changed snapshots that were stored", \.snapshotsUpdated, .count))

  static let contract = ReportRecord<ContractCoverage>(
    ContractCoverage(document: "", title: nil, apiVersion: nil, operations: [], unmatchedRequests: 0),
    .required("document", "The path or the URL of the document", \.document, .text),
    .optional("title", "Its title", \.title, .text),
    .optional("version", "The version of the API", \.apiVersion, .text),
    .list("operations", "Its operations", \.operations, operation.form),
    .required("unmatched_requests", "Requests of no operation", \.unmatchedRequests, .count))

  static let operation = ReportRecord<ContractCoverage.OperationCoverage>(
    ContractCoverage.OperationCoverage(
      operation: ContractCoverage.OperationName(method: "", path: "", operationID: nil, isDeprecated: false),
      requests: 0, statuses: [], undeclared: []),
    .required("method", "The method", \.operation.method, .text),
    .required("path", "The path template", \.operation.path, .text),
    .optional("operation_id", "The operationId", \.operation.operationID, .text),
    .flag("deprecated", "true if the document calls it deprecated", \.operation.isDeprecated),
    .required("responses", "The number of responses", \.requests, .count),
    .list("statuses", "The declared statuses", \.statuses, status("", .text).form),
    .list("undeclared_statuses", "Statuses that are not declared", \.undeclared, status(0, .writtenStatus).form),
    .list("fields", "The parameters and members of the body, if fields are counted", \.fields, field.form))

  private static let field = ReportRecord<ContractCoverage.FieldCoverage>(
    ContractCoverage.FieldCoverage(name: "", requests: 0, values: []),
    .required("name", "The place, such as `query limit` or `body.address.zip`", \.name, .text),
    .required("requests", "The number of requests with it", \.requests, .count),
    .list("values", "The values of its enum", \.values, fieldValue.form))

  private static let fieldValue = ReportRecord<(value: String, requests: Int)>(
    (value: "", requests: 0), .required("value", "The value as text", \.value, .text),
    .required("requests", "The number of requests with it", \.requests, .count))

  private static func status<Status: Sendable>(
    _ blank: Status, _ form: ReportForm<Status>
  ) -> ReportRecord<(status: Status, responses: Int)> {
    ReportRecord(
      (status: blank, responses: 0),
      .required("status", "The status as declared, such as 200 or default", \.status, form),
      .required("responses", "The number of responses with it", \.responses, .count))
  }

  /// The members of a file's object before `steps`.
  static let fileStart = ReportRecord<FileStart>(
    FileStart(position: 0, path: "", name: nil, iteration: 1, time: .epoch),
    .required("path", "The path of the file as it was given", \.path, .text),
    .optional("name", "The name of the file", \.name, .text),
    .required("iteration", "The number of the repetition, counted from 1", \.iteration, .ordinal),
    .optional(
      "variant", "For a file that others need: the values of its variables, or `teardown`", \.variant, .text),
    .optional("part", "For a file that others need: its setup and requests, or its teardown", \.part, .word),
    .required("start", "The start of the file's run", \.time, .time))

  /// The members of a file's object after `steps`.
  static let fileEnd = ReportRecord<FileReport>(
    FileReport(path: "", iteration: 1, counts: OutcomeCounts(), start: .epoch, duration: .zero),
    .required("duration", "How long the file took", \.duration, .duration),
    .required("counts", "The requests by outcome, and assertions", \.counts, counts.form))

  /// The members of a step's object before `hops` and `steps`, its own steps.
  static let step = ReportRecord<StepReport>(
    StepReport(id: .none, parent: nil, name: "", line: 0),
    .required("name", "The name, or method and URL", \.name, .text),
    .required("stage", "The part of the file that the step is in", \.stage, .word),
    .optional("path", "The path of its file, if another file uses it", \.path, .text),
    .required("line", "The line of the request in its file, counted from 1", \.line, .integer(0...Int.max)),
    .required("outcome", "The outcome", \.outcome, .outcome),
    .optional("reason", "The reason why it was skipped", \.outcome.skipReason, .text),
    .flag(
      "with_rest", "true if the rest of its file or flow was skipped for that reason", \.isSkippedWithRest),
    .flag(
      "unreached", "true if it was skipped after a failure or the end of the run, not by the spec", \.isUnreached),
    .list("tags", "The tags of the request, its file and its flow", \.tags, .text),
    .optional("start", "The start of the step", \.start, .time),
    .required("duration", "How long its exchanges took, with the pauses between them", \.duration, .duration),
    .optional("status", "The status of the last response", \.status, .status),
    .optional("transport", "The transport; missing if a group has the problem", \.transport, transport.form),
    .optional("cache", "The cache's part in the last response", \.cache, .cache),
    .required("attempt_count", "How many times it was sent", \.attemptCount, .count),
    .optional("rounds", "The number of rounds of a poll", \.roundCount, .ordinal, unless: 0),
    .list(
      "attempts", "The attempts of a request that may be sent again; of very many the first and the last", \.attempts,
      attempt.form),
    .required("assertions", "The number of assertions that were evaluated", \.assertionCount, .count),
    .list(
      "passed", "The assertions of `expect` that passed", \.passedAssertions, JSONResultRecords.passed.form),
    .list("failures", "The assertions that failed", \.failures, JSONResultRecords.assertion.form),
    .list(
      "skipped", "Groups of assertions whose `when` does not hold", \.skippedAssertions,
      JSONResultRecords.skipped.form),
    .list("warnings", "Problems that don't fail the request", \.warnings, JSONResultRecords.assertion.form),
    .optional(
      "problem", "The reason why there is no response, or no request", \.problem, JSONResultRecords.diagnostic.form),
    .surroundings("The lines around the places of the problem, of failures and of warnings") { $0.places },
    .list("captures", "The captured values, shortened", \.captures, capture.form),
    .optional("snapshot", "The snapshot that was stored", \.snapshotChange, snapshot.form),
    .optional("transfer", "The transfer", \.transfer, transfer.form),
    .optional("curl", "The request as a curl command", \.curlCommand, .text))

  static let transport = ReportRecord<TransportDecision>(
    TransportDecision(kind: .curl, reason: ""), .required("name", "The transport", \.kind, .word),
    .optional(
      "reason", "The reason for it; missing if it is that of the step before with this transport", \.reason, .text,
      unless: ""),
    .optional(
      "unusual", "true if that may surprise", \.isUsual, ReportForm<Bool>.boolean.converted({ !$0 }, { !$0 }),
      unless: true))

  static let capture = ReportRecord<CapturedValue>(
    CapturedValue(name: "", value: ""), .required("name", "The name", \.name, .text),
    .required("value", "The value as text", \.value, .text))

  static let snapshot = ReportRecord<SnapshotChange>(
    SnapshotChange(kind: .written, path: ""), .required("path", "The file of the snapshot", \.path, .text),
    .optional(
      "updated", "true if it replaced another one", \.kind,
      ReportForm<Bool>.boolean.converted({ $0 == .updated }, { $0 ? .updated : .written }), unless: .written))

  static let transfer = ReportRecord<TransferReport>(
    TransferReport(summary: ""), .required("summary", "A summary in one line", \.summary, .text),
    .list("details", "More lines", \.details, .text))

  /// The members of a group's object before `steps`.
  static let groupStart = ReportRecord<GroupStart>(
    GroupStart(id: .none, parent: nil, kind: .flow, stage: .requests, name: "", line: 0, time: .epoch),
    .required("group", "The kind of group", \.kind, .word),
    .required("name", "The name of the group", \.name, .text),
    .required("stage", "The part of the file that the group is in", \.stage, .word),
    .required("line", "The line of the group in its file, counted from 1", \.line, .integer(0...Int.max)),
    .required("start", "The start of the group", \.time, .time))

  /// The members of a group's object after `steps`.
  static let groupEnd = ReportRecord<GroupReport>(
    GroupReport(id: .none, parent: nil, counts: OutcomeCounts(), duration: .zero),
    .required("duration", "How long the group took", \.duration, .duration),
    .required("counts", "The requests by outcome, and assertions", \.counts, counts.form))

  static let attempt = ReportRecord<AttemptReport>(
    AttemptReport(step: .none, number: 1, start: .epoch, duration: .zero, outcome: .passed, status: nil),
    .required("number", "The number, counted from 1", \.number, .ordinal),
    .required("start", "The start of the attempt", \.start, .time),
    .required("duration", "How long it took", \.duration, .duration),
    .required("outcome", "The outcome of the step if no other attempt followed", \.outcome, .outcome),
    .optional("skip_reason", "The reason why it was skipped", \.outcome.skipReason, .text),
    .optional("status", "The status of the response", \.status, .status),
    .optional("round", "The round of a poll, counted from 1", \.round, .ordinal),
    .optional("reason", "The reason why it isn't the one that was wanted", \.reason, .text))
}

extension Timestamp {
  static let epoch = Timestamp(seconds: 0)
}

extension StepID {
  /// The identifier in a record, which has none.
  static let none = StepID(file: 0, number: 0)
}

extension ReportForm<Int> {
  /// A status as text.
  fileprivate static var writtenStatus: ReportForm {
    ReportForm<String>.text.converted({ String($0) }, { (0...999).contains(Int($0) ?? -1) ? Int($0) : nil })
  }

  /// The version of a report or its events.
  static var version: ReportForm {
    let version = JSONReport.version
    return ReportForm<Int>.count.converted(shape: .constants([.integer(version)]), { $0 }, { $0 })
  }
}

extension ReportForm<RequestOutcome> {
  static var outcome: ReportForm {
    words([.passed, .failed, .transportError, .specError, .skipped(reason: ""), .notSent]) {
      switch $0 {
      case .passed: "passed"
      case .failed: "failed"
      case .transportError: "transport_error"
      case .specError: "spec_error"
      case .skipped: "skipped"
      case .notSent: "not_sent"
      }
    }
  }
}

extension RequestOutcome {
  /// The reason why it was skipped; nil if it wasn't.
  var skipReason: String? {
    get { if case .skipped(let reason) = self { reason } else { nil } }
    set { if case .skipped = self { self = .skipped(reason: newValue ?? "") } }
  }
}

extension ReportForm<CacheOutcome> {
  /// `stored` is a miss whose response was stored.
  static var cache: ReportForm {
    words([.hit, .revalidated, .miss(isStored: false), .miss(isStored: true), .bypass]) {
      switch $0 {
      case .hit: "hit"
      case .revalidated: "revalidated"
      case .miss(let isStored): isStored ? "stored" : "miss"
      case .bypass: "bypass"
      }
    }
  }
}
