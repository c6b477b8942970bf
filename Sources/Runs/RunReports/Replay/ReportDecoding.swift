import APIContracts
import Diagnostics
import HTTPMessages
import Matching
import RequestSpecs
import RunEvents
import RunPlanning
import Snapshots
import Values

/// Reads the objects that ``JSONReportRecords`` writes.
final class ReportDecoding {
  /// The sources of places, which must live as long as the places are used.
  private var sources: [SourceFragment: SourceText] = [:]
  /// The lines around places of the record that is read, by the place.
  private var surroundings: [String: [SourceLine]] = [:]

  private static let numbers = 0...Int(Int32.max)

  // MARK: The run

  func run(_ node: RecordNode) throws(ReportFault) -> RunSummary {
    var summary = RunSummary()
    summary.origin.version = try node.text("reqrun")
    summary.origin.host = try node.optionalText("host")
    summary.origin.shard = try node.optionalText("shard")
    summary.origin.allFiles = try node.texts("all_files")
    summary.origin.environment = try node.optionalText("environment")
    summary.origin.seed = try node.optionalText("seed").flatMap { UInt64($0) }
    summary.origin.isDryRun = try node.flag("dry_run")
    summary.start = try node.optionalTime("start")
    summary.duration = try node.duration("duration")
    summary.exitCode = Int32(try node.integer("exit_code", in: 0...255))
    summary.files = try node.count("file_count")
    summary.counts = try node.object("counts", counts)
    summary.interruptedBy = try node.optionalInteger("signal", in: 1...255).map { Int32($0) }
    summary.exceededTime = try node.optionalDuration("exceeded_time")
    summary.unreadableFiles = try node.count("unreadable_files")
    summary.brokenFiles = try node.list("broken_files") { file throws(ReportFault) in
      try self.readSurroundings(file)
      return BrokenFile(path: try file.text("path"), errors: try file.list("errors", self.diagnostic))
    }
    summary.diagnostics = try node.lists("diagnostics", diagnostic)
    summary.contracts = try node.list("contracts", contract)
    summary.minCoverage = try node.optionalInteger("min_coverage", in: 0...100)
    summary.unusedSnapshots = try node.texts("unused_snapshots")
    summary.prunesSnapshots = try node.flag("prunes_snapshots")
    return summary
  }

  func counts(_ node: RecordNode) throws(ReportFault) -> OutcomeCounts {
    var counts = OutcomeCounts()
    counts.passed = try node.count("passed")
    counts.failed = try node.count("failed")
    counts.transportErrors = try node.count("transport_errors")
    counts.specErrors = try node.count("spec_errors")
    counts.skipped = try node.count("skipped")
    counts.notSent = try node.count("not_sent")
    counts.assertions = try node.count("assertions")
    counts.failedAssertions = try node.count("failed_assertions")
    counts.warnings = try node.count("warnings")
    counts.snapshotsWritten = try node.count("snapshots_written")
    counts.snapshotsUpdated = try node.count("snapshots_updated")
    return counts
  }

  private func contract(_ node: RecordNode) throws(ReportFault) -> ContractCoverage {
    ContractCoverage(
      document: try node.text("document"), title: try node.optionalText("title"),
      apiVersion: try node.optionalText("version"),
      operations: try node.list("operations") { operation throws(ReportFault) in
        ContractCoverage.OperationCoverage(
          operation: ContractCoverage.OperationName(
            method: try operation.text("method"), path: try operation.text("path"),
            operationID: try operation.optionalText("operation_id"), isDeprecated: try operation.flag("deprecated")),
          requests: try operation.count("responses"),
          statuses: try operation.list("statuses") { status throws(ReportFault) in
            (try status.text("status"), try status.count("responses"))
          },
          undeclared: try operation.list("undeclared_statuses") { status throws(ReportFault) in
            guard let code = Int(try status.text("status")), (0...999).contains(code) else {
              throw status.fault("status", "no status")
            }
            return (code, try status.count("responses"))
          })
      }, unmatchedRequests: try node.count("unmatched_requests"))
  }

  // MARK: Files and groups

  func fileStart(_ node: RecordNode, at position: Int) throws(ReportFault) -> FileStart {
    FileStart(
      position: position, path: try node.text("path"), name: try node.optionalText("name"),
      iteration: try node.integer("iteration", in: 1...Int(Int32.max)), variant: try node.optionalText("variant"),
      part: try node.optionalWord("part"), time: try node.time("start"))
  }

