import RequestSpecs
import Values

/// The behavior of a mock.
package struct MockOptions: Sendable {
  /// Indicates whether a request that breaks the contract is rejected; otherwise it is a warning.
  package var isStrict = false
  /// Indicates whether collections keep what clients create.
  package var isStateful = false
  package var latency = Latency.none

  /// The origins whose pages may read the responses (CORS).
  package var origins: Set<String> = []
  /// A fault of some of the responses, and their share.
  package var fault: (kind: FaultKind, percent: Double)?
  /// The seed of what is made up and of what is random; nil counts the one, and chooses the other.
  package var seed: UInt64?

  package enum FaultKind: Sendable {
    case status(Int)
    case fault(MockSpec.Fault)
  }

  /// The delay before a response.
  package enum Latency: Sendable {
    case none
    /// The delay of the recorded server.
    case recorded
    case between(ClosedRange<Duration>)

    package var isRecorded: Bool { if case .recorded = self { true } else { false } }
  }

  package init() {}

  /// The behavior of a mock for a run.
  package init(_ mock: ProjectMock, seed: UInt64?) {
    (isStrict, isStateful, self.seed) = (mock.isStrict, mock.isStateful, seed)
    if let range = mock.latency { latency = .between(range) }
  }

  /// A status or a fault with its share, such as `503:5%` or `reset:0.5%`; nil for other texts.
  package static func fault(_ text: String) -> (kind: FaultKind, percent: Double)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasSuffix("%"), let percent = Double(parts[1].dropLast()),
      (0...100).contains(percent)
    else { return nil }
    if let fault = MockSpec.Fault(rawValue: String(parts[0])) { return (.fault(fault), percent) }
    guard let status = Int(parts[0]), (100...599).contains(status) else { return nil }
    return (.status(status), percent)
  }

  /// A duration, two with `..` between them, or `recorded`; nil for other texts.
  package static func latency(_ text: String) -> Latency? {
    if text == "recorded" { return .recorded }
    return durationRange(text).map { .between($0) }
  }
}
