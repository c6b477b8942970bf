import Diagnostics
import HTTPMessages
import Matching
import RunEvents
import RunPlanning
import Values

/// The objects of the JSON report. A new member is an entry here.
enum JSONReportRecords {
  /// The members of the document before `files`.
  static let run = ReportRecord<RunSummary>(
    .required("version", "The version of this form of the report", .constants([.integer(JSONReport.version)])) { _ in
      .integer(JSONReport.version)
    },
    .time("start", "The start of the run; missing if nothing ran") { $0.start },
    .duration("duration", "How long the run took") { $0.duration },
    .object("counts", "The requests by outcome, and assertions", counts) { $0.counts },
    .optional("signal", "The signal that interrupted the run", .integer(1...255)) {
      $0.interruptedBy.map { .integer($0) }
    },
    .optional("exceeded_time", "The time limit that the run exceeded, in seconds", .number) {
      $0.exceededTime.map { .number(Number(lexeme: secondsText($0))) }
    },
    .count("unreadable_files", "The number of files that are unreadable or invalid, and did not run") {
      $0.unreadableFiles
    },
    .list("broken_files", "Files that did not run, with their errors", of: brokenFile) { $0.brokenFiles })

  static let brokenFile = ReportRecord<BrokenFile>(
    .text("path", "The path of the file") { $0.path },
    .list("errors", "The errors of the file", of: problem) { $0.errors })

  static let counts = ReportRecord<OutcomeCounts>(
    .count("passed", "Requests that met all expectations") { $0.passed },
    .count("failed", "Requests with a failed assertion") { $0.failed },
    .count("transport_errors", "Requests without a complete response") { $0.transportErrors },
    .count("spec_errors", "Requests that could not be resolved from their spec") { $0.specErrors },
    .count("skipped", "Requests that were skipped") { $0.skipped },
    .count("not_sent", "Requests that a dry run resolved") { $0.notSent },
    .count("assertions", "Assertions that were evaluated") { $0.assertions },
    .count("failed_assertions", "Assertions that failed") { $0.failedAssertions },
    .count("warnings", "Problems that fail no request") { $0.warnings })

  /// The members of a file's object before `steps`.
  static let fileStart = ReportRecord<FileStart>(
    .text("path", "The path of the file as it was given") { $0.path },
    .optionalText("name", "The name of the file") { $0.name },
    .required("iteration", "The number of the repetition, counted from 1", .integer(1...Int.max)) {
      .integer($0.iteration)
    },
    .optionalText("variant", "For a file that others need: the values of its variables, or `teardown`") { $0.variant })

  /// The members of a file's object after `steps`.
  static let fileEnd = ReportRecord<FileReport>(
    .time("start", "The start of the file's run") { $0.start },
    .duration("duration", "How long the file took") { $0.duration },
    .object("counts", "The requests by outcome, and assertions", counts) { $0.counts })

  /// The members of a step's object before `steps`, its own steps.
  static let step = ReportRecord<StepReport>(
    .text("name", "The name, or method and URL") { $0.name },
    .required("stage", "The part of the file that the step is in", .words(["setup", "requests", "teardown"])) {
      .text($0.stage.rawValue)
    },
    .optionalText("path", "The path of its file, if another file uses it") { $0.path },
    .required("line", "The line of the request in its file, counted from 1", .integer(0...Int.max)) {
      .integer($0.line)
    },
    .required("outcome", "The outcome", .words(RequestOutcome.words)) { .text($0.outcome.word) },
    .optionalText("reason", "The reason why it was skipped") {
      if case .skipped(let reason) = $0.outcome { reason } else { nil }
    },
    .optional("with_rest", "true if the rest of its file or flow was skipped for that reason", .boolean) {
      $0.isSkippedWithRest ? .bool(true) : nil
    },
    .time("start", "The start of the step") { $0.start },
    .duration("duration", "How long its exchanges took, with the pauses between them") { $0.duration },
    .optional("status", "The status of the last response", .integer(0...999)) {
      $0.status.map { .integer($0) }
    },
    .optionalText("transport", "The transport: curl or urlsession; missing if a group has the problem") {
      $0.transport?.kind.rawValue
    },
    .optional("rounds", "The number of rounds of a poll", .integer(1...Int.max)) {
      $0.roundCount > 0 ? .integer($0.roundCount) : nil
    },
    .list("attempts", "The attempts, if there was more than one; of very many the first and the last", of: attempt) {
      $0.attemptCount > 1 ? $0.attempts : []
    },
    .count("assertions", "The number of assertions that were evaluated") { $0.assertionCount },
    .object("problem", "The reason why there is no response, or no request", problem) { $0.problem },
    .list("failures", "The assertions that failed", of: assertion) { $0.failures },
    .list("warnings", "Problems that don't fail the request", of: assertion) { $0.warnings },
    .optionalText("snapshot", "The snapshot that was stored") { $0.snapshotChange?.path },
    .optionalText("transfer", "A summary of the transfer") { $0.transfer?.summary },
    .optionalText("curl", "The request as a curl command, if it failed") { $0.curlCommand })

