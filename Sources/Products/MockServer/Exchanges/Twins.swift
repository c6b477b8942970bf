import DocumentQueries
import HTTPSemantics
import LocalServer
import Values

/// Completes what equal requests have created: a client that gets the one may go on as another did with the other.
///
/// Two clients of a recording place the same order, and get the orders 1 and 2; one of them waits until its order is
/// sent, three times. Played back, it may get the other order, which then takes the same course.
struct Twins {
  /// The creation of a request.
  private struct Made {
    let index: Int
    let path: String
    /// The exchanges below the path, by what is equal in them.
    var parts: [String: [Int]] = [:]
    /// The last exchange that is about it.
    var last: Int { parts.values.joined().max() ?? index }
  }

  private let exchanges: [MockedExchange]
  /// The exchanges to insert behind others.
  private var inserted: [Int: [MockedExchange]] = [:]
  private var room: Int

  static func completed(_ exchanges: [MockedExchange]) -> [MockedExchange] {
    var twins = Twins(exchanges: exchanges, room: exchanges.count)
    for group in twins.groups() { twins.complete(group) }
    if twins.inserted.isEmpty { return exchanges }
    return exchanges.enumerated().flatMap { [$1] + (twins.inserted[$0] ?? []) }
  }

  /// The creations of equal requests, if they are several.
  private func groups() -> [[Made]] {
    var byPath: [String: [Int]] = [:]
    for (index, exchange) in exchanges.enumerated() where exchange.path.isLiteral {
      var path = exchange.path.text
      // Longer paths have no meaning.
      for _ in 0..<20 where path.count > 1 {
        byPath[path, default: []].append(index)
        path = path.parentPath
      }
    }
    var groups: [String: [Made]] = [:]
    for (index, exchange) in exchanges.enumerated() where !exchange.isSafe {
      let path = exchange.response.madePaths.first { $0.count > 1 && $0 != exchange.path.text && byPath[$0] != nil }
      guard let path else { continue }
      var made = Made(index: index, path: path)
      for part in byPath[path] ?? [] {
        let exchange = exchanges[part]
        let key =
          ([String(exchange.path.text.dropFirst(path.count))]
          + exchange.equalParts.enumerated()
          .filter { $0.offset != 1 }.map(\.element)).joined(separator: "\n")
        made.parts[key, default: []].append(part)
      }
      groups[exchange.equalParts.joined(separator: "\n"), default: []].append(made)
    }
    return groups.values.filter { $0.count > 1 && Set($0.map(\.path)).count == $0.count }
  }

  private mutating func complete(_ group: [Made]) {
    for key in Set(group.flatMap(\.parts.keys)).sorted() {
      guard let longest = group.max(by: { $0.parts[key]?.count ?? 0 < $1.parts[key]?.count ?? 0 }),
        let model = longest.parts[key]
      else { continue }
      for made in group {
        let own = made.parts[key] ?? []
        for part in model.dropFirst(own.count) where room > 0 {
          room -= 1
          let copy = exchanges[part].moved(from: longest.path, to: made.path)
          inserted[own.last ?? made.last, default: []].append(copy)
        }
      }
    }
  }
}

extension MockedExchange {
  /// The exchange as one of another path.
  fileprivate func moved(from old: String, to new: String) -> MockedExchange {
    MockedExchange(
      method: method, path: new + path.text.dropFirst(old.count),
      query: query.map { "\($0.name)=\(percentEncoded($0.value.text, allowed: .unreserved))" }.joined(separator: "&"),
      fields: fields.map { ($0.name, $0.value.text) }, body: body,
      response: MovedResponse(response: response, old: old, new: new))
  }
}

/// A response about what has another path.
private struct MovedResponse: MockedResponse {
  let response: any MockedResponse
  let old: String
  let new: String

  var madePaths: [String] { response.madePaths.map { $0.hasPrefix(old) ? new + $0.dropFirst(old.count) : $0 } }

  func belongs(_ bindings: Bindings) -> Bool { response.belongs(bindings) }

  func response(to request: ServerRequest, _ bindings: Bindings) -> ServerResponse {
    var result = response.response(to: request, bindings)
    result.headers = result.headers.map { ($0.name, $0.value.replacing(old, with: new)) }
    guard case .bytes(let bytes) = result.body, let text = String(validating: bytes, as: UTF8.self) else {
      return result
    }
    let moved = text.replacing(old, with: new)
    let json = (try? JSONDocument(parsing: moved))?.root.value.withIdentifier(lastSegment(old), as: lastSegment(new))
    result.body = .bytes(Array((json?.jsonText().string ?? moved).utf8))
    return result
  }

  private func lastSegment(_ path: String) -> String {
    percentDecoded(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...])
  }
}

extension Value {
  /// The value with another identifier in the members that have one.
  fileprivate func withIdentifier(_ old: String, as new: String) -> Value {
    switch self {
    case .list(let items): return .list(items.map { $0.withIdentifier(old, as: new) })
    case .mapping(let mapping):
      return .mapping(
        Mapping(
          mapping.members.map { member in
            let name = member.key.string
            guard isIdentifierName(name), member.value.asText.string == old else {
              return (name, member.value.withIdentifier(old, as: new))
            }
            if case .number = member.value, JSONDocument.isNumber(new) { return (name, .number(Number(lexeme: new))) }
            return (name, .text(Text(new)))
          }))
    default: return self
    }
  }
}

/// Returns whether members of that name identify something.
func isIdentifierName(_ name: String) -> Bool {
  let name = name.lowercased()
  return ["id", "_id", "uuid", "key", "name", "slug"].contains(name) || name.hasSuffix("id")
}