  func fileEnd(_ node: RecordNode, of start: FileStart) throws(ReportFault) -> FileReport {
    FileReport(
      path: start.path, iteration: start.iteration, variant: start.variant, counts: try node.object("counts", counts),
      start: start.time, duration: try node.duration("duration"))
  }

  func groupStart(_ node: RecordNode, _ id: StepID, in parent: StepID?) throws(ReportFault) -> GroupStart {
    GroupStart(
      id: id, parent: parent, kind: try node.word("group"), stage: try node.word("stage"), name: try node.text("name"),
      line: try node.integer("line", in: ReportDecoding.numbers), time: try node.time("start"))
  }

  func groupEnd(_ node: RecordNode, _ id: StepID, in parent: StepID?) throws(ReportFault) -> GroupReport {
    GroupReport(
      id: id, parent: parent, counts: try node.object("counts", counts), duration: try node.duration("duration"))
  }

  // MARK: Steps

  func step(_ node: RecordNode, _ id: StepID, in parent: StepID?) throws(ReportFault) -> StepReport {
    try readSurroundings(node)
    var report = StepReport(
      id: id, parent: parent, name: try node.text("name"), line: try node.integer("line", in: ReportDecoding.numbers),
      transport: try node.optionalObject("transport") { transport throws(ReportFault) in
        TransportDecision(
          kind: try transport.word("name"), reason: try transport.optionalText("reason") ?? "",
          isUsual: !(try transport.flag("unusual")))
      })
    report.stage = try node.word("stage")
    report.path = try node.optionalText("path")
    report.outcome = try outcome(node, reason: "reason")
    report.isSkippedWithRest = try node.flag("with_rest")
    report.isUnreached = try node.flag("unreached")
    report.start = try node.optionalTime("start")
    report.duration = try node.duration("duration")
    report.status = try node.optionalInteger("status", in: 0...999)
    report.cache = try cache(node)
    report.tags = try node.texts("tags")
    report.attemptCount = try node.count("attempt_count")
    report.roundCount = try node.optionalInteger("rounds", in: RecordNode.counts) ?? 0
    for attempt in try node.list("attempts", { attempt throws(ReportFault) in try self.attempt(attempt, of: id) }) {
      report.add(attempt)
    }
    report.assertionCount = try node.count("assertions")
    report.passedAssertions = try node.list("passed") { passed throws(ReportFault) in
      PassedAssertion(
        subject: try passed.text("subject"), predicate: try passed.optionalText("predicate") ?? "",
        range: try self.place(passed))
    }
    report.failures = try node.list("failures", assertion)
    report.warnings = try node.list("warnings", assertion)
    report.problem = try node.optionalObject("problem", diagnostic)
    report.captures = try node.list("captures") { capture throws(ReportFault) in
      (try capture.text("name"), try capture.text("value"))
    }
    report.snapshotChange = try node.optionalObject("snapshot") { change throws(ReportFault) in
      SnapshotChange(kind: try change.flag("updated") ? .updated : .written, path: try change.text("path"))
    }
    report.transfer = try node.optionalObject("transfer") { node throws(ReportFault) in
      var transfer = TransferReport(summary: try node.text("summary"))
      transfer.details = try node.texts("details")
      return transfer
    }
    report.curlCommand = try node.optionalText("curl")
    return report
  }

  private func attempt(_ node: RecordNode, of step: StepID) throws(ReportFault) -> AttemptReport {
    AttemptReport(
      step: step, number: try node.integer("number", in: RecordNode.counts), start: try node.time("start"),
      duration: try node.duration("duration"), outcome: try outcome(node, reason: "skip_reason"),
      status: try node.optionalInteger("status", in: 0...999),
      round: try node.optionalInteger("round", in: RecordNode.counts), reason: try node.optionalText("reason"))
  }

  private func outcome(_ node: RecordNode, reason: String) throws(ReportFault) -> RequestOutcome {
    let word = try node.text("outcome")
    if word == "skipped" { return .skipped(reason: try node.optionalText(reason) ?? "") }
    guard let outcome = RequestOutcome(word: word) else { throw node.fault("outcome", "none of the known words") }
    return outcome
  }

  private func cache(_ node: RecordNode) throws(ReportFault) -> CacheOutcome? {
    guard let word = try node.optionalText("cache") else { return nil }
    guard let outcome = CacheOutcome(reportWord: word) else { throw node.fault("cache", "none of the known words") }
    return outcome
  }

  // MARK: Hops

