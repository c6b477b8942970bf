import HLSPlaylists
import HTTPMessages
import OperatingSystem

/// Why a stream could not be stored.
package enum HLSFailure: Error, Sendable {
  /// No answer, or no place to put it.
  case transport(TransportError)
  /// An answer that is not what a stream needs.
  case unusable(expected: String, actual: String, help: String? = nil)

  static let cancelled = HLSFailure.transport(.cancelled)

  /// What a playlist says is wrong with it.
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

/// How one of several attempts failed.
struct AttemptFailure: Error {
  let failure: HLSFailure
  /// Whether another attempt may succeed.
  let mayPass: Bool

  init(_ failure: HLSFailure, mayPass: Bool = false) {
    self.failure = failure
    self.mayPass = mayPass
  }

  init(_ error: TransportError) {
    self.init(.transport(error), mayPass: RetryPolicy.hls.retries(error))
  }

  /// An answer with another status than those that bring what was asked for.
  init(status: Int, expected: String) {
    self.init(
      .unusable(expected: expected, actual: "status \(status)"), mayPass: RetryPolicy.hls.retries(status: status))
  }

  /// The failure, with what failed and how often it was tried.
  func told(of subject: String, attempts: Int) -> HLSFailure {
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
