import HTTPSemantics
import LocalServer
import OperatingSystem
import Synchronization
import Values

/// Recordings that are played back: each request gets the response that an equal one got.
///
/// Equal requests have equal method, path, query and body, but for masked parts, and both have credentials or not.
/// Those of several that have most of the headers in common get their responses in turn, and then from the beginning.
/// If a request made what their path names, they get the last one again and again until it is sent again.
final class Playback: Sendable {
  /// A method, and a path without masked parts.
  private struct Target: Hashable {
    let method: String
    let path: String
  }

  /// A target, and the query and the body without masked parts.
  private struct Key: Hashable {
    let target: Target
    let query: [String]
    let body: String
  }

  private let exchanges: [RecordedExchange]
  /// The hosts of the recorded servers.
  let hosts: Set<String>
  /// The exchanges without masked parts.
  private let exact: [Key: [Int]]
  private let byTarget: [Target: [Int]]
  /// Those of each target that can't be found by a key.
  private let masked: [Target: [Int]]
  private let maskedPaths: [Int]
  /// The exchanges below a path that the response of another one names.
  private let dependents: [Int: [Int]]
  private let isMade: Set<Int>
  /// The number of requests since the turn began, by the first of the equal exchanges.
  private let cursors = Mutex<[Int: Int]>([:])

  init(_ exchanges: [RecordedExchange]) {
    self.exchanges = exchanges
    hosts = Set(exchanges.map(\.host))
    var exact: [Key: [Int]] = [:]
    var (byTarget, masked): ([Target: [Int]], [Target: [Int]]) = ([:], [:])
    var maskedPaths: [Int] = []
    var (below, dependents): ([String: [Int]], [Int: [Int]]) = ([:], [:])
    for (index, exchange) in exchanges.enumerated() {
      let target = Target(method: exchange.method, path: exchange.path)
      byTarget[target, default: []].append(index)
      if let key = Playback.key(target, exchange.query, exchange.body) {
        exact[key, default: []].append(index)
      } else if unmasked(exchange.path) == nil {
        maskedPaths.append(index)
      } else {
        masked[target, default: []].append(index)
      }
      var path = exchange.path
      // Longer paths have no meaning.
      for _ in 0..<20 where path.count > 1 {
        below[path, default: []].append(index)
        path = path.parentPath
      }
    }
    for (index, exchange) in exchanges.enumerated() {
      let paths = Set(exchange.madePaths).filter { $0.count > 1 && $0 != exchange.path }
      let found = Set(paths.flatMap { below[$0] ?? [] })
      if !found.isEmpty { dependents[index] = Array(found) }
    }
    (self.exact, self.byTarget, self.masked) = (exact, byTarget, masked)
    (self.maskedPaths, self.dependents) = (maskedPaths, dependents)
    isMade = Set(dependents.values.joined())
  }

  var count: Int { exchanges.count }

  private static func key(_ target: Target, _ query: [(name: String, value: String)], _ body: SentBody) -> Key? {
    guard unmasked(target.path) != nil, let body = body.key else { return nil }
    let pairs = query.map { "\($0.name)=\($0.value)" }
    return pairs.allSatisfy { unmasked($0) != nil } ? Key(target: target, query: pairs, body: body) : nil
  }

  func response(to request: ServerRequest, _ call: inout MockCall) -> ServerResponse? {
    let target = Target(method: request.method, path: request.path == "*" ? "/" : request.path)
    let sent = Sent(query: request.queryParameters.sorted { $0 < $1 }, body: SentBody(request), of: request)
    let key = Playback.key(target, sent.query, sent.body)
    var candidates = key.flatMap { exact[$0] } ?? []
    candidates += ((key == nil ? byTarget[target] : masked[target]) ?? []).filter { exchanges[$0].matches(sent) }
    candidates += maskedPaths.filter { index in
      let exchange = exchanges[index]
      return exchange.method == target.method && isMasked(exchange.path, like: target.path) && exchange.matches(sent)
    }
    let matching = candidates.filter { exchanges[$0].isAuthorized == sent.isAuthorized }
    guard !matching.isEmpty else {
      if let nearest = candidates.first ?? byTarget[target]?.last {
        call.problems.append("the recorded request has \(exchanges[nearest].difference(to: sent))")
      }
      return nil
    }
    let scores = matching.map { exchanges[$0].similarity(to: sent) }
    let best = scores.max()
    call.operation = "recorded"
    return response(to: request, among: zip(matching, scores).filter { $1 == best }.map(\.0).sorted())
  }

  /// The next response to one of several equal requests.
  private func response(to request: ServerRequest, among equal: [Int]) -> ServerResponse {
    let turn = cursors.withLock { cursors in
      let turn = cursors[equal[0], default: 0]
      cursors[equal[0]] = turn + 1
      return turn
    }
    let index = equal[isMade.contains(equal[0]) ? min(turn, equal.count - 1) : turn % equal.count]
    if let dependent = dependents[index] {
      cursors.withLock { cursors in for index in dependent { cursors[index] = nil } }
    }
    return exchanges[index].response(to: request)
  }
}

/// The compared parts of a request.
private struct Sent {
  let query: [(name: String, value: String)]
  let body: SentBody
  let isAuthorized: Bool
  let fields: [String: [String]]

  init(query: [(name: String, value: String)], body: SentBody, of request: ServerRequest) {
    (self.query, self.body, fields) = (query, body, request.comparedFields)
    isAuthorized = fields["authorization"] != nil
  }
}

extension RecordedExchange {
  fileprivate func matches(_ sent: Sent) -> Bool { hasQuery(sent.query) && body.difference(to: sent.body) == nil }

  private func hasQuery(_ other: [(name: String, value: String)]) -> Bool {
    query.count == other.count && zip(query, other).allSatisfy { $0.name == $1.name && isMasked($0.value, like: $1.value) }
  }

  /// A phrase for the part that differs.
  fileprivate func difference(to sent: Sent) -> String {
    if !hasQuery(sent.query) {
      let text = query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
      return query.isEmpty ? "no query" : "the query \(text)"
    }
    if let place = body.difference(to: sent.body) { return "another body: \(place) differs" }
    return isAuthorized ? "credentials" : "no credentials"
  }

  /// A number that is the higher the more of the recorded fields a request has.
  fileprivate func similarity(to sent: Sent) -> Int {
    let equal = headers.count { name, value in
      sent.fields[name.lowercased()]?.contains { isMasked(value, like: $0) } ?? false
    }
    return 2 * equal - headers.count
  }
}
