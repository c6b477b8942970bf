import APIContracts
import LocalServer
import Matching
import Values

extension Operation {
  /// The path without its last segment.
  var parentPath: String { path.parentPath }
}

extension APIContract {
  /// Returns whether clients create items below a path of the document, by a POST whose response identifies them, or by
  /// a PUT of the item.
  func isCollection(_ path: String) -> Bool {
    guard itemOperation(below: path) != nil else { return false }
    return operations.contains { operation in
      operation.path == path && operation.method == "POST" && identifier(of: path, inResponseOf: operation) != nil
        || operation.parentPath == path && operation.method == "PUT" && operation.itemParameter != nil
    }
  }

  /// The path of the member that identifies an item of a collection, in the response of an operation.
  func identifier(of path: String, inResponseOf operation: Operation) -> [String]? {
    guard let item = itemOperation(below: path), let parameter = item.itemParameter,
      let name = path.split(separator: "/").last(where: { !$0.hasPrefix("{") }),
      let response = operation.successResponse
    else { return nil }
    let type = type(ofParameter: parameter, of: item)
    return identifier(parameter, type: type, of: String(name), inContent: response.node)
  }

  /// The first operation on an item of a collection.
  func itemOperation(below path: String) -> Operation? {
    operations.first { $0.parentPath == path && $0.itemParameter != nil }
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

  private var collectionPath: String { itemParameter == nil ? operation.path : operation.parentPath }

  /// The path of the identifier in the operation's own response.
  var identifier: [String]? { contract.identifier(of: collectionPath, inResponseOf: operation) }

  /// Indicates whether items are identified by whole numbers.
  private var isCounted: Bool {
    guard let item = contract.itemOperation(below: collectionPath), let parameter = item.itemParameter else {
      return false
    }
    return contract.type(ofParameter: parameter, of: item) == "integer"
  }

  /// A new identifier: a number, or a text of the form that the example has.
  func madeKey(number: Int, like example: Value?) -> Value {
    if isCounted { return .integer(number) }
    switch example {
    case .number: return .integer(number)
    case .text(let text) where hasForm(.uuid, text.string): return .text(Text(madeUUID(number)))
    default: return .text("\(number)")
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

/// A UUID of version 4, another one for each number.
func madeUUID(_ number: Int) -> String {
  let digits = String(number, radix: 16)
  return "00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
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
