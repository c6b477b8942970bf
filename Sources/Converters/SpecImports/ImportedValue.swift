import DocumentQueries
import RequestSpecs
import Templates
import YAMLNodes

/// A value of a key, with texts of another tool in it.
package indirect enum ImportedValue: Sendable {
  case text(ImportedText)
  /// A text that is part of JSON: within quotes it stays text, whatever its variables hold; without, a lone variable
  /// keeps its type.
  case json(ImportedText, isQuoted: Bool)
  case node(YAMLNode)
  case list([ImportedValue])
  case mapping([(key: String, value: ImportedValue)])
  /// A mapping whose names have variables in them.
  case keyed([(key: ImportedText, value: ImportedValue)])

  package static func text(_ text: String) -> ImportedValue { .node(.text(text)) }
  package static func integer(_ number: Int) -> ImportedValue { .node(.number(String(number))) }
  package static func bool(_ value: Bool) -> ImportedValue { .node(.bool(value)) }

  /// The names of the variables that it reads.
  var readVariables: Set<String> {
    switch self {
    case .text(let text), .json(let text, _): text.readVariables
    case .node: []
    case .list(let items): items.reduce(into: []) { $0.formUnion($1.readVariables) }
    case .mapping(let members): members.reduce(into: []) { $0.formUnion($1.value.readVariables) }
    case .keyed(let members):
      members.reduce(into: []) { $0.formUnion($1.key.readVariables.union($1.value.readVariables)) }
    }
  }

  /// The members of a mapping.
  package var members: [(key: String, value: ImportedValue)]? {
    if case .mapping(let members) = self { members } else { nil }
  }
}

extension Array {
  /// Sets a key.
  package mutating func set<Key: Equatable>(_ key: Key, _ value: ImportedValue)
  where Element == (key: Key, value: ImportedValue) {
    if let index = firstIndex(where: { $0.key == key }) { self[index].value = value } else { append((key, value)) }
  }

  /// Sets a member, under a name of the source's, of a key that is a mapping.
  package mutating func set<Key: Equatable>(_ key: Key, _ member: String, _ value: ImportedValue)
  where Element == (key: Key, value: ImportedValue) {
    var members = first { $0.key == key }?.value.members ?? []
    members.set(member, value)
    set(key, .mapping(members))
  }
}

/// The keys of a request, with their values.
package typealias ImportedSettings = [(key: RequestKey, value: ImportedValue)]

extension ImportedSettings {
  subscript(key: RequestKey) -> ImportedValue? { first { $0.key == key }?.value }

  mutating func set(redirects member: RedirectsKey, _ value: ImportedValue) { set(.redirects, member.rawValue, value) }
  mutating func set(retry member: RetryKey, _ value: ImportedValue) { set(.retry, member.rawValue, value) }
  mutating func set(session member: SessionKey, _ value: ImportedValue) { set(.session, member.rawValue, value) }
  mutating func set(timeout member: TimeoutKey, _ value: ImportedValue) { set(.timeout, member.rawValue, value) }
  mutating func set(tls member: TLSKey, _ value: ImportedValue) { set(.tls, member.rawValue, value) }
}

extension ImportedValue {
  /// The value of a node of JSON.
  ///
  /// - Parameter text: the value of a text.
  init(_ node: JSONNode, text: (String) -> ImportedValue = { .text(ImportedText($0)) }) {
    switch node.kind {
    case .list: self = .list(node.items.map { ImportedValue($0, text: text) })
    case .mapping: self = .mapping(node.members.map { ($0.key, ImportedValue($0.value, text: text)) })
    case .text: self = text(node.string)
    case .number: self = .node(.number(node.text))
    case .boolean: self = .bool(node.isBoolean(true))
    default: self = .node(.null)
    }
  }
}

/// Returns whether the value of an expression is certainly a text where it stands in JSON.
func isTextInJSON(_ expression: String) -> Bool {
  switch Template.resultKind(ofExpression: expression) {
  case .text, .date, .data: true
  case .null, .boolean, .number, .list, .mapping, nil: false
  }
}
