import Diagnostics
import EvaluationBudgets
import HTTPMessages
import RequestSpecs
import RunPlanning
import Snapshots
import Templates

/// What a run tells its reports. All text in events is already masked: no report can leak what it never gets.
package enum FileEvent: Sendable {
  case started(FileStart)
  case requestFinished(RequestReport)
  case finished(FileReport)
  /// This repetition was not begun, since the run was asked to end; nothing else is told of it.
  case leftOut
}

/// One run of one file.
package struct FileStart: Sendable {
  /// Position in the order of the output.
  package let position: Int
  package let path: String
  package let name: String?
  /// 1-based; with `--repeat` there are several.
  package let iteration: Int

  package init(position: Int, path: String, name: String?, iteration: Int) {
    self.position = position
    self.path = path
    self.name = name
    self.iteration = iteration
  }
}

package struct FileReport: Sendable {
  package let path: String
  package let iteration: Int
  package let counts: OutcomeCounts
  package let duration: Duration

  package init(path: String, iteration: Int, counts: OutcomeCounts, duration: Duration) {
    self.path = path
    self.iteration = iteration
    self.counts = counts
    self.duration = duration
  }
}

/// How many requests ended how.
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

  package mutating func add(_ report: RequestReport) {
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

/// How a request ended.
package enum RequestOutcome: Sendable, Hashable {
  case passed
  /// An expectation was not met, or a capture found nothing.
  case failed
  /// The world failed: no answer, or not all of it.
  case transportError
  /// The spec is wrong, in a way that only running could tell.
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

/// All that is told of one request.
package struct RequestReport: Sendable {
  package var number = 0
  package var stage = RequestStage.requests
  package var name = ""
  /// Of the request in its file, 1-based.
  package var line: Int
  package var outcome = RequestOutcome.passed
  package var duration = Duration.zero
  package var status: Int?
  package var transport: TransportDecision
  /// Of the final answer; nil without a cache.
  package var cache: CacheOutcome?
  package var assertionCount = 0
  package var failures: [AssertionReport] = []
  /// What does not fail the request: a part of it that its contract does not have so.
  package var warnings: [AssertionReport] = []
  package var transfer: TransferReport?
  /// Of the requests that were sent while this one was under way.
  var during: [RequestReport] = []
  /// The snapshot that was stored of the answer.
  package var snapshotChange: SnapshotChange?
  /// Why there is no answer, or no request.
  package var problem: Diagnostic?
  /// The request as a curl command; only where it was asked for or something failed.
  package var curlCommand: String?
  /// The same with its secrets, for the console alone; only where it was asked for.
  package var openCurlCommand: String?
  /// Whether all that follows in the file is skipped for the same reason.
  package var isSkippedWithRest = false
  package var captures: [(name: String, value: String)] = []
  /// What went over the wire; only where it was asked for.
  package var trace: [HopTrace] = []

  /// The request's first line, for what has no place of its own.
  var place: SourceRange?
  /// The name that had no value, where that is the problem.
  var unsetName: String?

  package init(name: String, line: Int, transport: TransportDecision) {
    self.name = name
    self.line = line
    self.transport = transport
  }
}

extension RequestReport {
  init(of request: PreparedRequest) {
    self.init(name: request.staticName, line: request.line, transport: request.transport)
    number = request.number
    stage = request.stage
    place = request.range
  }

  /// What was in flight when the run was to end.
  mutating func cutShort(_ control: RunControl, at range: SourceRange?, help: String? = nil) {
    let reason = "cut short: \(control.reason)"
    guard control.exceededTime != nil else {
      outcome = .skipped(reason: reason + (help.map { "; \($0)" } ?? ""))
      return
    }
    outcome = .failed
    problem = .error(reason, at: range ?? place, help: help)
  }

  /// In place of all that was found by an evaluation that did not come to its end.
  ///
  /// - Parameter subject: what was looked at when the budget was used up.
  mutating func fail(
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

  /// What is wrong with the spec, as only running could tell.
  mutating func fail(_ error: TemplateError, registry: SecretRegistry) {
    outcome = .specError
    unsetName = error.unsetName
    problem = .error(
      registry.masked(message: error.message), at: error.range ?? place, notes: error.notes,
      help: error.help.map(registry.masked(message:)))
  }
}

/// One exchange as it went over the wire.
package struct HopTrace: Sendable {
  package let requestLine: String
  package let requestHeaders: [(name: String, value: String)]
  package let requestBody: String?
  package let statusLine: String?
  package let responseHeaders: [(name: String, value: String)]
  package var responseBody: String?
  package let timings: ExchangeTimings?
  package let remoteAddress: String?
  /// How many bytes the body has, and how many came over the wire: where both are known.
  package let bodySize: (decoded: Int64, onWire: Int64)?
  package let cache: CacheOutcome?
  /// Why credentials did not help.
  package var note: String?

  package init(
    requestLine: String, requestHeaders: [(name: String, value: String)], requestBody: String?, statusLine: String?,
    responseHeaders: [(name: String, value: String)], responseBody: String? = nil, timings: ExchangeTimings?,
    remoteAddress: String?, bodySize: (decoded: Int64, onWire: Int64)?, cache: CacheOutcome?, note: String? = nil
  ) {
    self.requestLine = requestLine
    self.requestHeaders = requestHeaders
    self.requestBody = requestBody
    self.statusLine = statusLine
    self.responseHeaders = responseHeaders
    self.responseBody = responseBody
    self.timings = timings
    self.remoteAddress = remoteAddress
    self.bodySize = bodySize
    self.cache = cache
    self.note = note
  }
}

/// What takes the events of one run of one file, one after another; whoever it is must not wait for anything.
package protocol FileEventSink: Sendable {
  func receive(_ event: FileEvent)
}

/// How much of each exchange the reports want.
package struct TraceOptions: Sendable {
  package var includesHeads = false
  package var includesBodies = false
  package var includesCurl = false
  /// Whether the console's curl commands have their secrets.
  package var includesSecrets = false

  package init() {}
}
