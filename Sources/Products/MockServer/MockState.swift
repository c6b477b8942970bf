import APIContracts
import LocalServer
import Synchronization
import Values

/// The collections that clients create, change and delete items of.
final class MockState: Sendable {
  /// A request with what its operation declares.
  struct Call {
    let request: ServerRequest
    let operation: Operation
    let contract: APIContract
    let example: ResponseExample
    let resource: MockResources.Resource
  }

  private struct Item {
    var value: Value
    var version = 1
    /// The number of the item in its collection.
    var number = 0
    /// The paths of the collections below it.
    var collections: [String] = []
  }

  private struct Collection {
    /// The keys in their order, also of deleted items.
    private var keys: [(key: String, number: Int)] = []
    private(set) var items: [String: Item] = [:]
    /// The number of items that were ever created.
    private(set) var created = 0

    var values: [Value] {
      keys.compactMap { key, number in items[key].flatMap { $0.number == number ? $0.value : nil } }
    }

    mutating func number() -> Int {
      created += 1
      return created
    }

    mutating func add(_ item: Item, as key: String) {
      items[key] = item
      keys.append((key, item.number))
    }

    mutating func change(_ key: String, _ change: (inout Item) -> Void) {
      guard var item = items[key] else { return }
      change(&item)
      items[key] = item
    }

    mutating func remove(_ key: String) -> Item? {
      guard let item = items.removeValue(forKey: key) else { return nil }
      if keys.count > 2 * items.count + 16 { keys.removeAll { items[$0.key]?.number != $0.number } }
      return item
    }
  }

  private struct Collections {
    var byPath: [String: Collection] = [:]
    var count = 0

    /// Adds an item; false if there are too many.
    mutating func add(_ item: Item, as key: String, to path: String) -> Bool {
      guard count < MockState.limit else { return false }
      count += 1
      byPath[path, default: Collection()].add(item, as: key)
      return true
    }

    /// The number of a new item of a collection, which the item above it knows from then on.
    mutating func number(in path: String) -> Int {
      if byPath[path] == nil {
        let (parent, name) = (path.parentPath.parentPath, path.parentPath.lastSegment)
        byPath[parent]?.change(name) { $0.collections.append(path) }
      }
      return byPath[path, default: Collection()].number()
    }

    /// Removes an item with what is below it.
    mutating func remove(_ key: String, from path: String) {
      var pending = [(path, key)]
      while let (path, key) = pending.popLast() {
        guard let item = byPath[path]?.remove(key) else { continue }
        count -= 1
        for inner in item.collections {
          pending += (byPath[inner]?.items.keys).map { $0.map { (inner, $0) } } ?? []
        }
      }
    }
  }

  private let collections = Mutex(Collections())
  private let made: MadeValues
  /// The maximum number of items, so that clients can't fill the memory.
  private static let limit = 100_000

  init(_ made: MadeValues) { self.made = made }

  typealias Declared = (_ status: Int) throws(ContractProblem) -> ResponseExample?

  /// The response of a collection or of an item; nil for other operations.
  ///
  /// - Parameter declared: the response that the operation declares for a status.
  func response(to call: Call, declared: Declared) throws(ContractProblem) -> ServerResponse? {
    let path = call.request.path
    if call.itemParameter != nil {
      guard let slash = path.lastIndex(of: "/") else { return nil }
      let key = percentDecoded(path[path.index(after: slash)...])
      return try item(String(path[..<slash]), key, call, declared)
    }
    switch call.request.method {
    case "GET", "HEAD": return list(path, call)
    case "POST": return create(path, call)
    default: return nil
    }
  }

  // MARK: collections

  private func list(_ path: String, _ call: Call) -> ServerResponse {
    let all = collections.withLock { $0.byPath[path]?.values ?? [] }
    let items = call.request.page(of: all)
    guard let example = call.example.value, case .mapping(var mapping) = example else {
      return ServerResponse(call.example, body: Array(Value.list(items).jsonText().string.utf8))
    }
    // A list in an object, with its count.
    let place = mapping.members.firstIndex { if case .list = $0.value { true } else { false } }
    guard let place else { return ServerResponse(call.example) }
    mapping = Mapping(
      mapping.members.enumerated().map { index, member in
        if index == place { return Mapping.Member(key: member.key, value: .list(items)) }
        let isCount = ["total", "count", "total_count", "totalCount"].contains(member.key.string)
        return isCount ? Mapping.Member(key: member.key, value: .integer(all.count)) : member
      })
    return ServerResponse(call.example, body: Array(Value.mapping(mapping).jsonText().string.utf8))
  }

