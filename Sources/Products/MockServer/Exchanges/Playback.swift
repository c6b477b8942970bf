import LocalServer
import Synchronization
import Values

/// Exchanges that are played back: a request gets the response of one that is like it.
///
/// Such requests have the same method, path, query and body, but for open parts, and both have credentials or not. Of
/// several, those count that have the most fields in common, and their responses are given in turn. What a safe request
/// shows stays until a request changes it: one to its path, or below it, or the one that creates it. The responses of
/// requests that nothing changes begin again after the last one.
final class Playback: Sendable {
  /// A method, a path, a query and a body without open parts.
  private struct Key: Hashable {
    let method: String
    let path: String
    let query: [String]
    let body: String
  }

  /// A place of equal requests: their number, and the path if that has open parts.
  private struct Place: Hashable {
    let number: Int
    let path: String
  }

  /// The equal requests that a request changes the responses of.
  private struct Change {
    let group: Int
    /// Their path; nil for one in the place of that of the request.
    var path: String?
  }

  private struct State {
    /// The next of equal exchanges, by the first of them, and the times of their last requests.
    var turns: [Place: (next: Int, time: Int)] = [:]
    /// The exchanges that changed the responses of groups last.
    var changes: [Place: (index: Int, time: Int)] = [:]
    var time = 0
  }

  private let exchanges: [MockedExchange]
  /// The exchanges without open parts.
  private let exact: [Key: [Int]]
  private let byPath: [String: [Int]]
  /// The exchanges of a path that others may be like.
  private let inexact: [String: [Int]]
  private let open: [Int]
  /// The number of the equal requests that each belongs to.
  private let groups: [Int]
  /// The number of segments in the paths of groups.
  private let depths: [Int: Int]
  private let changes: [Int: [Change]]
  /// The exchanges that change each group, in order.
  private let changers: [Int: [Int]]
  private let state = Mutex(State())

  /// The number of places that are known at one time, since clients choose paths.
  private static let placeLimit = 100_000

  init(_ recorded: [MockedExchange]) {
    let exchanges = Twins.completed(recorded)
    self.exchanges = exchanges
    count = recorded.count
    describedCount = recorded.count { !($0.response is RecordedResponse) }
    var exact: [Key: [Int]] = [:]
    var (byPath, inexact): ([String: [Int]], [String: [Int]]) = ([:], [:])
    var open: [Int] = []
    for (index, exchange) in exchanges.enumerated() {
      let key = Playback.key(exchange)
      if let key { exact[key, default: []].append(index) }
      guard exchange.path.isLiteral else {
        open.append(index)
        continue
      }
      byPath[exchange.path.text, default: []].append(index)
      if key == nil { inexact[exchange.path.text, default: []].append(index) }
    }
    (self.exact, self.byPath, self.inexact, self.open) = (exact, byPath, inexact, open)
    groups = Playback.grouped(exchanges)
    depths = Dictionary(
      zip(groups, exchanges.map { $0.path.text.split(separator: "/").count }), uniquingKeysWith: { first, _ in first })
    changes = Playback.changes(exchanges, groups)
    var changers: [Int: [Int]] = [:]
    for (index, list) in changes.sorted(by: { $0.key < $1.key }) {
      for group in Set(list.map(\.group)) { changers[group, default: []].append(index) }
    }
    self.changers = changers
  }

  let count: Int
  /// The number of those that specs describe.
  let describedCount: Int