  /// The members of a group's object before `steps`.
  static let groupStart = ReportRecord<GroupStart>(
    .required("group", "The kind of group", .words(PlannedGroup.Kind.allCases.map(\.rawValue))) {
      .text($0.kind.rawValue)
    },
    .text("name", "The name of the group") { $0.name },
    .required("stage", "The part of the file that the group is in", .words(["setup", "requests", "teardown"])) {
      .text($0.stage.rawValue)
    },
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
      .text($0.outcome.word)
    },
    .optional("status", "The status of the response", .integer(0...999)) { $0.status.map { .integer($0) } },
    .optional("round", "The round of a poll, counted from 1", .integer(1...Int.max)) { $0.round.map { .integer($0) } },
    .optionalText("reason", "The reason why it isn't the one that was wanted") { $0.reason })

  static let assertion = ReportRecord<AssertionReport>(
    .text("subject", "The subject, such as json $.user.id") { $0.subject },
    .text("message", "The failure in one line") { $0.message },
    .optionalText("predicate", "The predicate that failed, such as equals 1") {
      $0.mismatch.predicate.isEmpty ? nil : $0.mismatch.predicate
    },
    .text("expected", "The expected value, shortened") { $0.mismatch.expected },
    .text("actual", "The actual value, shortened") { $0.mismatch.actual },
    .optionalText("summary", "The differences in one line") { $0.mismatch.summary },
    .list("differences", "The first differences of structures, or of texts of several lines", of: difference) {
      $0.mismatch.differences
    },
    .optional("more_differences", "The number of further differences", .integer(1...Int.max)) {
      $0.mismatch.moreDifferences > 0 ? .integer($0.mismatch.moreDifferences) : nil
    },
    .optionalText("hint", "Advice on what to write or to check, one hint per line") { $0.mismatch.hint },
    .object("place", "The place of the expectation", place) { $0.range },
    .optionalText("declared", "The place of the expectation in another document") { $0.place },
    .optionalText("body", "The beginning of the body of an error response") { $0.body },
    .optional("dependents", "The subjects that fail for the same reason", .list(of: .text, atLeast: 1)) {
      $0.dependents.isEmpty ? nil : .list($0.dependents.map { .text($0) })
    })

  static let difference = ReportRecord<Mismatch<String>.Difference>(
    .text("path", "The place in the actual structure as a JSONPath") { $0.path },
    .required("kind", "The kind of difference", .words(["missing", "unexpected", "changed"])) {
      .text("\($0.kind)")
    },
    .optionalText("expected", "The expected value; missing if nothing was expected") { $0.expected },
    .optionalText("actual", "The actual value; missing if nothing is there") { $0.actual },
    .optionalText("note", "A remark, such as that only letter case differs") { $0.note },
    .optional("count", "The number of equal missing items", .integer(2...Int.max)) {
      $0.count > 1 ? .integer($0.count) : nil
    },
    .list("lines", "The differing lines, with a few around them", of: line) { $0.lines })

  static let line = ReportRecord<Mismatch<String>.Line>(
    .required("side", "The text that the line belongs to", .words(["same", "expected", "actual"])) {
      .text("\($0.side)")
    },
    .text("text", "The line") { $0.text })

  static let problem = ReportRecord<Diagnostic>(
    .text("message", "The problem in one sentence") { $0.message },
    .object("place", "Where it is", place) { $0.range },
    .list("notes", "Explanations", of: note) { $0.notes },
    .optionalText("help", "How to fix it") { $0.help })

  static let note = ReportRecord<Diagnostic.Note>(
    .text("message", "The explanation") { $0.message }, .object("place", "Where it is", place) { $0.range })

  static let place = ReportRecord<SourceRange>(
    .text("file", "The path of the file") { concealingSecrets(in: $0.source.name) },
    .required("line", "The line, counted from 1", .integer(1...Int.max)) { .integer($0.start.line) },
    .required("column", "The column in characters, counted from 1", .integer(1...Int.max)) {
      .integer($0.start.column)
    })
}

extension RequestOutcome {
  static let words = ["passed", "failed", "transport_error", "spec_error", "skipped", "not_sent"]

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

extension JSONReport {
  /// The JSON Schema (draft-07) of the document.
  package static let schema: String = {
    typealias Records = JSONReportRecords
    let file = joined(
      Records.fileStart.shape,
      .keys([.init("steps", "The steps, in the order of their ends", stepShape())], needed: ["steps"]),
      Records.fileEnd.shape)
    let files = ValueShape.Key("files", "The runs of files, in the order of the output", .list(of: file))
    var writer = SchemaWriter()
    return writer.document(
      of: joined(Records.run.shape, .keys([files], needed: ["files"])), title: "The JSON report of reqrun")
  }()

  private static func stepShape() -> ValueShape {
    .list(
      of: .any([
        .named("step") { joined(JSONReportRecords.step.shape, .keys([innerSteps()])) },
        .named("group") {
          joined(
            JSONReportRecords.groupStart.shape, .keys([innerSteps()], needed: ["steps"]),
            JSONReportRecords.groupEnd.shape)
        },
      ]))
  }

  private static func innerSteps() -> ValueShape.Key {
    ValueShape.Key("steps", "The steps within this one", stepShape())
  }

  /// An object with the members of several.
  private static func joined(_ shapes: ValueShape...) -> ValueShape {
    var keys: [ValueShape.Key] = []
    var needed: [String] = []
    for case .keys(let more, let moreNeeded) in shapes {
      keys += more
      needed += moreNeeded
    }
    return .keys(keys, needed: needed)
  }
}
