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
  }

  private struct Item {
    var value: Value
    var version: Int
  }

  private struct Collection {
    var keys: [String] = []
    var items: [String: Item] = [:]
    var created = 0
  }

  private let collections = Mutex<[String: Collection]>([:])
  /// The maximum number of items, so that clients can't fill the memory.
  private static let limit = 100_000

  typealias Declared = (_ status: Int) throws(ContractProblem) -> ResponseExample?

  /// The response of a collection or of an item; nil for other operations.
  ///
  /// - Parameter declared: the response that the operation declares for a status.
  func response(to call: Call, declared: Declared) throws(ContractProblem) -> ServerResponse? {
    let path = call.request.path
    if let parameter = call.itemParameter {
      guard let slash = path.lastIndex(of: "/"), call.contract.isCollection(call.operation.parentPath) else {
        return nil
      }
      let key = percentDecoded(path[path.index(after: slash)...])
      return try item(String(path[..<slash]), key, parameter, call, declared)
    }
    guard call.contract.isCollection(call.operation.path) else { return nil }
    switch call.request.method {
    case "GET", "HEAD": return list(path, call)
    case "POST": return create(path, call)
    default: return nil
    }
  }

  // MARK: collections

  private func list(_ path: String, _ call: Call) -> ServerResponse {
    let all = collections.withLock { state in
      state[path].map { collection in collection.keys.compactMap { collection.items[$0]?.value } } ?? []
    }
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
    let (itemPath, isInteger) = call.itemPath
    return collections.withLock { state in
      guard state.values.reduce(0, { $0 + $1.keys.count }) < MockState.limit else {
        return .problem(507, "a mock keeps at most \(MockState.limit) items")
      }
      var collection = state[path] ?? Collection()
      collection.created += 1
      var base = call.example.value?.member(at: identifier?.dropLast() ?? []) ?? .mapping(Mapping())
      var key = "\(collection.created)"
      if let name = identifier?.last {
        if let own = call.request.jsonBody?.member(at: [name]) {
          key = own.asText.string
        } else {
          let made = call.madeKey(isInteger: isInteger, number: collection.created, like: base.member(at: [name]))
          key = made.asText.string
          base = base.merged(with: .mapping(Mapping([(name, made)])))
        }
      }
      let (value, body) = call.response(with: base)
      guard collection.items[key] == nil else {
        return .problem(409, "there is a \(path)/\(key) already")
      }
      collection.keys.append(key)
      collection.items[key] = Item(value: value, version: 1)
      state[path] = collection
      var response = ServerResponse(
        call.example, body: call.example.type == nil ? [] : Array(body.jsonText().string.utf8))
      if itemPath != nil, response.header("Location") == nil {
        response.headers.append(("Location", "\(path)/\(percentEncoded(key, allowed: .unreserved))"))
      }
      return response.with("ETag", "\"1\"")
    }
  }

  // MARK: items

  private func item(
    _ path: String, _ key: String, _ parameter: String, _ call: Call, _ declared: Declared
  ) throws(ContractProblem) -> ServerResponse? {
    let method = call.request.method
    let identifier = call.identifier
    let found = collections.withLock { $0[path]?.items[key] }
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
    var item = found ?? Item(value: .mapping(Mapping()), version: 0)
    switch method {
    case "GET", "HEAD": break
    case "PUT", "PATCH":
      let base = method == "PATCH" ? item.value : call.serverSide(of: item.value)
      item = Item(value: call.response(with: base, patches: method == "PATCH").item, version: item.version + 1)
      let isFull = collections.withLock { state in
        if state[path]?.items[key] == nil {
          guard state.values.reduce(0, { $0 + $1.keys.count }) < MockState.limit else { return true }
          state[path, default: Collection()].keys.append(key)
        }
        state[path]?.items[key] = item
        return false
      }
      if isFull { return .problem(507, "a mock keeps at most \(MockState.limit) items") }
    case "DELETE":
      collections.withLock { state in
        state[path]?.items[key] = nil
        state[path]?.keys.removeAll { $0 == key }
        // What belongs to it goes with it.
        for other in state.keys where other.hasPrefix("\(path)/\(key)/") { state[other] = nil }
      }
      return ServerResponse(call.example)
    default: return nil
    }
    let body = call.example.value?.replacing(at: identifier?.dropLast() ?? [], with: item.value) ?? item.value
    let created = method == "PUT" && found == nil ? try declared(201) : nil
    let example = created ?? call.example
    return ServerResponse(example, body: example.type == nil ? [] : Array(body.jsonText().string.utf8))
      .with("ETag", "\"\(item.version)\"")
  }
}