  func hop(_ node: RecordNode, of step: StepID) throws(ReportFault) -> HopReport {
    var hop = HopReport(
      step: step, attempt: try node.integer("attempt", in: RecordNode.counts),
      number: try node.integer("number", in: RecordNode.counts), start: try node.time("start"),
      request: try node.object("request", request), response: try node.optionalObject("response", response),
      timings: try node.optionalObject("timings", timings), remoteAddress: try node.optionalText("remote_address"),
      localAddress: try node.optionalText("local_address"), cache: try cache(node),
      note: try node.optionalText("note"))
    hop.isPart = try node.flag("part")
    hop.problem = try node.optionalText("problem")
    return hop
  }

  private func request(_ node: RecordNode) throws(ReportFault) -> SentRequest {
    let (url, target) = (try node.text("url"), try node.text("target"))
    let end = target.hasPrefix("/") ? target : "/"
    guard let border = url.firstRange(of: "://"), url.hasSuffix(end),
      url.utf8.count - end.utf8.count
        >= url[..<border.upperBound].utf8.count
    else { throw node.fault("url", "no URL of its target") }
    var request = SentRequest(
      method: try node.text("method"), scheme: String(url[..<border.lowerBound]),
      authority: String(url[border.upperBound...].dropLast(end.count)), target: target,
      httpVersion: try node.optionalText("http_version"), proxy: try node.optionalText("proxy"),
      headers: try node.list("headers", header), body: try node.optionalObject("body", body))
    request.headSize = try node.optionalInteger("head_size", in: RecordNode.counts)
    request.cookies = try node.list("cookies", cookie)
    return request
  }

  private func response(_ node: RecordNode) throws(ReportFault) -> ReceivedResponse {
    var response = ReceivedResponse(
      status: try node.integer("status", in: 0...999), reason: try node.optionalText("reason") ?? "",
      httpVersion: try node.optionalText("http_version") ?? "", headers: try node.list("headers", header),
      body: try node.optionalObject("body", body))
    response.headSize = try node.optionalInteger("head_size", in: RecordNode.counts)
    response.bodySize = try node.optionalInteger("body_size", in: 0...Int.max).map { Int64($0) }
    response.cookies = try node.list("cookies", cookie)
    return response
  }

  private func cookie(_ node: RecordNode) throws(ReportFault) -> HopCookie {
    var cookie = HopCookie(name: try node.text("name"))
    (cookie.path, cookie.domain) = (try node.optionalText("path"), try node.optionalText("domain"))
    cookie.expires = try node.optionalTime("expires")
    (cookie.isHTTPOnly, cookie.isSecure) = (try node.flag("http_only"), try node.flag("secure"))
    return cookie
  }

  private func header(_ node: RecordNode) throws(ReportFault) -> (name: String, value: String) {
    (try node.text("name"), try node.text("value"))
  }

  private func timings(_ node: RecordNode) throws(ReportFault) -> ExchangeTimings {
    var timings = ExchangeTimings()
    timings.nameLookup = try node.optionalDuration("name_lookup")
    timings.connect = try node.optionalDuration("connect")
    timings.tls = try node.optionalDuration("tls")
    timings.firstByte = try node.optionalDuration("first_byte")
    timings.total = try node.duration("total")
    return timings
  }

  private func body(_ node: RecordNode) throws(ReportFault) -> BodyReference {
    let size = try node.optionalInteger("size", in: 0...Int.max).map { Int64($0) }
    let wireSize = try node.optionalInteger("wire_size", in: 0...Int.max).map { Int64($0) }
    let content: BodyExcerpt.Content?
    if let text = try node.optionalText("text") {
      content = .text(text)
    } else if let base64 = try node.optionalText("base64") {
      guard let bytes = base64Decoded(base64) else { throw node.fault("base64", "no base64") }
      content = .data(bytes)
    } else {
      content = try node.optionalText("description").map { .description($0) }
    }
    let type = try node.optionalText("content_type")
    let isCut = try node.flag("cut")
    let excerpt = content.map { BodyExcerpt($0, isCut: isCut, contentType: type) }
    return BodyReference(size: size, wireSize: wireSize, excerpt: { excerpt })
  }

  // MARK: Assertions and diagnostics

