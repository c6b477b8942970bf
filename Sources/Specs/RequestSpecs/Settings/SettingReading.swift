import HTTPSemantics
import Matching
import Templates
import Values
import YAMLNodes

extension TimeoutSettings: LayeredSettings {
  package static let settingKeys = SettingKeys<TimeoutSettings>([
    SettingKey(
      TimeoutKey.connect.rawValue, "the longest time to connect", synonyms: "connection",
      .field(.timeLimit, needs: .connectTimeout), { $0.connect }, { $0.connect = $1 },
      needs: { needSubseconds($0.connect, &$1) }),
    SettingKey(
      TimeoutKey.request.rawValue, "the longest gap between two packets (60 s)", synonyms: "read idle",
      .field(.timeLimit),
      { $0.request }, { $0.request = $1 }, needs: { needSubseconds($0.request, &$1) }),
    SettingKey(
      TimeoutKey.resource.rawValue, "the whole (5 m)", synonyms: "total max all", .field(.timeLimit), { $0.resource },
      { $0.resource = $1 }, needs: { needSubseconds($0.resource, &$1) }),
  ])

  @Sendable private static func needSubseconds(
    _ setting: Setting<Field<Duration>>, _ needs: inout [Located<TransportFeature>]
  ) {
    guard let field = setting.value, let limit = field.literal, limit < .seconds(1) else { return }
    needs.append(Located(.subsecondTimeouts, at: field.range))
  }
}

extension RedirectSettings: LayeredSettings {
  /// The keyword in place of a mapping.
  static let word = ValueDecoder<RedirectMode>.word(instead: redirectWord)

  package static let settingKeys = SettingKeys<RedirectSettings>([
    SettingKey(
      RedirectsKey.max.rawValue, "the maximum number of redirects", synonyms: "limit count", .field(.integer(0...1000)),
      { $0.max },
      { $0.max = $1 }),
    SettingKey(
      RedirectsKey.keepMethod.rawValue, "`true` keeps the method for 301 and 302", .field(.boolean), { $0.keepMethod },
      { $0.keepMethod = $1 }),
    SettingKey(
      RedirectsKey.allowHTTP.rawValue, "`true` follows from HTTPS to HTTP, too", .field(.boolean), { $0.allowHTTP },
      { $0.allowHTTP = $1 }),
    SettingKey(
      RedirectsKey.trustHosts.rawValue, "other hosts that credentials are sent to",
      .whole(ValueDecoder<Text>.text.shape.orTemplate.orList, templates: { $0.flatMap(\.templates) }) { reader, node in
        (node.items ?? [node]).compactMap { item in
          if let text = item.plainText, let host = text.firstRange(of: "://")?.upperBound {
            return reader.reject(
              .invalidValue, "a host has no scheme and no path", at: item,
              help: "write `\(jsonEscaped(String(text[host...].prefix { !"/:".contains($0) })))`")
          }
          return reader.field(item, .text)
        }
      }, { $0.trustHosts }, { $0.trustHosts = $1 }),
  ])

  /// The mode isn't a key of the mapping, but a keyword alone.
  func over(_ base: RedirectSettings) -> RedirectSettings {
    var result = base
    for key in RedirectSettings.settingKeys.all { key.merge(self, &result) }
    result.mode = mode.over(base.mode)
    return result
  }
}

/// The keyword of `redirects` for another notation.
private func redirectWord(_ value: Value) -> String? {
  switch value {
  case .bool(let follows): follows ? "`follow`" : "`none`"
  case .number(let number): "{max: \(number)}"
  default: nil
  }
}

extension SpecReader {
  mutating func timeout(_ node: YAMLNode) -> TimeoutSettings {
    if node.isNull || node.members != nil {
      let parts: TimeoutSettings = part(node, as: "`timeout`")
      if let limit = parts.resource.value?.literal,
        let longer = [parts.connect.value, parts.request.value].compactMap(\.self).first(where: {
          $0.literal.map { $0 > limit } ?? false
        })
      {
        bag.warning(
          .noEffect, "the whole request ends before this time", at: longer.range,
          help: "write less, or more for `resource`")
      }
      return parts
    }
    var result = TimeoutSettings()
    result.resource = setting(node, .timeLimit)
    return result
  }

  mutating func redirects(_ node: YAMLNode) -> RedirectSettings {
    var result = RedirectSettings()
    if node.members == nil {
      // A keyword replaces a whole mapping of lower layers.
      result = .removed
      result.mode = setting(node, RedirectSettings.word)
      return result
    }
    // Options for following imply following.
    result.mode = .removed
    return part(node, as: "`redirects`", over: result)
  }

  /// A transport, chosen before anything runs, and so without templates.
  mutating func transport(_ node: YAMLNode) -> Located<TransportChoice>? {
    let choice = constant(node, as: "transport", ValueDecoder<TransportChoice>.word())
    return choice.map { Located($0, at: node.range) }
  }

  mutating func validate(_ node: YAMLNode) -> ValidateSpec? {
    if let scalar = node.scalar {
      switch scalar.text {
      case "auto": return .auto
      case "none": return ValidateSpec.none
      default:
        let problem = unknownWord(Text(scalar.text), among: ["auto", "none"])
        report(
          problem.code, problem.message, at: node,
          help: scalar.text == "false" ? "write `none`" : problem.help ?? "or write {status: …, content_type: …}")
        return nil
      }
    }
    if node.members?.isEmpty == true {
      bag.error(
        .emptyValue, "an empty mapping validates nothing", at: node.range,
        help: "write `none`, or `status` or `content_type`")
    }
    var rules = ValidationRules()
    visit(node, as: "`validate`", keys: SpecReader.validateKeys, into: &rules)
    return .rules(status: rules.status, contentTypes: rules.contentTypes)
  }

  struct ValidationRules {
    var status: Field<StatusSet>?
    var contentTypes: [Field<Text>]?
  }

  static let validateKeys = Keys<ValidationRules>([
    Key(
      "status", "the accepted statuses", ValueDecoder<StatusSet>.status.shape.orTemplate.orList
    ) { reader, member, rules in
      rules.status = reader.statusField(member.value)
      if let literal = rules.status?.literal, (200..<600).allSatisfy(literal.contains) {
        reader.warn(
          .alwaysTrue, "any status is one of these: none is refused", at: member.value, help: "write `validate: none`")
      }
    },
    Key(
      "content_type", "the accepted media types", ValueDecoder<Text>.mediaRange.shape.orTemplate.orList
    ) { reader, member, rules in
      rules.contentTypes = (member.value.items ?? [member.value]).compactMap { reader.field($0, .mediaRange) }
    },
  ])

  /// A status, or a list of them, each reported at its place.
  mutating func statusField(_ node: YAMLNode) -> Field<StatusSet>? {
    let errorsBefore = bag.errorCount
    for item in node.items ?? [] { _ = field(item, .status) }
    return bag.errorCount == errorsBefore ? field(node, .status) : nil
  }
}
