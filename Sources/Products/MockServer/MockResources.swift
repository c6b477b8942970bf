import APIContracts
import LocalServer
import Matching
import Synchronization
import Values

extension Operation {
  /// The path without its last segment.
  var parentPath: String { path.parentPath }
}

/// The collections of a contract and their items, each found once.
final class MockResources: Sendable {
  /// A path with items below it.
  struct Resource {
    /// The first operation on an item.
    let item: Operation
    /// The path of the member that identifies an item in the response of an operation, if its place is known.
    let identifier: @Sendable (Operation) -> [String]?
    /// The type of the parameter that identifies an item.
    let type: String?
    /// Indicates whether clients create items, by a POST whose response identifies them, or by a PUT of the item.
    let isCollection: Bool
  }

  private let contract: APIContract
  /// The operations of paths, and those on items by the paths above them.
  private let operations: [String: [Operation]]
  private let items: [String: [Operation]]
  private let known = Mutex<[String: Resource]>([:])

  init(of contract: APIContract) {
    self.contract = contract
    operations = Dictionary(grouping: contract.operations, by: \.path)
    items = Dictionary(grouping: contract.operations.filter { $0.itemParameter != nil }, by: \.parentPath)
  }

  /// The resource at a path of the document; nil if there are no items below it.
  func resource(at path: String) -> Resource? {
    if let resource = known.withLock({ $0[path] }) { return resource }
    guard let item = items[path]?.first, let parameter = item.itemParameter else { return nil }
    let type = contract.type(ofParameter: parameter, of: item)
    let name = path.split(separator: "/").last { !$0.hasPrefix("{") }.map(String.init)
    let identifier: @Sendable (Operation) -> [String]? = { [contract] operation in
      guard let name, let response = operation.successResponse else { return nil }
      return contract.identifier(parameter, type: type, of: name, inContent: response.node)
    }
    let isCollection =
      operations[path]?.contains { $0.method == "POST" && identifier($0) != nil } ?? false
      || items[path]?.contains { $0.method == "PUT" } ?? false
    let resource = Resource(item: item, identifier: identifier, type: type, isCollection: isCollection)
    known.withLock { $0[path] = resource }
    return resource
  }
}

extension Operation {
  /// The parameter that the path ends with.
  var itemParameter: String? {
    guard let last = path.split(separator: "/").last, last.hasPrefix("{"), last.hasSuffix("}") else { return nil }
    return String(last.dropFirst().dropLast())
  }
}

extension MockState.Call {
  var itemParameter: String? { operation.itemParameter }

  /// The path of the identifier in the operation's own response.
  var identifier: [String]? { resource.identifier(operation) }

  /// Indicates whether items are identified by whole numbers.
  private var isCounted: Bool { resource.type == "integer" }

  /// A new identifier: a number, or a text of the form that the example has.
  func madeKey(number: Int, like example: Value?, _ made: MadeValues) -> Value {
    if isCounted { return .integer(made.number(number)) }
    switch example {
    case .number: return .integer(made.number(number))
    case .text(let text) where hasForm(.uuid, text.string): return .text(Text(made.uuid(number)))
    default: return .text("\(made.number(number))")
    }
  }
}

extension MockState.Call {
  /// The response with an item, and the item in it: an earlier one with what the client sends, as far as the response's
  /// schema allows that.
  func response(with base: Value, patches: Bool = false) -> (item: Value, body: Value) {
    let place: ArraySlice<String> = identifier?.dropLast() ?? []
    func made(_ sent: Value) -> (item: Value, body: Value) {
      let item = patches ? base.patched(with: sent) : base.merged(with: sent)
      return (item, example.value?.replacing(at: place, with: item) ?? item)
    }
    let sent = request.jsonBody ?? .mapping(Mapping())
    let first = made(sent)
    let invalid = contract.invalidParts(of: first.body, of: operation, status: example.status)
    guard !invalid.isEmpty, case .mapping(let members) = sent else { return first }
    let start = place.map { "/" + $0 }.joined()
    return made(
      .mapping(
        Mapping(
          members.members.filter { member in
            !invalid.contains { ($0 + "/").hasPrefix("\(start)/\(member.key.string)/") }
          })))
  }

  /// An item without what the client can send, before it is replaced.
  func serverSide(of item: Value) -> Value {
    guard case .mapping(let mapping) = item else { return item }
    let sent = Set(contract.typedBodyMembers(of: operation).map { $0.path[0] })
    return .mapping(Mapping(mapping.members.filter { !sent.contains($0.key.string) }))
  }
}

extension ServerRequest {
  /// A part of a list, by the parameters that are usual for it.
  func page(of items: [Value]) -> [Value] {
    func number(_ names: String...) -> Int? { names.lazy.compactMap { parameter($0).flatMap { Int($0) } }.first }
    guard let size = number("limit", "per_page", "page_size", "pageSize", "size"), size >= 0 else { return items }
    let page = number("page").map { max(0, $0 - 1).multipliedReportingOverflow(by: size) }
    let start = number("offset", "skip") ?? page.map { $0.overflow ? items.count : $0.partialValue } ?? 0
    return Array(items.dropFirst(max(0, start)).prefix(size))
  }
}

extension Value {
  /// A member of a mapping in mappings.
  func member(at path: ArraySlice<String>) -> Value? {
    guard let name = path.first else { return self }
    guard case .mapping(let mapping) = self else { return nil }
    return mapping[name]?.member(at: path.dropFirst())
  }

  /// The value with another member at a path.
  func replacing(at path: ArraySlice<String>, with value: Value) -> Value {
    guard let name = path.first else { return value }
    return merged(
      with: .mapping(Mapping([(name, (member(at: [name]) ?? .null).replacing(at: path.dropFirst(), with: value))]))
    )
  }

  /// The members of both mappings, those of the other one first; the other value where it isn't a mapping.
  func merged(with other: Value) -> Value {
    guard case .mapping(let own) = self, case .mapping(let others) = other else { return other }
    return .mapping(own.changed(by: others) { $1 })
  }

  /// The value after a JSON Merge Patch (RFC 7396).
  func patched(with patch: Value) -> Value {
    guard case .mapping(let changes) = patch else { return patch }
    var own = Mapping()
    if case .mapping(let members) = self { own = members }
    return .mapping(
      own.changed(by: changes) { old, new in
        if case .null = new { nil } else { (old ?? .null).patched(with: new) }
      })
  }
}

extension Mapping {
  /// The members with those of another mapping, in their places or at the end.
  ///
  /// - Parameter value: makes the new value of a member of the old one, if there is one, and that of the other mapping;
  ///   nil removes the member.
  fileprivate func changed(by others: Mapping, _ value: (_ old: Value?, _ new: Value) -> Value?) -> Mapping {
    var values = members.map { ($0.key, Optional($0.value)) }
    var places = Dictionary(members.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    for member in others.members {
      if let place = places[member.key] {
        values[place].1 = value(values[place].1, member.value)
      } else {
        places[member.key] = values.count
        values.append((member.key, value(nil, member.value)))
      }
    }
    return Mapping(values.compactMap { key, value in value.map { Mapping.Member(key: key, value: $0) } })
  }
}
