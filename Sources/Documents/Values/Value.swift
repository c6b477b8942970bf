/// The common value type of specs, templates, captures and predicates.
///
/// Values are equal by meaning: numbers by value, mappings regardless of order, secrets by their text.
package enum Value: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(Number)
  case text(Text)
  case date(Timestamp)
  case data(Bytes)
  case list([Value])
  case mapping(Mapping)

  package static func text(_ string: String) -> Value { .text(Text(string)) }
  package static func integer(_ value: some BinaryInteger) -> Value { .number(Number(value)) }
}

/// Bytes, and whether they are secret.
package struct Bytes: Sendable, Hashable {
  package var bytes: [UInt8]
  package var isSecret: Bool

  /// The form of the bytes as text: a hash is written in lower-case hex, other data in base64.
  package enum TextForm: Sendable, Hashable { case base64, hex }
  package var textForm: TextForm

  package init(_ bytes: [UInt8], isSecret: Bool = false, textForm: TextForm = .base64) {
    self.bytes = bytes
    self.isSecret = isSecret
    self.textForm = textForm
  }

  /// Compares the bytes alone.
  package static func == (left: Bytes, right: Bytes) -> Bool { left.bytes == right.bytes }
  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// Masks secret bytes that are printed by accident.
extension Bytes: CustomStringConvertible {
  package var description: String { isSecret ? Text.mask : hexEncoded(bytes) }
}

/// The kinds of value, with their names in diagnostics.
package enum ValueKind: String, Sendable, Hashable, CaseIterable {
  case null, boolean, number, text, date, data, list, mapping

  /// The kind with its article: `a number`, `null`.
  package var phrase: String { self == .null || self == .data ? rawValue : "a \(rawValue)" }
}

extension Value {
  package var kind: ValueKind {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .number: .number
    case .text: .text
    case .date: .date
    case .data: .data
    case .list: .list
    case .mapping: .mapping
    }
  }

  /// Indicates whether any part of the value is secret.
  package var isSecret: Bool {
    switch self {
    case .null, .bool: false
    case .number(let number): number.isSecret
    case .text(let text): text.isSecret
    case .date(let date): date.isSecret
    case .data(let data): data.isSecret
    case .list(let items): items.contains { $0.isSecret }
    case .mapping(let mapping): mapping.members.contains { $0.key.isSecret || $0.value.isSecret }
    }
  }

  /// The same value with ``Text/mask`` for what is secret, for display.
  package var masked: Value {
    switch self {
    case .null, .bool: return self
    case .number, .date, .data: return isSecret ? .text(Text.mask) : self
    case .text(let text): return text.isSecret ? .text(text.masked) : self
    case .list(let items): return .list(items.map(\.masked))
    case .mapping(let mapping):
      return .mapping(
        Mapping(mapping.members.map { Mapping.Member(key: Text($0.key.masked), value: $0.value.masked) }))
    }
  }

  /// The same value with every leaf secret; null and booleans cannot be.
  package var tainted: Value {
    switch self {
    case .null, .bool: self
    case .number(let number): .number(Number(lexeme: number.lexeme, isSecret: true))
    case .text(let text): .text(text.asSecret)
    case .date(let date): .date(Timestamp(seconds: date.seconds, nanoseconds: date.nanoseconds, isSecret: true))
    case .data(let data): .data(Bytes(data.bytes, isSecret: true, textForm: data.textForm))
    case .list(let items): .list(items.map(\.tainted))
    case .mapping(let mapping):
      .mapping(Mapping(mapping.members.map { Mapping.Member(key: $0.key, value: $0.value.tainted) }))
    }
  }

  /// The value as text, for templates inside text and headers: a number as written, JSON for structures.
  package var asText: Text {
    switch self {
    case .null: Text("null")
    case .bool(let value): Text(value ? "true" : "false")
    case .number(let number): Text(number.lexeme, isSecret: number.isSecret)
    case .text(let text): text
    case .date(let date): Text(date.iso8601, isSecret: date.isSecret)
    case .data(let data):
      Text(
        data.textForm == .hex ? hexEncoded(data.bytes) : base64Encoded(data.bytes), isSecret: data.isSecret)
    case .list, .mapping: jsonText()
    }
  }
}
