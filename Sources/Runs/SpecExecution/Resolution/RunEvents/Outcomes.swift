import HTTPSemantics
import RequestSpecs
import Templates
import Values

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
  package var skippedAssertions = 0
  package var warnings = 0
  package var snapshotsWritten = 0
  package var snapshotsUpdated = 0

  package init() {}

  package var allFailed: Int { failed + transportErrors + specErrors }
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
    skippedAssertions += other.skippedAssertions
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
    for group in report.skippedAssertions { skippedAssertions += group.subjects.count }
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
