import APIContracts
import Diagnostics
import HTTPMessages
import RunEvents
import RunPlanning
import Snapshots
import Values

/// The objects of the JSON report. A new member is an entry here, and in ``ReportDecoding``, which reads it.
enum JSONReportRecords {
  private static let stages = ValueShape.words(["setup", "requests", "teardown"])
  /// The numbers of lines and columns.
  static let positions = 1...Int(Int32.max)

  /// The members of the document before `files`.
  static let run = ReportRecord<RunSummary>(
    .required("version", "The version of this form of the report", .constants([.integer(JSONReport.version)])) { _ in
      .integer(JSONReport.version)
    },
    .text("reqrun", "The version of reqrun") { $0.origin.version },
    .optionalText("host", "The name of the machine") { $0.origin.host },
    .optionalText("shard", "The shard that ran, such as 2/4; missing if all files ran") { $0.origin.shard },
    .texts("all_files", "The files of all shards, in their order, if only a shard ran") { $0.origin.allFiles },
    .optionalText("environment", "The environment that the command line chose") { $0.origin.environment },
    .optionalText("seed", "The seed of random values, as --seed takes it") { $0.origin.seed.map { String($0) } },
    .flag("dry_run", "true if nothing was sent") { $0.origin.isDryRun },
    .time("start", "The start of the run; missing if nothing ran") { $0.start },
    .duration("duration", "How long the run took") { $0.duration },
    .required("exit_code", "The exit code of the run, unless a report could not be written", .integer(0...255)) {
      .integer(Int($0.exitCode))
    },
    .count("file_count", "The number of files that ran, each counted once") { $0.files },
    .object("counts", "The requests by outcome, and assertions", counts) { $0.counts },
    .optionalInteger("signal", "The signal that interrupted the run", 1...255) { $0.interruptedBy.map { Int($0) } },
    .optionalDuration("exceeded_time", "The time limit that the run exceeded") { $0.exceededTime },
    .count("unreadable_files", "The number of files that are unreadable or invalid, and did not run") {
      $0.unreadableFiles
    },
    .list("broken_files", "Files that did not run, with their errors", of: brokenFile) { $0.brokenFiles },
    .optional(
      "diagnostics", "Errors and warnings about files and options, in lists of those that were reported together",
      .list(of: .list(of: JSONResultRecords.diagnostic.shape, atLeast: 1), atLeast: 1)
    ) { summary in
      summary.diagnostics.isEmpty
        ? nil : .list(summary.diagnostics.map { .list($0.map { JSONResultRecords.diagnostic.value(of: $0) }) })
    },
    .list("contracts", "The OpenAPI documents, and what of them was exercised", of: contract) { $0.contracts },
    .optionalInteger("min_coverage", "The percentage of operations that had to be exercised", 0...100) {
      $0.minCoverage
    },
    .texts("unused_snapshots", "Snapshots that no request uses, if snapshots were updated") { $0.unusedSnapshots },
    .flag("prunes_snapshots", "true if these were removed") { $0.prunesSnapshots })

  static let brokenFile = ReportRecord<BrokenFile>(
    .text("path", "The path of the file") { $0.path },
    .list("errors", "The errors of the file", of: JSONResultRecords.diagnostic) { $0.errors },
    .list("surroundings", "The lines around the places of errors", of: JSONResultRecords.surroundings) {
      PlaceSurroundings.of($0.errors.flatMap(\.places))
    })

  static let counts = ReportRecord<OutcomeCounts>(
    .count("passed", "Requests that met all expectations") { $0.passed },
    .count("failed", "Requests with a failed assertion") { $0.failed },
    .count("transport_errors", "Requests without a complete response") { $0.transportErrors },
    .count("spec_errors", "Requests that could not be resolved from their spec") { $0.specErrors },
    .count("skipped", "Requests that were skipped") { $0.skipped },
    .count("not_sent", "Requests that a dry run resolved") { $0.notSent },
    .count("assertions", "Assertions that were evaluated") { $0.assertions },
    .count("failed_assertions", "Assertions that failed") { $0.failedAssertions },
    .count("warnings", "Problems that fail no request") { $0.warnings },
    .count("snapshots_written", "New snapshots") { $0.snapshotsWritten },
    .count("snapshots_updated", "Changed snapshots that were stored") { $0.snapshotsUpdated })

