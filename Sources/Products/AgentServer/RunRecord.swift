import ReqrunKit
import Synchronization

/// The requests of a run, as much of them as agents ask for.
final class RunRecord: Reporter {
  /// A request and its result; all text in it is masked.
  struct Entry {
    let path: String
    let line: Int
    let name: String
    let isFailure: Bool
    let members: [String: JSONValue]
    /// The exchanges, with redirects and challenges.
    let exchanges: [JSONValue]
  }

  private struct State {
    var entries: [Entry] = []
    var passed = 0
    var failed = 0
    var result = RunResult()
  }

  /// The number of requests that are kept of those that failed, and of all others.
  private static let limit = 1_000
  private static let hopLimit = 20
  private let state = Mutex(State())

  var needs: RunEvent.Needs { .bodyBeginnings }

  func receive(_ event: RunEvent) {
    switch event {
    case .requestFinished(let request):
      let isKept = state.withLock { state in
        if request.isFailure { state.failed += 1 } else { state.passed += 1 }
        return (request.isFailure ? state.failed : state.passed) <= RunRecord.limit
      }
      guard isKept else { return }
      let entry = Entry(
        path: request.path, line: request.line, name: request.name, isFailure: request.isFailure,
        members: request.members,
        exchanges: (request.hops ?? []).suffix(RunRecord.hopLimit).map {
          $0.json.withTexts(upTo: JSONValue.longestText)
        })
      state.withLock { $0.entries.append(entry) }
    case .runFinished(let result): state.withLock { $0.result = result }
    default: break
    }
  }

  var entries: [Entry] { state.withLock { $0.entries } }

  /// The result of the run.
  var toolResult: ToolResult {
    let result = state.withLock { $0.result }
    let failures = entries.filter(\.isFailure).map { entry -> JSONValue in
      var members = entry.members
      members["exchange"] = entry.exchanges.last
      return .object(members)
    }
    let counts: [(String, Int)] = [
      ("passed", result.passed), ("failed", result.failed), ("transport_errors", result.transportErrors),
      ("spec_errors", result.specErrors), ("skipped", result.skipped),
    ]
    let content: [String: JSONValue] = [
      "exit_code": .number(String(result.exitCode)),
      "counts": .object(Dictionary(uniqueKeysWithValues: counts.map { ($0, .number(String($1))) })),
      "diagnostics": .array(result.diagnostics.map(\.json)), "failures": .array(failures),
    ]
    // What could not run at all is an error of the call.
    return ToolResult(content: content.cut("diagnostics", "failures"), isError: [2, 4, 5].contains(result.exitCode))
  }

  /// The JSON Schema of the result.
  static let schema: JSONValue = {
    let text: JSONValue = ["type": "string"]
    let integer: JSONValue = ["type": "integer"]
    let texts: JSONValue = ["type": "array", "items": text]
    let failure: JSONValue = [
      "type": "object",
      "properties": [
        "place": text, "name": text, "outcome": text, "status": integer, "failures": ["type": "array"],
        "problem": ["type": "object"], "exchange": ["type": "object"],
      ],
      "required": ["place", "name", "outcome"],
    ]
    let names: [JSONValue] = ["passed", "failed", "transport_errors", "spec_errors", "skipped"]
    return [
      "type": "object",
      "properties": [
        "exit_code": ["type": "integer", "description": "0 if all passed"],
        "counts": [
          "type": "object", "additionalProperties": integer, "required": .array(names),
        ],
        "diagnostics": ["type": "array", "items": ["type": "object", "properties": ["message": text]]],
        "failures": ["type": "array", "items": failure],
        "omitted": integer, "note": text,
      ],
      "required": ["exit_code", "counts", "failures", "diagnostics"],
    ]
  }()
}

extension RequestResult {
  private static let assertionLimit = 10

  /// The result without its exchanges.
  fileprivate var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "place": .string("\(path):\(line)"), "name": .string(name), "outcome": .string(outcome.word),
      "milliseconds": .number(String(Int(duration / .milliseconds(1)))),
    ]
    members["status"] = status.map { .number(String($0)) }
    if case .skipped(let reason) = outcome { members["reason"] = .string(reason) }
    if attemptCount > 1 { members["attempts"] = .number(String(attemptCount)) }
    members["problem"] = problem?.json
    let failures = failures.prefix(RequestResult.assertionLimit)
    if !failures.isEmpty { members["failures"] = .array(failures.map(\.json)) }
    if self.failures.count > failures.count {
      members["more_failures"] = .number(String(self.failures.count - failures.count))
    }
    if !warnings.isEmpty {
      members["warnings"] = .array(warnings.prefix(RequestResult.assertionLimit).map { .string($0.message) })
    }
    return members
  }
}

extension RequestResult.Outcome {
  fileprivate var word: String {
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

extension AssertionResult {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "assertion": .string(predicate.isEmpty ? subject : "\(subject) \(predicate)"), "expected": .string(expected),
      "actual": .string(actual),
    ]
    members["place"] = location.map { .string($0.description) }
    members["help"] = hint.map { .string($0) }
    if !differences.isEmpty {
      members["differences"] = .array(
        differences.prefix(5).map { difference in
          [
            "path": .string(difference.path), "expected": difference.expected.map { .string($0) } ?? .null,
            "actual": difference.actual.map { .string($0) } ?? .null,
          ]
        })
    }
    return .object(members)
  }
}

extension Hop {
  fileprivate var json: JSONValue {
    var sent: [String: JSONValue] = [
      "method": .string(request.method), "url": .string(request.url), "headers": RunRecord.json(request.headers),
    ]
    sent["body"] = (request.body?.beginning()).map { .string($0) }
    guard let response else { return ["request": .object(sent)] }
    var received: [String: JSONValue] = [
      "status": .number(String(response.status)), "headers": RunRecord.json(response.headers),
    ]
    received["body"] = (response.body?.beginning()).map { .string($0) }
    return ["request": .object(sent), "response": .object(received)]
  }
}

extension RunRecord {
  fileprivate static func json(_ headers: Headers) -> JSONValue {
    .array(headers.map { .string("\($0.name): \($0.value)") })
  }
}
