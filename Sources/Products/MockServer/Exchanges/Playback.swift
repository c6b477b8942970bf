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

  private struct State {
    /// The next of equal exchanges, by the first of them, and the times of their last requests.
    var turns: [Place: (next: Int, time: Int)] = [:]
    /// The last exchanges that changed something at a path or below it, or created what is there.
    var changed: [String: (index: Int, time: Int)] = [:]
    var created: [String: (index: Int, time: Int)] = [:]
    var time = 0
  }

  private let exchanges: [MockedExchange]
  /// The exchanges without open parts.
  private let exact: [Key: [Int]]
  private let byPath: [String: [Int]]
  /// The exchanges of a path that others may be like.
  private let inexact: [String: [Int]]
  private let open: [Int]
  /// The number of the fields of each, the same for equal ones.
  private let fieldNumbers: [Int]
  /// The exchanges that change something at a path or below it, and those that create what is there, in order.
  private let changing: [String: [Int]]
  private let creating: [String: [Int]]
  /// The paths of what each creates.
  private let created: [Int: [String]]
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
    var numbers: [String: Int] = [:]
    fieldNumbers = exchanges.map { exchange in
      let text = exchange.fields.map { "\($0.name): \($0.value.text)" }.sorted().joined(separator: "\n")
      let number = numbers[text] ?? numbers.count
      numbers[text] = number
      return number
    }
    var (changing, creating): ([String: [Int]], [String: [Int]]) = ([:], [:])
    var created: [Int: [String]] = [:]
    for (index, exchange) in exchanges.enumerated() where !exchange.isSafe {
      for path in exchange.path.text.pathsAbove { changing[path, default: []].append(index) }
      let made = Set(exchange.response.madePaths).filter { $0.count > 1 && $0 != exchange.path.text }
      for path in made { creating[path, default: []].append(index) }
      if !made.isEmpty { created[index] = Array(made) }
    }
    (self.changing, self.creating, self.created) = (changing, creating, created)
  }

  let count: Int
  /// The number of those that specs describe.
  let describedCount: Int

  /// The responses of all requests without open parts in their paths.
  var responses: [(title: String, request: ServerRequest, response: ServerResponse)] {
    exchanges.flatMap { exchange -> [(title: String, request: ServerRequest, response: ServerResponse)] in
      guard exchange.path.isLiteral else { return [] }
      let query = exchange.query.map { "\($0.name)=\(percentEncoded($0.value.text, allowed: .unreserved))" }
      var request = ServerRequest(
        target: exchange.path.text + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
      request.method = exchange.method
      return exchange.response.samples(for: request).map { (exchange.title, request, $0) }
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

  private static func key(_ sent: ReceivedRequest) -> Key? {
    sent.body.key.map { body in
      Key(method: sent.method, path: sent.path, query: sent.query.map { "\($0.name)=\($0.value)" }, body: body)
    }
  }

  // MARK: turns

  /// The exchange whose turn it is among equal ones.
  private func next(_ equal: [Int], _ path: String) -> Int {
    let isSafe = exchanges[equal[0]].isSafe
    let turn = Place(number: equal[0], path: path)
    return state.withLock { state in
      if state.turns.count + state.changed.count + state.created.count > Playback.placeLimit { state = State() }
      state.time += 1
      let (wanted, time) = state.turns[turn] ?? (0, 0)
      // Requests with other fields have some of the same exchanges.
      var position = equal.firstIndex { $0 >= wanted } ?? 0
      let changes = (isSafe ? [state.changed[path]] : []) + path.pathsAbove.map { state.created[$0] }
      if let change = changes.compactMap(\.self).max(by: { $0.time < $1.time }), change.time > time {
        position = equal.firstIndex { $0 > change.index } ?? (isSafe ? equal.count - 1 : 0)
      }
      let index = equal[position]
      state.turns[turn] = (equal[following(position, of: equal)], state.time)
      if !isSafe {
        for path in path.pathsAbove { state.changed[path] = (index, state.time) }
        for path in created[index] ?? [] { state.created[path] = (index, state.time) }
      }
      return index
    }
  }

  /// The position in the turn after one.
  private func following(_ position: Int, of equal: [Int]) -> Int {
    let (exchange, next) = (exchanges[equal[position]], position + 1)
    guard exchange.isSafe else { return next % equal.count }
    let path = exchange.path.text
    let changers = [changing[path]] + path.pathsAbove.map { creating[$0] }
    // It waits for what changes it.
    let end = next < equal.count ? equal[next] : .max
    let isChanged = changers.contains { list in
      guard let list else { return false }
      return next == equal.count || list.contains { $0 > equal[position] && $0 < end }
    }
    return isChanged ? position : next % equal.count
  }

  // MARK: requests

  func response(to request: ServerRequest, _ call: inout MockCall) -> ServerResponse? {
    let sent = ReceivedRequest(request)
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
    var scores: [Int: Int] = [:]
    let scored = matching.map { match in
      let number = fieldNumbers[match.index]
      let score = scores[number] ?? exchanges[match.index].similarity(to: sent)
      scores[number] = score
      return (match: match, score: score)
    }
    let best = scored.map(\.score).max()
    let equal = scored.filter { $0.score == best }.map(\.match)
    let index = next(equal.map(\.index).sorted(), sent.path)
    call.operation = exchanges[index].title
    let bindings = equal.first { $0.index == index }?.bindings ?? Bindings()
    return exchanges[index].response.response(to: request, bindings)
  }
}

extension String {
  /// A path, and all that it is below; longer paths have no meaning.
  fileprivate var pathsAbove: [String] {
    var (paths, path) = ([String](), self)
    while paths.count < 20 {
      paths.append(path)
      if path.count <= 1 { break }
      path = path.parentPath.isEmpty ? "/" : path.parentPath
    }
    return paths
  }
}