  static let contract = ReportRecord<ContractCoverage>(
    .text("document", "The path or the URL of the document") { $0.document },
    .optionalText("title", "Its title") { $0.title },
    .optionalText("version", "The version of the API") { $0.apiVersion },
    .list("operations", "Its operations", of: operation) { $0.operations },
    .count("unmatched_requests", "Requests of no operation") { $0.unmatchedRequests })

  static let operation = ReportRecord<ContractCoverage.OperationCoverage>(
    .text("method", "The method") { $0.operation.method },
    .text("path", "The path template") { $0.operation.path },
    .optionalText("operation_id", "The operationId") { $0.operation.operationID },
    .flag("deprecated", "true if the document calls it deprecated") { $0.operation.isDeprecated },
    .count("responses", "The number of responses") { $0.requests },
    .list("statuses", "The declared statuses", of: status) { $0.statuses },
    .list("undeclared_statuses", "Statuses that are not declared", of: status) {
      $0.undeclared.map { (String($0.status), $0.responses) }
    })

  static let status = ReportRecord<(status: String, responses: Int)>(
    .text("status", "The status as declared, such as 200 or default") { $0.status },
    .count("responses", "The number of responses with it") { $0.responses })

  /// The members of a file's object before `steps`.
  static let fileStart = ReportRecord<FileStart>(
    .text("path", "The path of the file as it was given") { $0.path },
    .optionalText("name", "The name of the file") { $0.name },
    .required("iteration", "The number of the repetition, counted from 1", .integer(1...Int.max)) {
      .integer($0.iteration)
    },
    .optionalText("variant", "For a file that others need: the values of its variables, or `teardown`") { $0.variant },
    .optional(
      "part", "For a file that others need: its setup and requests, or its teardown",
      .words(FilePart.allCases.map(\.rawValue))
    ) { $0.part.map { .text(Text($0.rawValue)) } },
    .time("start", "The start of the file's run") { $0.time })

  /// The members of a file's object after `steps`.
  static let fileEnd = ReportRecord<FileReport>(
    .duration("duration", "How long the file took") { $0.duration },
    .object("counts", "The requests by outcome, and assertions", counts) { $0.counts })

  /// The members of a step's object before `hops` and `steps`, its own steps.
  static let step = ReportRecord<StepReport>(
    .text("name", "The name, or method and URL") { $0.name },
    .required("stage", "The part of the file that the step is in", stages) { .text(Text($0.stage.rawValue)) },
    .optionalText("path", "The path of its file, if another file uses it") { $0.path },
    .required("line", "The line of the request in its file, counted from 1", .integer(0...Int.max)) {
      .integer($0.line)
    },
    .required("outcome", "The outcome", .words(RequestOutcome.words)) { .text(Text($0.outcome.word)) },
    .optionalText("reason", "The reason why it was skipped") { $0.outcome.reason },
    .flag("with_rest", "true if the rest of its file or flow was skipped for that reason") { $0.isSkippedWithRest },
    .flag("unreached", "true if it was skipped after a failure or the end of the run, not by the spec") {
      $0.isUnreached
    },
    .texts("tags", "The tags of the request, its file and its flow") { $0.tags },
    .time("start", "The start of the step") { $0.start },
    .duration("duration", "How long its exchanges took, with the pauses between them") { $0.duration },
    .optionalInteger("status", "The status of the last response", 0...999) { $0.status },
    .object("transport", "The transport; missing if a group has the problem", transport) { $0.transport },
    .optional("cache", "The cache's part in the last response", .words(CacheOutcome.words)) {
      $0.cache.map { .text(Text($0.reportWord)) }
    },
    .count("attempt_count", "How many times it was sent") { $0.attemptCount },
    .optionalInteger("rounds", "The number of rounds of a poll", 1...Int.max) {
      $0.roundCount > 0 ? $0.roundCount : nil
    },
    .list(
      "attempts", "The attempts of a request that may be sent again; of very many the first and the last", of: attempt
    ) { $0.attempts },
    .count("assertions", "The number of assertions that were evaluated") { $0.assertionCount },
    .list("passed", "The assertions of `expect` that passed", of: JSONResultRecords.passed) { $0.passedAssertions },
    .list("failures", "The assertions that failed", of: JSONResultRecords.assertion) { $0.failures },
    .list("warnings", "Problems that don't fail the request", of: JSONResultRecords.assertion) { $0.warnings },
    .object("problem", "The reason why there is no response, or no request", JSONResultRecords.diagnostic) {
      $0.problem
    },
    .list(
      "surroundings", "The lines around the places of the problem, of failures and of warnings",
      of: JSONResultRecords.surroundings
    ) { PlaceSurroundings.of($0.places) },
    .list("captures", "The captured values, shortened", of: capture) { $0.captures },
    .object("snapshot", "The snapshot that was stored", snapshot) { $0.snapshotChange },
    .object("transfer", "The transfer", transfer) { $0.transfer },
    .optionalText("curl", "The request as a curl command") { $0.curlCommand })

