import Diagnostics
import HTTPMessages
import Matching
import Templates
import Values
import YAMLNodes

private let redirectKeys = KeyTable(
  known: ["max", "keep_method", "allow_http", "trust_hosts"], synonyms: ["limit": "max", "count": "max"])

private let timeoutKeys = KeyTable(
  known: ["connect", "request", "resource"],
  synonyms: [
    "total": "resource", "max": "resource", "all": "resource", "read": "request", "idle": "request",
    "connection": "connect",
  ])

/// What `redirects` is, where people write something else.
private func redirectWord(_ value: Value) -> String? {
  switch value {
  case .bool(let follows): follows ? "`follow`" : "`none`"
  case .number(let number): "{max: \(number)}"
  default: nil
  }
}

extension SpecReader {
  mutating func timeout(_ node: YAMLNode) -> TimeoutSettings {
    var result = TimeoutSettings()
    if node.isNull {
      (result.connect, result.request, result.resource) = (.removed, .removed, .removed)
    } else if node.members == nil {
      result.resource = setting(node, .timeLimit)
    } else {
      visit(node, as: "`timeout`", keys: timeoutKeys) { reader, member in
        let field = reader.setting(member.value, .timeLimit)
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
      // A word replaces all that a mapping below it says.
      result.mode = setting(node, .word(instead: redirectWord))
      (result.max, result.keepMethod, result.allowHTTP, result.trustHosts) = (.removed, .removed, .removed, .removed)
      return result
    }
    // Who says how to follow wants to follow.
    result.mode = .removed
    visit(node, as: "`redirects`", keys: redirectKeys) { reader, member in
      switch member.key {
      case "max": result.max = reader.setting(member.value, .integer(0...1000))
      case "keep_method": result.keepMethod = reader.setting(member.value, .boolean)
      case "allow_http": result.allowHTTP = reader.setting(member.value, .boolean)
      default:
        if member.value.isNull {
          result.trustHosts = .removed
        } else {
          result.trustHosts = .given((member.value.items ?? [member.value]).compactMap { reader.field($0, .text) })
        }
      }
    }
    return result
  }

  /// Chosen before anything runs, and so without templates.
  mutating func transport(_ node: YAMLNode) -> Setting<Located<TransportChoice>> {
    if node.isNull { return .removed }
    let choice = constant(node, as: "transport", ValueDecoder<TransportChoice>.word())
    return choice.map { .given(Located($0, at: node.range)) } ?? .inherited
  }

  mutating func validate(_ node: YAMLNode) -> Setting<ValidateSpec> {
    guard isUsable(node) else { return .inherited }
    if node.isNull { return .removed }
    if let scalar = node.scalar {
      switch scalar.text {
      case "auto": return .given(.auto)
      case "none": return .given(.none)
      default:
        let problem = unknownWord(Text(scalar.text), among: ["auto", "none"])
        bag.error(
          problem.message, at: node.range, notes: useNote(node),
          help: scalar.text == "false"
            ? "write `none`" : problem.help ?? "or write {status: …, content_type: …}")
        return .inherited
      }
    }
    if node.members?.isEmpty == true {
      bag.error(
        "an empty mapping validates nothing", at: node.range, help: "write `none`, or `status` or `content_type`")
    }
    var status: Field<StatusSet>?
    var types: [Field<Text>]?
    visit(node, as: "`validate`", keys: KeyTable(known: ["status", "content_type"])) { reader, member in
      if member.key == "status" {
        status = reader.statusField(member.value)
      } else {
        types = (member.value.items ?? [member.value]).compactMap { reader.field($0, .mediaRange) }
      }
    }
    return .given(.rules(status: status, contentTypes: types))
  }

  /// A status, or a list of them, of which each is reported where it stands.
  mutating func statusField(_ node: YAMLNode) -> Field<StatusSet>? {
    let errorsBefore = bag.errorCount
    for item in node.items ?? [] { _ = field(item, .status) }
    return bag.errorCount == errorsBefore ? field(node, .status) : nil
  }
}
