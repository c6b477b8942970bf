import HTTPSemantics
import OperatingSystem
import Values

/// The reason why a stream could not be stored.
package enum HLSFailure: Error, Sendable {
  /// No response, or no place to store it.
  case transport(TransportError)
  /// A response that the stream can't use.
  case unusable(expected: String, actual: String, help: String? = nil)

  static let cancelled = HLSFailure.transport(.cancelled)

  init(_ problem: PlaylistProblem, in url: HTTPURL) {
    self = .unusable(
      expected: "an HLS playlist", actual: "line \(problem.line) of \(url.string): \(problem.message)",
      help: problem.help)
  }

  init(_ problem: SystemProblem, writing what: String) {
    self = .transport(TransportError(.storage, "\(what) cannot be written: \(problem.reason)"))
  }
}

extension RetryPolicy {
  static let hls = RetryPolicy(
    attempts: 3, statuses: Set(500...599).union([408, 429]),
    failures: .transient.union([.timeout(.resource), .invalidResponse]), interval: .milliseconds(250), backoff: .linear)
}

/// The failure of one of several attempts.
struct AttemptFailure: Error {
  let failure: HLSFailure
  /// Indicates whether another attempt may succeed.
  let mayPass: Bool

  init(_ failure: HLSFailure, mayPass: Bool = false) {
    self.failure = failure
    self.mayPass = mayPass
  }

  init(_ error: TransportError) {
    self.init(.transport(error), mayPass: RetryPolicy.hls.retries(error))
  }

  /// A response with an unexpected status.
  init(status: Int, expected: String) {
    self.init(
      .unusable(expected: expected, actual: "status \(status)"), mayPass: RetryPolicy.hls.retries(status: status))
  }

  /// The failure, with its subject and the number of attempts.
  func about(_ subject: String, attempts: Int) -> HLSFailure {
    let count = attempts > 1 ? " (\(attempts) attempts)" : ""
    switch failure {
    case .transport(var error):
      if case .cancelled = error.kind { return failure }
      error.message = "\(subject): \(error.message)\(count)"
      return .transport(error)
    case .unusable(let expected, let actual, let help):
      return .unusable(expected: "\(expected) for \(subject)", actual: actual + count, help: help)
    }
  }
}
