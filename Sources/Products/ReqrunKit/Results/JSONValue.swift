import Values

/// A JSON value, such as one that was captured. Numbers are kept as they were written, and compared exactly.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// A number as it was written, such as `9007199254740993`.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  package init(_ value: Values.Value) {
    self =
      switch value {
      case .null: .null
      case .bool(let value): .bool(value)
      case .number(let number): .number(number.lexeme)
      case .text, .date, .data: .string(value.asText.string)
      case .list(let items): .array(items.map { JSONValue($0) })
      case .mapping(let mapping):
        .object(
          Dictionary(mapping.members.map { ($0.key.string, JSONValue($0.value)) }, uniquingKeysWith: { $1 }))
      }
  }

  /// The value of documents and templates.
  package var value: Values.Value {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let lexeme): Number(parsing: lexeme).map { .number($0) } ?? .text(lexeme)
    case .string(let text): .text(text)
    case .array(let items): .list(items.map(\.value))
    case .object(let members): .mapping(Mapping(members.map { ($0.key, $0.value.value) }))
    }
  }

  /// The text; nil for another value.
  public var stringValue: String? { if case .string(let text) = self { text } else { nil } }
  /// The number; nil for another value, or one that isn't an integer of that size.
  public var intValue: Int? { if case .number(let lexeme) = self { Int(lexeme) } else { nil } }
  /// The nearest number of that type; nil for another value.
  public var doubleValue: Double? { if case .number(let lexeme) = self { Double(lexeme) } else { nil } }
  /// The boolean; nil for another value.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The member of an object; nil if there is none.
  public subscript(name: String) -> JSONValue? { if case .object(let members) = self { members[name] } else { nil } }
  /// The item of an array, counted from 0; nil if there is none.
  public subscript(position: Int) -> JSONValue? {
    if case .array(let items) = self, items.indices.contains(position) { items[position] } else { nil }
  }
}

extension JSONValue: Hashable, CustomStringConvertible {
  /// Compares by meaning: `1.0` is `1`.
  public static func == (left: JSONValue, right: JSONValue) -> Bool { left.value == right.value }
  /// Hashes the meaning.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }

  /// The value as JSON, its members in alphabetical order.
  public var description: String {
    var style = JSONStyle()
    style.sortsMembers = true
    return value.jsonText(style).string
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a number.
  public init(integerLiteral value: Int) { self = .number(String(value)) }
  /// Creates a number.
  public init(floatLiteral value: Double) { self = .number(value.description) }
  /// Creates a text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an array.
  public init(arrayLiteral items: JSONValue...) { self = .array(items) }
  /// Creates an object; of a repeated name, the last member counts.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(Dictionary(members, uniquingKeysWith: { $1 }))
  }
}

extension JSONValue: Codable {
  /// Reads any JSON. Numbers are exact up to 128 bits, others are read as `Double`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let number = try? container.decode(Int128.self) {
      self = .number(String(number))
    } else if let number = try? container.decode(Double.self) {
      self = .number(number.description)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let items = try? container.decode([JSONValue].self) {
      self = .array(items)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Writes the value. Integers are exact up to 128 bits, other numbers are written as `Double`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let lexeme):
      if let number = Int128(lexeme) {
        try container.encode(number)
      } else {
        try container.encode(Double(lexeme) ?? .nan)
      }
    case .string(let text): try container.encode(text)
    case .array(let items): try container.encode(items)
    case .object(let members): try container.encode(members)
    }
  }
}
