import Diagnostics
import HTTPMessages
import Matching
import Templates
import Values
import YAMLNodes

extension SpecReader {
  mutating func auth(_ node: YAMLNode) -> Setting<AuthSpec> {
    guard isUsable(node) else { return .inherited }
    if node.isNull { return .removed }
    if node.scalar?.text == "none" { return .given(.none) }
    let help = "write {basic: {username: …, password: …}}, {bearer: …} or `none`"
    if node.scalar?.text == "netrc" {
      notYet("`auth: netrc`", at: node.range, help: help)
      return .inherited
    }
    guard let members = node.members, !members.isEmpty else {
      bag.error(
        "`auth` is a mapping or `none`, found \(node.members == nil ? node.kindPhrase : "an empty mapping")",
        at: node.range, notes: useNote(node), help: help)
      return .inherited
    }
    var result: AuthSpec?
    let keys = KeyTable(known: ["basic", "bearer"], later: ["digest", "aws_sigv4", "oauth2"])
    visit(node, as: "`auth`", keys: keys) { reader, member in
      if member.key == "bearer" {
        reader.checkForeignTemplate(member.value)
        result = reader.field(member.value, .secretText).map { .bearer($0) }
      } else {
        result = reader.basic(member.value)
      }
    }
    let kinds = members.filter { (keys.known + keys.later).contains($0.key) }
    if kinds.count > 1 {
      bag.error(
        "`\(kinds[1].key)` and `\(kinds[0].key)` are both credentials: a request has one kind", at: kinds[1].keyRange,
        notes: [Diagnostic.Note("the other kind stands here", at: kinds[0].keyRange)])
    }
    return result.map { .given($0) } ?? .inherited
  }

  private mutating func basic(_ node: YAMLNode) -> AuthSpec? {
    let errorsBefore = bag.errorCount
    var username: Field<Text>?
    var password: Field<Text>?
    visit(node, as: "`basic`", keys: KeyTable(known: ["username", "password"])) { reader, member in
      if member.key == "username" {
        username = reader.field(member.value, .scalarText)
      } else {
        password = reader.field(member.value, .secretText)
      }
    }
    if let username, let password { return .basic(username: username, password: password) }
    if bag.errorCount == errorsBefore, let members = node.members, !members.contains(where: { $0.value.hasError }) {
      bag.error("`basic` needs `username` and `password`", at: node.range)
    }
    return nil
  }

  mutating func timeout(_ node: YAMLNode) -> TimeoutSettings {
    var result = TimeoutSettings()
    if node.isNull {
      (result.connect, result.request, result.resource) = (.removed, .removed, .removed)
    } else if node.members == nil {
      result.resource = setting(node, .timeLimit)
    } else {
      visit(node, as: "`timeout`", keys: KeyTable(known: ["connect", "request", "resource"])) { reader, member in
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
      result.mode = setting(node, .word())
      (result.max, result.keepMethod, result.trustHosts) = (.removed, .removed, .removed)
      return result
    }
    // Who says how to follow wants to follow.
    result.mode = .removed
    visit(node, as: "`redirects`", keys: KeyTable(known: ["max", "keep_method", "trust_hosts"])) { reader, member in
      switch member.key {
      case "max": result.max = reader.setting(member.value, .integer(0...1000))
      case "keep_method": result.keepMethod = reader.setting(member.value, .boolean)
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
          help: problem.help ?? "or write {status: …, content_type: …}")
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
