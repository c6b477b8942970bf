import LocalServer
import Synchronization
import Values

/// A request that a mock received, and what it made of it.
struct MockCall: Sendable {
  let method: String
  let path: String
  var operation: String?
  var status = 0
  /// The reasons why the request breaks the contract.
  var problems: [String] = []

  init(_ request: ServerRequest) { (method, path) = (request.method, request.path) }

  /// One line for people.
  var line: String {
    "\(sanitizedForTerminal("\(method) \(path)")) \(status)\n"
      + problems.map { "  warning: \(sanitizedForTerminal($0))\n" }.joined()
  }

  fileprivate var value: Value {
    .mapping(
      Mapping([
        ("method", .text(method)), ("path", .text(path)), ("operation", operation.map { .text($0) } ?? .null),
        ("status", .integer(status)), ("problems", .list(problems.map { .text($0) })),
      ]))
  }
}

/// The calls of a mock, the latest of many.
final class MockLog: Sendable {
  /// The path of the list, below what RFC 8615 reserves.
  static let path = "/.well-known/reqrun/calls"
  private static let limit = 10_000
  private static let shownLimit = 20

  private struct Calls {
    var list: [MockCall] = []
    var count = 0
    /// The requests of the sources that were called.
    var called: Set<String> = []
    /// The number of calls with a problem, and the first of them.
    var wrongCount = 0
    var wrong: [MockCall] = []
  }
  private let calls = Mutex(Calls())

  func add(_ call: MockCall) {
    calls.withLock { calls in
      calls.count += 1
      if let operation = call.operation { calls.called.insert(operation) }
      if !call.problems.isEmpty {
        calls.wrongCount += 1
        if calls.wrong.count < MockLog.shownLimit { calls.wrong.append(call) }
      }
      calls.list.append(call)
      if calls.list.count > 2 * MockLog.limit { calls.list.removeFirst(MockLog.limit) }
    }
  }

  /// The calls with a problem, and what was not called; nil if there is neither.
  ///
  /// - Parameter known: what the sources have.
  func complaint(_ known: [String]) -> String? {
    let calls = calls.withLock { $0 }
    var seen = calls.called
    let uncalled = known.filter { seen.insert($0).inserted }
    if calls.wrongCount == 0, uncalled.isEmpty { return nil }
    var text = ""
    if calls.wrongCount > 0 {
      text += "\(counted(calls.wrongCount, "call")) of \(calls.count) with a problem:\n"
      for call in calls.wrong { text += "  \(call.line.replacing("\n  warning:", with: ":"))" }
      if calls.wrongCount > calls.wrong.count { text += "  … and \(calls.wrongCount - calls.wrong.count) more\n" }
    }
    if !uncalled.isEmpty {
      text += "not called: \(uncalled.prefix(MockLog.shownLimit).joined(separator: ", "))"
      text += uncalled.count > MockLog.shownLimit ? " … and \(uncalled.count - MockLog.shownLimit) more\n" : "\n"
    }
    return text
  }

  /// `GET` lists the calls, `DELETE` forgets them.
  func response(to request: ServerRequest) -> ServerResponse {
    switch request.method {
    case "DELETE":
      calls.withLock { $0 = Calls() }
      return ServerResponse(status: 204)
    case "GET", "HEAD":
      let (list, count) = calls.withLock { ($0.list.suffix(MockLog.limit), $0.count) }
      return .json(.mapping(Mapping([("count", .integer(count)), ("calls", .list(list.map(\.value)))])))
    default: return .problem(405, "the calls are listed by GET, and forgotten by DELETE").with("Allow", "GET, DELETE")
    }
  }
}