  private func assertion(_ node: RecordNode) throws(ReportFault) -> AssertionReport {
    var report = AssertionReport(
      subject: try node.text("subject"), range: try place(node), predicate: try node.optionalText("predicate") ?? "",
      expected: try node.text("expected"), actual: try node.text("actual"),
      mark: try mark(node, of: try node.text("actual")), summary: try node.optionalText("summary"),
      differences: try node.list("differences", difference),
      moreDifferences: try node.optionalInteger("more_differences", in: RecordNode.counts) ?? 0,
      place: try node.optionalText("declared"), body: try node.optionalText("body"), hint: try node.optionalText("hint")
    )
    report.notes = try node.list("notes", note)
    report.dependents = try node.texts("dependents")
    return report
  }

  private func difference(_ node: RecordNode) throws(ReportFault) -> Mismatch<String>.Difference {
    let kinds: [String: DifferenceKind] = ["missing": .missing, "unexpected": .unexpected, "changed": .changed]
    guard let kind = kinds[try node.text("kind")] else { throw node.fault("kind", "none of the known words") }
    var difference = Mismatch<String>.Difference(
      path: try node.text("path"), kind: kind, expected: try node.optionalText("expected"),
      actual: try node.optionalText("actual"))
    difference.mark = try mark(node, of: difference.actual ?? "")
    difference.note = try node.optionalText("note")
    difference.count = try node.optionalInteger("count", in: RecordNode.counts) ?? 1
    difference.lines = try node.list("lines") { line throws(ReportFault) in
      let sides: [String: LineSide] = ["same": .same, "expected": .expected, "actual": .actual]
      guard let side = sides[try line.text("side")] else { throw line.fault("side", "none of the known words") }
      return Mismatch<String>.Line(side, try line.text("text"))
    }
    return difference
  }

  func diagnostic(_ node: RecordNode) throws(ReportFault) -> Diagnostic {
    Diagnostic(
      try node.word("severity"), try node.text("message"), at: try place(node), notes: try node.list("notes", note),
      help: try node.optionalText("help"))
  }

  private func readSurroundings(_ node: RecordNode) throws(ReportFault) {
    surroundings = [:]
    _ = try node.list("surroundings") { around throws(ReportFault) in
      let lines = try around.list("lines") { line throws(ReportFault) in
        SourceLine(number: try line.integer("line", in: JSONReportRecords.positions), text: try line.text("text"))
      }
      self.surroundings[try around.text("place")] = Array(lines.prefix(10))
    }
  }

  private func note(_ node: RecordNode) throws(ReportFault) -> Diagnostic.Note {
    Diagnostic.Note(try node.text("message"), at: try place(node))
  }

  private func mark(_ node: RecordNode, of text: String) throws(ReportFault) -> Mark? {
    try node.optionalObject("mark") { mark throws(ReportFault) in
      let (start, end) = (try mark.count("start"), try mark.count("end"))
      guard start <= end, let range = MarkedText.range(ofCharacters: start..<end, in: text) else {
        throw node.fault("mark", "no part of the text")
      }
      return Mark(range: range, label: try mark.optionalText("label"))
    }
  }

  /// The place in a member of that name; nil without one.
  private func place(_ node: RecordNode) throws(ReportFault) -> SourceRange? {
    try node.optionalObject("place") { node throws(ReportFault) in
      let positions = JSONReportRecords.positions
      var fragment = SourceFragment(
        name: try node.text("file"),
        start: SourcePosition(
          line: try node.integer("line", in: positions), column: try node.integer("column", in: positions)),
        lastLine: try node.optionalInteger("last_line", in: positions), text: try node.optionalText("text"))
      if let text = fragment.text {
        guard let mark = try self.mark(node, of: text), !text.utf8.contains(0x0A), text.utf8.count < 1 << 24 else {
          throw node.fault("text", "no line with a mark")
        }
        fragment.mark = mark.range
      }
      let place = "\(fragment.name):\(fragment.start.line):\(fragment.start.column)"
      fragment.surroundings = self.surroundings[place] ?? []
      let source = self.sources[fragment] ?? SourceText(fragment)
      self.sources[fragment] = source
      return SourceRange(in: source, of: fragment)
    }
  }
}

extension RequestOutcome {
  /// Creates an outcome without a reason.
  fileprivate init?(word: String) {
    let all: [RequestOutcome] = [.passed, .failed, .transportError, .specError, .notSent]
    guard let outcome = all.first(where: { $0.word == word }) else { return nil }
    self = outcome
  }
}

extension CacheOutcome {
  fileprivate init?(reportWord word: String) {
    let all: [CacheOutcome] = [.hit, .revalidated, .miss(isStored: false), .miss(isStored: true), .bypass]
    guard let outcome = all.first(where: { $0.reportWord == word }) else { return nil }
    self = outcome
  }
}