  static let transport = ReportRecord<TransportDecision>(
    .required("name", "The transport", .words(TransportKind.allCases.map(\.rawValue))) {
      .text(Text($0.kind.rawValue))
    },
    .optionalText("reason", "The reason for it; missing if it is that of the step before with this transport") {
      $0.reason.isEmpty ? nil : $0.reason
    },
    .flag("unusual", "true if that may surprise") { !$0.isUsual })

  static let capture = ReportRecord<(name: String, value: String)>(
    .text("name", "The name") { $0.name }, .text("value", "The value as text") { $0.value })

  static let snapshot = ReportRecord<SnapshotChange>(
    .text("path", "The file of the snapshot") { $0.path },
    .flag("updated", "true if it replaced another one") { $0.kind == .updated })

  static let transfer = ReportRecord<TransferReport>(
    .text("summary", "A summary in one line") { $0.summary }, .texts("details", "More lines") { $0.details })

  /// The members of a group's object before `steps`.
  static let groupStart = ReportRecord<GroupStart>(
    .required("group", "The kind of group", .words(PlannedGroup.Kind.allCases.map(\.rawValue))) {
      .text(Text($0.kind.rawValue))
    },
    .text("name", "The name of the group") { $0.name },
    .required("stage", "The part of the file that the group is in", stages) { .text(Text($0.stage.rawValue)) },
    .required("line", "The line of the group in its file, counted from 1", .integer(0...Int.max)) {
      .integer($0.line)
    },
    .time("start", "The start of the group") { $0.time })

  /// The members of a group's object after `steps`.
  static let groupEnd = ReportRecord<GroupReport>(
    .duration("duration", "How long the group took") { $0.duration },
    .object("counts", "The requests by outcome, and assertions", counts) { $0.counts })

  static let attempt = ReportRecord<AttemptReport>(
    .required("number", "The number, counted from 1", .integer(1...Int.max)) { .integer($0.number) },
    .time("start", "The start of the attempt") { $0.start },
    .duration("duration", "How long it took") { $0.duration },
    .required("outcome", "The outcome of the step if no other attempt followed", .words(RequestOutcome.words)) {
      .text(Text($0.outcome.word))
    },
    .optionalText("skip_reason", "The reason why it was skipped") { $0.outcome.reason },
    .optionalInteger("status", "The status of the response", 0...999) { $0.status },
    .optionalInteger("round", "The round of a poll, counted from 1", 1...Int.max) { $0.round },
    .optionalText("reason", "The reason why it isn't the one that was wanted") { $0.reason })
}

extension RequestOutcome {
  static let words = ["passed", "failed", "transport_error", "spec_error", "skipped", "not_sent"]

  /// The reason why it was skipped.
  var reason: String? { if case .skipped(let reason) = self { reason } else { nil } }

  var word: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .transportError: "transport_error"
    case .specError: "spec_error"
    case .skipped: "skipped"
    case .notSent: "not_sent"
    }
  }
}

extension CacheOutcome {
  static let words = ["hit", "revalidated", "miss", "stored", "bypass"]

  /// The word in reports: `stored` is a miss whose response was stored.
  var reportWord: String {
    switch self {
    case .hit: "hit"
    case .revalidated: "revalidated"
    case .miss(let isStored): isStored ? "stored" : "miss"
    case .bypass: "bypass"
    }
  }
}
