import Diagnostics
import HTTPMessages
import Matching
import ParameterEncoding
import Templates
import Values
import YAMLNodes

extension SpecReader {
  mutating func encoding(_ node: YAMLNode) -> EncodingSettings {
    var result = EncodingSettings()
    if let scalar = node.scalar {
      if scalar.text == "alamofire" {
        result.preset = .alamofire
      } else {
        bag.error(
          "`encoding` is a mapping or `alamofire`, found \(node.kindPhrase)", at: node.range,
          help: suggestion(scalar.text, among: ["alamofire"]))
      }
      return result
    }
    visit(node, as: "`encoding`", keys: KeyTable(known: encodingKeys)) { reader, member in
      if member.value.isNull {
        // `nil: null` is a value of that key; elsewhere null removes.
        if member.key != "nil" {
          result.entries.append(EncodingSettings.Entry(key: member.key, option: nil))
          return
        }
        let decoder = ValueDecoder<EncodingOption>("a way to encode nil") { _ throws(DecodingProblem) in .null(.null) }
        result.entries.append(
          EncodingSettings.Entry(
            key: member.key, option: Field(literal: .null(.null), decoder: decoder, range: member.value.range)))
        return
      }
      if member.key == "date", member.value.members != nil {
        if let field = reader.datePattern(member.value) {
          result.entries.append(EncodingSettings.Entry(key: member.key, option: field))
        }
        return
      }
      if let field = reader.field(member.value, encodingDecoder(member.key)) {
        result.entries.append(EncodingSettings.Entry(key: member.key, option: field))
      }
    }
    return result
  }

  private mutating func datePattern(_ node: YAMLNode) -> Field<EncodingOption>? {
    var pattern: YAMLNode?
    var zone = "UTC"
    visit(node, as: "`date`", keys: KeyTable(known: ["format", "time_zone"])) { reader, member in
      if member.key == "format" {
        pattern = member.value
      } else {
        zone = reader.plainText(member.value, as: "time_zone") ?? zone
      }
    }
    guard let pattern else {
      bag.error("`date` needs `format`", at: node.range, help: "write {format: \"yyyy-MM-dd\", time_zone: UTC}")
      return nil
    }
    let timeZone = zone
    let decoder = ValueDecoder<EncodingOption>("a date pattern") { value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      do throws(DatePattern.Problem) {
        return .date(.formatted(try DatePattern(text.string, timeZone: timeZone)))
      } catch {
        throw DecodingProblem(error.message)
      }
    }
    return field(pattern, decoder)
  }

  mutating func auth(_ node: YAMLNode) -> Setting<AuthSpec> {
    if node.isNull { return .removed }
    if let scalar = node.scalar {
      if scalar.text == "none" { return .given(.none) }
      bag.error(
        scalar.text == "netrc" ? "`auth: netrc` is not available yet in this version" : "`auth` is a mapping or `none`",
        at: node.range, help: "write {basic: {username: …, password: …}} or {bearer: …}")
      return .inherited
    }
    var result: AuthSpec?
    let keys = KeyTable(known: ["basic", "bearer"], later: ["digest", "aws_sigv4", "oauth2"])
    visit(node, as: "`auth`", keys: keys) { reader, member in
      if result != nil {
        reader.bag.error("a request has one kind of `auth`", at: member.keyRange)
      } else if member.key == "bearer" {
        result = reader.field(member.value, .secretText).map { .bearer($0) }
      } else {
        result = reader.basic(member.value)
      }
    }
    return result.map { .given($0) } ?? .inherited
  }

  private mutating func basic(_ node: YAMLNode) -> AuthSpec? {
    var username: Field<Text>?
    var password: Field<Text>?
    visit(node, as: "`basic`", keys: KeyTable(known: ["username", "password"])) { reader, member in
      if member.key == "username" {
        username = reader.field(member.value, .scalarText)
      } else {
        password = reader.field(member.value, .secretText)
      }
    }
    guard let username, let password else {
      if !bag.hasErrors { bag.error("`basic` needs `username` and `password`", at: node.range) }
      return nil
    }
    return .basic(username: username, password: password)
  }

  mutating func timeout(_ node: YAMLNode) -> TimeoutSettings {
    var result = TimeoutSettings()
    if node.isNull {
      (result.connect, result.request, result.resource) = (.removed, .removed, .removed)
    } else if node.members == nil {
      result.resource = setting(node, .duration)
    } else {
      visit(node, as: "`timeout`", keys: KeyTable(known: ["connect", "request", "resource"])) { reader, member in
        let field = reader.setting(member.value, .duration)
        switch member.key {
        case "connect": result.connect = field
        case "request": result.request = field
        default: result.resource = field
        }
      }
    }
    return result
  }

  mutating func redirects(_ node: YAMLNode) -> RedirectSettings {
    var result = RedirectSettings()
    if node.members == nil {
      result.mode = setting(node, .word())
      return result
    }
    visit(node, as: "`redirects`", keys: KeyTable(known: ["max", "keep_method", "trust_hosts"])) { reader, member in
      switch member.key {
      case "max": result.max = reader.setting(member.value, .integer(0...1000))
      case "keep_method": result.keepMethod = reader.setting(member.value, .boolean)
      default:
        let fields = (member.value.items ?? [member.value]).compactMap { reader.field($0, .text) }
        result.trustHosts = .given(fields)
      }
    }
    return result
  }

