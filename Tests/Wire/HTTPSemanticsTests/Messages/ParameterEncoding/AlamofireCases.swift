import Foundation
import HTTPSemantics
import TestSupport
import Testing
import Values

/// A case of Alamofire's observed behaviour.
struct AlamofireCase: Sendable, CustomTestStringConvertible {
  let name: String
  let members: Mapping

  var testDescription: String { name }

  static func load(_ file: String) throws -> [AlamofireCase] {
    guard let conformanceRoot else { return [] }
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(conformanceRoot)/alamofire/\(file)"))
    guard case .list(let items) = try OrderedJSON.read(data) else { throw OrderedJSON.Malformed() }
    return items.compactMap { item in
      guard case .mapping(let members) = item else { return nil }
      return AlamofireCase(name: members.text("name") ?? "", members: members)
    }
  }
}

extension Mapping {
  func text(_ key: String) -> String? {
    guard case .text(let text)? = self[key] else { return nil }
    return text.string
  }

  func mapping(_ key: String) -> Mapping {
    guard case .mapping(let mapping)? = self[key] else { return Mapping() }
    return mapping
  }
}

/// The typed values of the suite, as the lexemes that Alamofire's encoders print for them.
enum TypedValue {
  struct Unknown: Error { let text: String }

  static func plain(_ value: Value, json: Bool) throws -> Value {
    switch value {
    case .list(let items): return .list(try items.map { try plain($0, json: json) })
    case .mapping(let mapping):
      if let member = mapping.members.first, mapping.count == 1, member.key.string.hasPrefix("$") {
        return try typed(member.key.string, member.value, json: json)
      }
      return .mapping(
        Mapping(try mapping.members.map { Mapping.Member(key: $0.key, value: try plain($0.value, json: json)) }))
    default: return value
    }
  }

  private static func typed(_ type: String, _ value: Value, json: Bool) throws -> Value {
    let text = value.asText.string
    switch type {
    case "$double", "$float":
      guard let double = Double(text), let number = Number(double) else { throw Unknown(text: text) }
      let lexeme = number.lexeme
      return .number(Number(lexeme: json && lexeme.hasSuffix(".0") ? String(lexeme.dropLast(2)) : lexeme))
    case "$decimal":
      guard let decimal = Decimal(string: text) else { throw Unknown(text: text) }
      return .number(Number(lexeme: decimal.description))
    case "$uint": return .number(Number(lexeme: text))
    case "$data":
      guard case .mapping(let members) = value, let bytes = members.text("base64").flatMap(base64Decoded) else {
        throw Unknown(text: text)
      }
      return .data(Bytes(bytes))
    case "$date":
      guard case .mapping(let members) = value, let seconds = members.text("secondsSince1970") else {
        throw Unknown(text: text)
      }
      let parts = seconds.split(separator: ".")
      let fraction = parts.count > 1 ? String(parts[1]) : ""
      guard let whole = Int64(parts[0]),
        let nanoseconds = Int32(fraction.padding(toLength: 9, withPad: "0", startingAt: 0))
      else { throw Unknown(text: text) }
      return .date(Timestamp(seconds: whole, nanoseconds: nanoseconds))
    default: throw Unknown(text: type)
    }
  }
}

extension EncodingOptions {
  /// Alamofire's defaults, changed by the suite's options.
  static func alamofire(_ changes: Mapping) throws -> EncodingOptions {
    var options = EncodingOptions.alamofire
    for member in changes.members {
      let word = member.value.asText.string
      switch (member.key.string, word) {
      case ("alphabetizeKeyValuePairs", "false"): options.sort = false
      case ("keyPathEncoding", "dots"): options.keyPathEncoding = .dots
      case ("arrayEncoding", "noBrackets"): options.arrayEncoding = .noBrackets
      case ("arrayEncoding", "indexInBrackets"): options.arrayEncoding = .indexInBrackets
      case ("boolEncoding", "literal"): options.boolEncoding = .literal
      case ("dateEncoding", "secondsSince1970"): options.dateEncoding = .secondsSince1970
      case ("dateEncoding", "millisecondsSince1970"): options.dateEncoding = .millisecondsSince1970
      case ("dateEncoding", "iso8601"): options.dateEncoding = .iso8601
      case ("dateEncoding", _) where word.hasPrefix("formatted:"):
        let parts = word.split(separator: ":", maxSplits: 2)
        options.dateEncoding = .formatted(try DatePattern(String(parts[2]), timeZone: String(parts[1])))
      case ("keyEncoding", "convertToSnakeCase"): options.keyEncoding = .snakeCase
      case ("keyEncoding", "convertToKebabCase"): options.keyEncoding = .kebabCase
      case ("keyEncoding", "capitalized"): options.keyEncoding = .capitalized
      case ("keyEncoding", "uppercased"): options.keyEncoding = .uppercased
      case ("keyEncoding", "lowercased"): options.keyEncoding = .lowercased
      case ("nilEncoding", "null"): options.nilEncoding = .null
      case ("nilEncoding", "dropValue"): options.nilEncoding = .dropValue
      case ("spaceEncoding", "plusReplaced"): options.spaceEncoding = .plus
      case ("allowedCharacters", _): break
      default: throw TypedValue.Unknown(text: "\(member.key.string): \(word)")
      }
    }
    return options
  }
}

extension Value {
  /// What can be encoded as a form; nil for anything but a mapping.
  var parameters: Mapping? {
    guard case .mapping(let mapping) = self else { return nil }
    return mapping
  }
}