  private func create(_ path: String, _ call: Call) -> ServerResponse {
    let identifier = call.identifier
    let number = collections.withLock { $0.number(in: path) }
    var base = call.example.value?.member(at: identifier?.dropLast() ?? []) ?? .mapping(Mapping())
    var key = "\(number)"
    if let name = identifier?.last {
      if let own = call.request.jsonBody?.member(at: [name]) {
        key = own.asText.string
      } else {
        let new = call.madeKey(number: number, like: base.member(at: [name]), made)
        key = new.asText.string
        base = base.merged(with: .mapping(Mapping([(name, new)])))
      }
    }
    let (value, body) = call.response(with: base)
    let refusal = collections.withLock { [key] state -> ServerResponse? in
      guard state.byPath[path]?.items[key] == nil else {
        return .problem(409, "there is a \(path)/\(key) already")
      }
      return state.add(Item(value: value, number: number), as: key, to: path) ? nil : .full
    }
    if let refusal { return refusal }
    var response = ServerResponse(
      call.example, body: call.example.type == nil ? [] : Array(body.jsonText().string.utf8))
    response.replace("Location", by: "\(path)/\(percentEncoded(key, allowed: .unreserved))")
    response.replace("ETag", by: "\"1\"")
    return response
  }

  // MARK: items

  private func item(
    _ path: String, _ key: String, _ call: Call, _ declared: Declared
  ) throws(ContractProblem) -> ServerResponse? {
    let method = call.request.method
    let identifier = call.identifier
    let found = collections.withLock { $0.byPath[path]?.items[key] }
    guard found != nil || method == "PUT" else {
      return try declared(404).map { ServerResponse($0) } ?? .problem(404, "there is no \(path)/\(key)")
    }
    let tag = found.map { "\"\($0.version)\"" }
    if let wanted = call.request.header("If-Match"), wanted != "*", wanted != tag {
      return .problem(412, "the item is \(tag ?? "not there"), not \(wanted)")
    }
    if method == "GET" || method == "HEAD", let wanted = call.request.header("If-None-Match"), wanted == tag {
      return ServerResponse(status: 304).with("ETag", wanted)
    }
    var item = found ?? Item(value: .mapping(Mapping()))
    switch method {
    case "GET", "HEAD": break
    case "PUT", "PATCH":
      let base = method == "PATCH" ? item.value : call.serverSide(of: item.value)
      item.value = call.response(with: base, patches: method == "PATCH").item
      item.version = (found?.version ?? 0) + 1
      let isKept = collections.withLock { [item] state in
        guard state.byPath[path]?.items[key] == nil else {
          state.byPath[path]?.change(key) { ($0.value, $0.version) = (item.value, item.version) }
          return true
        }
        var new = item
        new.number = state.number(in: path)
        return state.add(new, as: key, to: path)
      }
      if !isKept { return .full }
    case "DELETE":
      collections.withLock { $0.remove(key, from: path) }
      return ServerResponse(call.example)
    default: return nil
    }
    let body = call.example.value?.replacing(at: identifier?.dropLast() ?? [], with: item.value) ?? item.value
    let created = method == "PUT" && found == nil ? try declared(201) : nil
    let example = created ?? call.example
    var response = ServerResponse(example, body: example.type == nil ? [] : Array(body.jsonText().string.utf8))
    response.replace("ETag", by: "\"\(item.version)\"")
    return response
  }
}

extension ServerResponse {
  fileprivate static let full = problem(507, "the mock has no room for more items")

  /// Sets a field that the contract may declare with a value of its own.
  fileprivate mutating func replace(_ name: String, by value: String) {
    headers.removeAll { equalsIgnoringCase($0.name, name) }
    headers.append((name, value))
  }
}

extension String {
  /// The path without its last segment.
  var parentPath: String { lastIndex(of: "/").map { String(self[..<$0]) } ?? "" }
  fileprivate var lastSegment: String { lastIndex(of: "/").map { percentDecoded(self[index(after: $0)...]) } ?? self }
}
