import DocumentQueries
import LocalServer
import Synchronization
import Values

/// A request that a mock received, and what it made of it.
package struct MockCall: Sendable {
  /// The request, whose body may be left out.
  private var request: ServerRequest
  var operation: String?
  package var status = 0
  /// Indicates whether a source has a response for the request.
  var isMatched = true
  /// The reasons why the request breaks the contract.
  package var problems: [String] = []

  private static let keptSize = 64 << 10

  init(_ request: ServerRequest) {
    self.request = request
    if request.body.count > MockCall.keptSize { self.request.body = [] }
  }

  package var method: String { request.method }
  package var path: String { request.path }

  /// The number of bytes of the body and the headers.
  fileprivate var size: Int {
    request.headers.reduce(request.body.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
  }

  fileprivate mutating func removeContent() { (request.body, request.headers) = ([], []) }

  /// One line for people.
  var line: String {
    "\(sanitizedForTerminal("\(method) \(path)")) \(status)\n"
      + problems.map { "  warning: \(sanitizedForTerminal($0))\n" }.joined()
  }

  /// The body as JSON; nil for other ones, and for one that nests too deep to stand in a list of calls.
  private var json: Value? {
    guard let value = request.jsonBody else { return nil }
    let listed = Array("[[".utf8) + request.body + Array("]]".utf8)
    return (try? JSONDocument(parsing: listed)) == nil ? nil : value
  }

  fileprivate var value: Value {
    let headers = request.headers.map { (name: $0.name.lowercased(), value: $0.value) }
    var members: [(String, Value)] = [
      ("method", .text(Text(method))), ("path", .text(Text(path))), ("query", .grouped(request.queryParameters)),
      ("headers", .grouped(headers)),
    ]
    if let json {
      members.append(("json", json))
    } else if !request.body.isEmpty {
      members.append(("body", .text(Text(String(decoding: request.body, as: UTF8.self)))))
    }
    return .mapping(
      Mapping(
        members + [
          ("operation", operation.map { .text(Text($0)) } ?? .null), ("status", .integer(status)),
          ("matched", .bool(isMatched)), ("problems", .list(problems.map { .text(Text($0)) })),
        ]))
  }
}

/// The calls of a mock, the latest of many.
final class MockLog: Sendable {
  /// The path of the list, below what RFC 8615 reserves.
  static let path = "/.well-known/reqrun/calls"
  private static let limit = 10_000
  private static let sizeLimit = 32 << 20
  private static let shownLimit = 20
  private static let reportedLimit = 1_000

  private struct Calls {
    var list: [MockCall] = []
    var count = 0
    /// The numbers of calls of the sources' requests.
    var called: [String: Int] = [:]
    /// The number of calls with a problem, and the first of them.
    var wrongCount = 0
    var wrong: [MockCall] = []
    /// The bytes of bodies and headers that are kept, and the number of the first call that has its own.
    var size = 0
    var firstWhole = 0

    mutating func append(_ call: MockCall) {
      list.append(call)
      size += call.size
      while size > MockLog.sizeLimit, firstWhole < list.count {
        size -= list[firstWhole].size
        list[firstWhole].removeContent()
        firstWhole += 1
      }
      guard list.count > 2 * MockLog.limit else { return }
      size -= list.prefix(MockLog.limit).reduce(0) { $0 + $1.size }
      list.removeFirst(MockLog.limit)
      firstWhole = max(0, firstWhole - MockLog.limit)
    }
  }
  private let calls = Mutex(Calls())

  func add(_ call: MockCall) {
    calls.withLock { calls in
      calls.count += 1
      if let operation = call.operation { calls.called[operation, default: 0] += 1 }
      if !call.problems.isEmpty {
        calls.wrongCount += 1
        if calls.wrong.count < MockLog.reportedLimit { calls.wrong.append(call) }
      }
      calls.append(call)
    }
  }

  /// The calls with a problem, and what was not called; nil if there is neither.
  ///
  /// - Parameter known: what the sources have.
  func complaint(_ known: [String]) -> String? {
    let calls = calls.withLock { $0 }
    var seen = Set(calls.called.keys)
    let uncalled = known.filter { seen.insert($0).inserted }
    if calls.wrongCount == 0, uncalled.isEmpty { return nil }
    var text = ""
    if calls.wrongCount > 0 {
      text += "\(counted(calls.wrongCount, "call")) of \(calls.count) with a problem:\n"
      for call in calls.wrong.prefix(MockLog.shownLimit) {
        text += "  \(call.line.replacing("\n  warning:", with: ":"))"
      }
      let more = calls.wrongCount - MockLog.shownLimit
      if more > 0 { text += "  … and \(more) more\n" }
    }
    if !uncalled.isEmpty {
      text += "not called: \(uncalled.prefix(MockLog.shownLimit).joined(separator: ", "))"
      text += uncalled.count > MockLog.shownLimit ? " … and \(uncalled.count - MockLog.shownLimit) more\n" : "\n"
    }
    return text
  }

  /// The requests of the sources, each once with the number of its calls, and the first calls with a problem.
  ///
  /// - Parameter known: what the sources have.
  func results(_ known: [String]) -> (requests: [(title: String, count: Int)], wrong: [MockCall]) {
    let calls = calls.withLock { $0 }
    var seen: Set<String> = []
    return (known.filter { seen.insert($0).inserted }.map { ($0, calls.called[$0] ?? 0) }, calls.wrong)
  }

  /// The latest calls.
  var list: Value {
    let list = calls.withLock { $0.list.suffix(MockLog.limit) }
    return .list(list.map(\.value))
  }

  /// `GET` lists the calls, `DELETE` forgets them.
  func response(to request: ServerRequest) -> ServerResponse {
    switch request.method {
    case "DELETE":
      calls.withLock { $0 = Calls() }
      return ServerResponse(status: 204)
    case "GET", "HEAD":
      return .json(.mapping(Mapping([("count", .integer(calls.withLock(\.count))), ("calls", list)])))
    default: return .problem(405, "the calls are listed by GET, and forgotten by DELETE").with("Allow", "GET, DELETE")
    }
  }
}
