import Diagnostics
import HTTPMessages
import Values
import YAMLNodes

let connectionKeys = [
  "tls", "proxy", "http_version", "resolve", "connect_to", "unix_socket", "compressed", "interface", "ip_version",
  "limit_rate",
]

/// The keys that say how connections are made.
extension SpecReader {
  mutating func connectionKey(_ key: String, _ node: YAMLNode, _ settings: inout ConnectionSettings) {
    switch key {
    case "tls": settings.tls = tls(node)
    case "proxy": settings.proxy = proxy(node)
    case "http_version": settings.httpVersion = setting(node, .wordOrNumber())
    case "resolve": settings.resolve = addressOverrides(node)
    case "connect_to": settings.connectTo = list(node, .connectTo)
    case "unix_socket": settings.unixSocket = setting(node, .socketPath)
    case "compressed": settings.compressed = setting(node, .boolean)
    case "interface": settings.interface = setting(node, .interface)
    case "ip_version": settings.addressFamily = setting(node, .ipVersion)
    default: (settings.maxReceiveRate, settings.maxSendRate) = rates(node)
    }
  }

  // MARK: TLS

  private mutating func tls(_ node: YAMLNode) -> TLSSettings {
    var result = TLSSettings()
    if node.isNull {
      (result.verify, result.certificateAuthorities, result.certificate) = (.removed, .removed, .removed)
      (result.key, result.passphrase, result.format) = (.removed, .removed, .removed)
      (result.minVersion, result.maxVersion, result.pinned) = (.removed, .removed, .removed)
      return result
    }
    let isOff = if case .bool(false)? = node.scalar?.meaning { true } else { false }
    visit(node, as: "`tls`", keys: tlsKeys, instead: isOff ? "{verify: false}" : nil) { reader, member in
      switch member.key {
      case "verify": result.verify = reader.setting(member.value, .boolean)
      case "ca": result.certificateAuthorities = reader.setting(member.value, .filePath)
      case "cert": result.certificate = reader.setting(member.value, .filePath)
      case "key": result.key = reader.setting(member.value, .filePath)
      case "passphrase": result.passphrase = reader.secret(member.value)
      case "format": result.format = reader.setting(member.value, .word())
      case "min_version": result.minVersion = reader.setting(member.value, .wordOrNumber())
      case "max_version": result.maxVersion = reader.setting(member.value, .wordOrNumber())
      default: result.pinned = reader.list(member.value, .pinnedKey)
      }
    }
    return result
  }

  /// Text that is never drawn either, where it stands in the file itself.
  private mutating func secret(_ node: YAMLNode) -> Setting<Field<Text>> {
    if node.isNull { return .removed }
    return field(node, .secretText).map { .given($0) } ?? .inherited
  }

  // MARK: proxy

  private mutating func proxy(_ node: YAMLNode) -> ProxySettings {
    // A word replaces all that a mapping below it says.
    var result = node.members == nil ? ProxySettings.removed : ProxySettings()
    guard node.members != nil else {
      if !node.isNull { result.url = proxyURL(node) }
      return result
    }
    visit(node, as: "`proxy`", keys: proxyKeys) { reader, member in
      switch member.key {
      case "url": result.url = reader.proxyURL(member.value)
      case "username": result.username = reader.setting(member.value, .scalarText)
      case "password": result.password = reader.secret(member.value)
      case "auth": result.authentication = reader.setting(member.value, .word())
      case "no_proxy": result.exceptions = reader.list(member.value, .proxyExceptions)
      default: result.tunnel = reader.setting(member.value, .boolean)
      }
    }
    return result
  }

  private mutating func proxyURL(_ node: YAMLNode) -> Setting<Field<ProxyChoice>> {
    return setting(node, .proxy)
  }

  // MARK: lists and rates

  /// A list, of which each item is reported where it stands; one item may stand alone.
  private mutating func list<Item>(_ node: YAMLNode, _ item: ValueDecoder<Item>) -> Setting<Field<[Item]>> {
    guard let items = node.items else { return setting(node, .list(of: item)) }
    let errorsBefore = bag.errorCount
    for node in items { _ = field(node, item) }
    return bag.errorCount == errorsBefore ? setting(node, .list(of: item)) : .inherited
  }

  private mutating func addressOverrides(_ node: YAMLNode) -> Setting<Field<[Written<AddressOverride>]>> {
    guard isUsable(node), let members = node.members else { return list(node, .addressOverride) }
    let decoder = ValueDecoder<[Written<AddressOverride>]>.addressOverrides
    let errorsBefore = bag.errorCount
    guard let template = valueTemplate(node) else { return .inherited }
    guard let literal = template.literal else { return .given(Field(template: template, decoder: decoder)) }
    for member in members {
      guard let value = valueTemplate(member.value)?.literal else { continue }
      do {
        _ = try decoder.decode(.mapping(Mapping([Mapping.Member(key: Text(member.key), value: value)])))
      } catch {
        bag.error(error.message, at: member.keyRange.through(member.value.range), help: error.help)
      }
    }
    guard bag.errorCount == errorsBefore, let overrides = try? decoder.decode(literal) else { return .inherited }
    return .given(Field(literal: overrides, range: node.range))
  }

  private mutating func rates(
    _ node: YAMLNode
  ) -> (receive: Setting<Field<Int64>>, send: Setting<Field<Int64>>) {
    guard node.members != nil else {
      let rate = setting(node, .rate)
      return (rate, rate)
    }
    var receive = Setting<Field<Int64>>.inherited
    var send = Setting<Field<Int64>>.inherited
    visit(node, as: "`limit_rate`", keys: KeyTable(known: ["receive", "send"])) { reader, member in
      let rate = reader.setting(member.value, .rate)
      if member.key == "receive" { receive = rate } else { send = rate }
    }
    return (receive, send)
  }
}

private let tlsKeys = KeyTable(
  known: ["verify", "ca", "cert", "key", "passphrase", "format", "min_version", "max_version", "pinned"],
  synonyms: ["cacert": "ca", "certificate": "cert", "password": "passphrase", "pin": "pinned"],
  advice: ["insecure": "write `verify: false`", "skip_verify": "write `verify: false`"])

private let proxyKeys = KeyTable(
  known: ["url", "username", "password", "auth", "no_proxy", "tunnel"],
  synonyms: ["user": "username", "host": "url", "noproxy": "no_proxy"])