  /// The responses of all requests without open parts in their paths.
  var responses: [(title: String, request: ServerRequest, response: ServerResponse)] {
    exchanges.compactMap { exchange in
      guard exchange.path.isLiteral else { return nil }
      let query = exchange.query.map { "\($0.name)=\(percentEncoded($0.value.text, allowed: .unreserved))" }
      var request = ServerRequest(
        target: exchange.path.text + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
      request.method = exchange.method
      return (exchange.title, request, exchange.response.response(to: request, Bindings()))
    }
  }

  var labels: [String] { exchanges.map(\.title) }

  private static func key(_ exchange: MockedExchange) -> Key? {
    guard exchange.path.isLiteral, let body = exchange.body.key, exchange.query.allSatisfy(\.value.isLiteral) else {
      return nil
    }
    return Key(
      method: exchange.method, path: exchange.path.text, query: exchange.query.map { "\($0.name)=\($0.value.text)" },
      body: body)
  }

  private static func key(_ sent: SentRequest) -> Key? {
    sent.body.key.map { body in
      Key(method: sent.method, path: sent.path, query: sent.query.map { "\($0.name)=\($0.value)" }, body: body)
    }
  }

  // MARK: turns

  /// The numbers of the requests that are equal but for their fields.
  private static func grouped(_ exchanges: [MockedExchange]) -> [Int] {
    var numbers: [String: Int] = [:]
    return exchanges.map { exchange in
      let name = exchange.equalParts.joined(separator: "\n")
      let number = numbers[name] ?? numbers.count
      numbers[name] = number
      return number
    }
  }

  private static func changes(_ exchanges: [MockedExchange], _ groups: [Int]) -> [Int: [Change]] {
    var paths: [Int: String] = [:]
    var (safe, below): ([String: Set<Int>], [String: Set<Int>]) = ([:], [:])
    for (index, exchange) in exchanges.enumerated() where paths[groups[index]] == nil {
      var path = exchange.path.text
      paths[groups[index]] = path
      if exchange.isSafe { safe[path, default: []].insert(groups[index]) }
      // Longer paths have no meaning.
      for _ in 0..<20 where path.count > 1 {
        below[path, default: []].insert(groups[index])
        path = path.parentPath
      }
    }
    var changes: [Int: [Change]] = [:]
    for (index, exchange) in exchanges.enumerated() where !exchange.isSafe {
      var path = exchange.path.text
      for _ in 0..<20 {
        changes[index, default: []] += (safe[path] ?? []).map { Change(group: $0) }
        if path.count <= 1 { break }
        path = path.parentPath.isEmpty ? "/" : path.parentPath
      }
      for made in Set(exchange.response.madePaths) where made.count > 1 && made != exchange.path.text {
        changes[index, default: []] += (below[made] ?? []).map { Change(group: $0, path: paths[$0]) }
      }
    }
    return changes
  }

  /// The exchange whose turn it is among equal ones.
  private func next(_ equal: [Int], _ path: String) -> Int {
    let group = groups[equal[0]]
    let turn = Place(number: equal[0], path: path)
    return state.withLock { state in
      if state.turns.count + state.changes.count > Playback.placeLimit { state = State() }
      state.time += 1
      // Requests with other fields have some of the same exchanges.
      let wanted = state.turns[turn]?.next ?? 0
      var position = equal.firstIndex { $0 >= wanted } ?? 0
      if let change = state.changes[Place(number: group, path: path)], change.time > state.turns[turn]?.time ?? 0 {
        position = equal.firstIndex { $0 > change.index } ?? (exchanges[equal[0]].isSafe ? equal.count - 1 : 0)
      }
      let index = equal[position]
      state.turns[turn] = (equal[following(position, of: equal, group)], state.time)
      let segments = path.split(separator: "/")
      for change in changes[index] ?? [] {
        let path = change.path ?? self.path(of: change.group, in: segments)
        state.changes[Place(number: change.group, path: path)] = (index, state.time)
      }
      return index
    }
  }

  /// The path of a group above a path.
  private func path(of group: Int, in segments: [Substring]) -> String {
    "/" + segments.prefix(depths[group] ?? 0).joined(separator: "/")
  }

  /// The position in the turn after one.
  private func following(_ position: Int, of equal: [Int], _ group: Int) -> Int {
    let next = position + 1
    guard exchanges[equal[position]].isSafe, let changers = changers[group] else { return next % equal.count }
    // It waits for what changed it.
    guard next < equal.count, !changers.contains(where: { $0 > equal[position] && $0 < equal[next] }) else {
      return position
    }
    return next
  }

  // MARK: requests

  func response(to request: ServerRequest, _ call: inout MockCall) -> ServerResponse? {
    let sent = SentRequest(request)
    let key = Playback.key(sent)
    let same = byPath[sent.path] ?? []
    // Equal bodies are found at once, however many there are.
    let candidates =
      (key.flatMap { exact[$0] } ?? [])
      + (key == nil ? same : inexact[sent.path] ?? [])
      + open
    var matches = candidates.compactMap { index in exchanges[index].match(sent).map { (index: index, bindings: $0) } }
    if matches.isEmpty {
      matches = (same + open).compactMap { index in
        exchanges[index].looseMatch(sent).map { (index: index, bindings: $0) }
      }
    }
    var matching = matches.filter { exchanges[$0.index].isAuthorized == sent.isAuthorized }
    let own = matching.filter { exchanges[$0.index].response.belongs($0.bindings) }
    if !own.isEmpty { matching = own }
    guard !matching.isEmpty else {
      let nearest = matches.first?.index ?? same.last { exchanges[$0].method == sent.method }
      if let nearest { call.problems.append("the known request has \(exchanges[nearest].difference(to: sent))") }
      return nil
    }
    let scored = matching.map { (match: $0, score: exchanges[$0.index].similarity(to: sent)) }
    let best = scored.map(\.score).max()
    let equal = scored.filter { $0.score == best }.map(\.match)
    let index = next(equal.map(\.index).sorted(), sent.path)
    call.operation = exchanges[index].title
    let bindings = equal.first { $0.index == index }?.bindings ?? Bindings()
    return exchanges[index].response.response(to: request, bindings)
  }
}
