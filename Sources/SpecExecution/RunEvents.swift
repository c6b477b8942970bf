import Diagnostics
import HTTPMessages
import RequestSpecs
import RunPlanning

/// What a run tells its reports. All text in events is already masked: no report can leak what it never gets.
package enum FileEvent: Sendable {
  case started(FileStart)
  case requestFinished(RequestReport)
  case finished(FileReport)
}

/// One run of one file.
package struct FileStart: Sendable {
  /// Position in the order of the output.
  package let position: Int
  package let path: String
  package let name: String?
  /// 1-based; with `--repeat` there are several.
  package let iteration: Int
  package let requestCount: Int
}

package struct FileReport: Sendable {
  package let path: String
  package let iteration: Int
  package let counts: OutcomeCounts
  package let duration: Duration
}

/// How many requests ended how.
package struct OutcomeCounts: Sendable, Hashable {
  package var passed = 0
  package var failed = 0
  package var transportErrors = 0
  package var specErrors = 0
  package var skipped = 0
  package var assertions = 0
  package var failedAssertions = 0

  package init() {}

  package var requests: Int { passed + failed + transportErrors + specErrors + skipped }
  package var isGood: Bool { failed == 0 && transportErrors == 0 && specErrors == 0 }

  package mutating func add(_ other: OutcomeCounts) {
    passed += other.passed
    failed += other.failed
    transportErrors += other.transportErrors
    specErrors += other.specErrors
    skipped += other.skipped
    assertions += other.assertions
    failedAssertions += other.failedAssertions
  }

  mutating func add(_ report: RequestReport) {
    switch report.outcome {
    case .passed: passed += 1
    case .failed: failed += 1
    case .transportError: transportErrors += 1
    case .specError: specErrors += 1
    case .skipped: skipped += 1
    }
    assertions += report.assertionCount
    failedAssertions += report.failures.count
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
}

/// All that is told of one request.
package struct RequestReport: Sendable {
  package var number = 0
  package var stage = RequestStage.requests
  package var name = ""
  package var range: SourceRange
  package var outcome = RequestOutcome.passed
  package var duration = Duration.zero
  /// `GET http://…`, as far as they could be resolved.
  package var method = ""
  package var url = ""
  package var status: Int?
  package var transport: TransportDecision
  package var assertionCount = 0
  package var failures: [AssertionReport] = []
  /// Why there is no answer, or no request.
  package var problem: Diagnostic?
  /// The request as a curl command; only where it was asked for or something failed.
  package var curlCommand: String?
  package var captures: [(name: String, value: String)] = []
  /// What went over the wire; only where it was asked for.
  package var trace: [HopTrace] = []

  package init(range: SourceRange, transport: TransportDecision) {
    self.range = range
    self.transport = transport
  }
}

/// One expectation that was not met.
package struct AssertionReport: Sendable {
  /// Such as `json $.user.id`.
  package let subject: String
  /// Where the expected value stands.
  package let range: SourceRange?
  /// Such as `equals 1`.
  package let predicate: String
  package let expected: String
  package let actual: String
  package let differences: [DifferenceReport]
  package let moreDifferences: Int
  package let hint: String?
}

/// One place where a structure differs.
package struct DifferenceReport: Sendable {
  package let path: String
  package let expected: String?
  package let actual: String?
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
}

/// What takes the events of one run of one file; the runner waits for it.
package protocol FileEventSink: Sendable {
  func receive(_ event: FileEvent) async
}

/// How much of each exchange the reports want.
package struct TraceOptions: Sendable {
  package var includesHeads = false
  package var includesBodies = false
  package var includesCurl = false

  package init() {}
}