  mutating func session(_ node: YAMLNode) -> SessionSettings {
    var result = SessionSettings()
    let keys = KeyTable(known: ["cookies", "max_connections_per_host"], later: ["cache"])
    visit(node, as: "`session`", keys: keys) { reader, member in
      if member.key == "cookies" {
        result.cookies = reader.setting(member.value, .word())
      } else {
        result.maxConnectionsPerHost = reader.setting(member.value, .integer(1...1000))
      }
    }
    return result
  }

  mutating func transport(_ node: YAMLNode) -> Setting<Located<TransportChoice>> {
    if node.isNull { return .removed }
    guard let text = plainText(node, as: "transport") else { return .inherited }
    if Template.isTemplate(text) {
      bag.error("`transport` takes no template: it is chosen before anything runs", at: node.range)
      return .inherited
    }
    guard let choice = TransportChoice(rawValue: text) else {
      let problem = unknownWord(text, among: TransportChoice.allCases.map(\.rawValue))
      bag.error(problem.message, at: node.range, help: problem.help)
      return .inherited
    }
    return .given(Located(choice, at: node.range))
  }

  mutating func validate(_ node: YAMLNode) -> Setting<ValidateSpec> {
    if node.isNull { return .removed }
    if let scalar = node.scalar {
      switch scalar.text {
      case "auto": return .given(.auto)
      case "none": return .given(.none)
      default:
        let problem = unknownWord(scalar.text, among: ["auto", "none"])
        bag.error(problem.message, at: node.range, help: problem.help ?? "or write {status: …, content_type: …}")
        return .inherited
      }
    }
    var status: Field<StatusSet>?
    var types: [Field<Text>]?
    visit(node, as: "`validate`", keys: KeyTable(known: ["status", "content_type"])) { reader, member in
      if member.key == "status" {
        status = reader.statusField(member.value)
      } else {
        types = (member.value.items ?? [member.value]).compactMap { reader.field($0, .text) }
      }
    }
    return .given(.rules(status: status, contentTypes: types))
  }

  /// A status, or a list of them.
  mutating func statusField(_ node: YAMLNode) -> Field<StatusSet>? {
    guard node.items != nil else { return field(node, .status) }
    guard let value = valueTemplate(node) else { return nil }
    guard let literal = value.literal else {
      bag.error("a list of statuses takes no templates inside", at: node.range, help: "make the whole list one template")
      return nil
    }
    do {
      return Field(literal: try ValueDecoder<StatusSet>.status.decode(literal), decoder: .status, range: node.range)
    } catch {
      bag.error(error.message, at: node.range, help: error.help)
      return nil
    }
  }
}

extension ValueDecoder where Output == SkipRule {
  static var skipRule: ValueDecoder {
    ValueDecoder("true, false or a reason") { value throws(DecodingProblem) in
      switch value {
      case .bool(let skips): return skips ? .yes(reason: nil) : .no
      case .text(let text):
        if ["no", "off", "yes", "on", "False", "True", "false", "true", "n", "y"].contains(text.string) {
          throw DecodingProblem(
            "\"\(text.string)\" is text in YAML 1.2, and would be taken for the reason to skip",
            help: "write `true`, `false` or a sentence")
        }
        return .yes(reason: text.masked)
      default: return nil
      }
    }
  }
}

private let encodingKeys = [
  "format", "destination", "array", "bool", "data", "date", "key", "key_path", "nil", "space", "sort", "json",
]

private func encodingDecoder(_ key: String) -> ValueDecoder<EncodingOption> {
  func word<Word: RawRepresentable & CaseIterable & Sendable>(
    _ type: Word.Type, _ wrap: @escaping @Sendable (Word) -> EncodingOption
  ) -> ValueDecoder<EncodingOption> where Word.RawValue == String {
    let decoder = ValueDecoder<Word>.word()
    return ValueDecoder<EncodingOption>(decoder.expected) { value throws(DecodingProblem) in
      wrap(try decoder.decode(value))
    }
  }
  switch key {
  case "format": return word(EncodingOptions.Format.self) { .format($0) }
  case "destination": return word(EncodingOptions.Destination.self) { .destination($0) }
  case "array": return word(EncodingOptions.ArrayEncoding.self) { .array($0) }
  case "bool": return word(EncodingOptions.BoolEncoding.self) { .bool($0) }
  case "data": return word(EncodingOptions.DataEncoding.self) { .data($0) }
  case "key": return word(EncodingOptions.KeyEncoding.self) { .key($0) }
  case "key_path": return word(EncodingOptions.KeyPathEncoding.self) { .keyPath($0) }
  case "nil": return word(EncodingOptions.NilEncoding.self) { .null($0) }
  case "space": return word(EncodingOptions.SpaceEncoding.self) { .space($0) }
  case "sort":
    return ValueDecoder("true or false") { value throws(DecodingProblem) in
      .sort(try ValueDecoder<Bool>.boolean.decode(value))
    }
  case "json": return word(JSONLayoutWord.self) { .json($0 == .pretty ? .pretty : .compact) }
  default: return word(DateEncodingWord.self) { .date($0.encoding) }
  }
}

private enum JSONLayoutWord: String, CaseIterable, Sendable { case compact, pretty }

private enum DateEncodingWord: String, CaseIterable, Sendable {
  case iso8601
  case secondsSince1970 = "seconds_since_1970"
  case millisecondsSince1970 = "milliseconds_since_1970"
  case secondsSince2001 = "seconds_since_2001"

  var encoding: EncodingOptions.DateEncoding {
    switch self {
    case .iso8601: .iso8601
    case .secondsSince1970: .secondsSince1970
    case .millisecondsSince1970: .millisecondsSince1970
    case .secondsSince2001: .secondsSince2001
    }
  }
}
