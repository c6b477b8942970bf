import HTTPSemantics
import Values
import YAMLNodes

extension ConnectionSettings: LayeredSettings {
  package static let settingKeys = SettingKeys<ConnectionSettings>([
    SettingKey(
      RequestKey.tls.rawValue,
      "trusted issuers and the client certificate: `{verify: …, ca: …, cert: …, key: …}`",
      .part { reader, node in
        let isOff = if case .bool(false)? = node.scalar?.meaning { true } else { false }
        return reader.part(node, as: "`tls`", instead: isOff ? "{verify: false}" : nil)
      }, { $0.tls }, { $0.tls = $1 }),
    SettingKey(
      RequestKey.proxy.rawValue,
      "a URL, `none`, or `{url: …, username: …, password: …, auth: …, no_proxy: …, tunnel: …}`",
      synonyms: "proxies", .part(alone: ProxySettings.url.shape.orTemplate) { $0.proxy($1) }, { $0.proxy },
      { $0.proxy = $1 }),
    SettingKey(
      RequestKey.httpVersion.rawValue,
      "`auto` (2 over TLS where the server has it, else 1.1), `1.0`, `1.1`, `2`, `2_prior_knowledge`, `3`, `3_only`",
      .field(.wordOrNumber(), needs: .httpVersion, unless: { $0 == .automatic }), { $0.httpVersion },
      { $0.httpVersion = $1 },
      needs: { settings, needs in
        // For a template, it is only known at run time whether it is one of the two.
        guard let version = settings.httpVersion.value, version.literal == .http3 || version.literal == .http3Only
        else { return }
        needs.append(Located(.http3, at: version.range))
      }),
    SettingKey(
      RequestKey.resolve.rawValue,
      "addresses instead of the name service's: a list of `host:port:address[,address]`, or a mapping of `host:port` "
        + "to an address or a list; replaced as a whole",
      .field(
        ValueDecoder<[Written<AddressOverride>]>.addressOverrides.shape, needs: .addressOverrides,
        unless: { $0.isEmpty }
      ) { $0.addressOverrides($1) }, { $0.resolve }, { $0.resolve = $1 }),
    SettingKey(
      RequestKey.connectTo.rawValue,
      "other places to connect to, while URL, `Host` and certificate stay: a list of "
        + "`host:port:other-host:other-port`, parts may be empty",
      .list(of: .connectTo, needs: .addressOverrides), { $0.connectTo }, { $0.connectTo = $1 }),
    SettingKey(
      RequestKey.unixSocket.rawValue,
      "the path of a socket, relative to the file that names it and not confined to the file root, or `\"@name\"` for "
        + "an abstract one",
      .field(.socketPath, needs: .unixSocket), { $0.unixSocket }, { $0.unixSocket = $1 }),
    SettingKey(
      RequestKey.compressed.rawValue, "`true`: content codings are requested and decoded; `false`: neither",
      .field(.boolean, needs: .rawBody, unless: { $0 }), { $0.compressed }, { $0.compressed = $1 }),
    SettingKey(
      RequestKey.interface.rawValue, "the network interface, address or host to send from",
      .field(.interface, needs: .interface),
      { $0.interface }, { $0.interface = $1 }),
    SettingKey(
      RequestKey.ipVersion.rawValue, "`any`, `4` or `6`", .field(.ipVersion, needs: .interface, unless: { $0 == .any }),
      { $0.addressFamily }, { $0.addressFamily = $1 }),
    SettingKey(
      RequestKey.limitRate.rawValue, "bytes a second, such as `300KB`, or `{receive: …, send: …}`",
      .part(alone: ValueDecoder<Int64>.rate.shape.orTemplate) { $0.rates($1) },
      { RateSettings(receive: $0.maxReceiveRate, send: $0.maxSendRate) },
      { ($0.maxReceiveRate, $0.maxSendRate) = ($1.receive, $1.send) }),
  ])
}

extension TLSSettings: LayeredSettings {
  package static let settingKeys = SettingKeys<TLSSettings>(
    [
      SettingKey(
        TLSKey.verify.rawValue, "`false` trusts every certificate",
        .field(.boolean, needs: .serverTrust, unless: { $0 }),
        { $0.verify }, { $0.verify = $1 }),
      SettingKey(
        TLSKey.ca.rawValue, "a file of certificates in PEM that are trusted instead of the system's",
        synonyms: "cacert",
        .field(.filePath, needs: .serverTrust), { $0.certificateAuthorities }, { $0.certificateAuthorities = $1 }),
      SettingKey(
        TLSKey.cert.rawValue, "the client's certificate", synonyms: "certificate",
        .field(.filePath, needs: .clientCertificate),
        { $0.certificate }, { $0.certificate = $1 }),
      SettingKey(TLSKey.key.rawValue, "the certificate's private key", .field(.filePath), { $0.key }, { $0.key = $1 }),
      SettingKey(
        TLSKey.passphrase.rawValue, "what the private key is encrypted with", synonyms: "password", .secret(),
        { $0.passphrase },
        { $0.passphrase = $1 }),
      SettingKey(
        TLSKey.format.rawValue, "how certificate and key are written", .field(.word()), { $0.format },
        { $0.format = $1 }),
      SettingKey(
        TLSKey.minVersion.rawValue, "the oldest version of TLS", .field(.wordOrNumber(), needs: .tlsVersions),
        { $0.minVersion },
        { $0.minVersion = $1 }),
      SettingKey(
        TLSKey.maxVersion.rawValue, "the newest version of TLS", .field(.wordOrNumber(), needs: .tlsVersions),
        { $0.maxVersion },
        { $0.maxVersion = $1 }),
      SettingKey(
        TLSKey.pinned.rawValue, "the only public keys that are accepted, each as `sha256//` and a hash in base64",
        synonyms: "pin",
        .list(of: .pinnedKey, needs: .serverTrust), { $0.pinned }, { $0.pinned = $1 }),
    ], advice: ["insecure": "write `verify: false`", "skip_verify": "write `verify: false`"])
}

extension ProxySettings: LayeredSettings {
  fileprivate static let url = ValueDecoder<ProxyChoice>.proxy

  package static let settingKeys = SettingKeys<ProxySettings>([
    SettingKey(
      ProxyKey.url.rawValue, "the proxy, such as `http://host:port`, or `none`", synonyms: "host",
      .field(url, needs: .proxy, unless: { if case .direct = $0 { true } else { false } }), { $0.url }, { $0.url = $1 }),
    SettingKey(
      ProxyKey.username.rawValue, "the name that the proxy asks for", synonyms: "user", .field(.scalarText),
      { $0.username },
      { $0.username = $1 }),
    SettingKey(
      ProxyKey.password.rawValue, "the password that the proxy asks for", .secret(), { $0.password },
      { $0.password = $1 }),
    SettingKey(
      ProxyKey.auth.rawValue, "the scheme of the proxy's credentials", .field(.word()),
      { $0.authentication },
      { $0.authentication = $1 }),
    SettingKey(
      ProxyKey.noProxy.rawValue, "the hosts, addresses and networks that are reached without it", synonyms: "noproxy",
      .list(of: .proxyExceptions), { $0.exceptions }, { $0.exceptions = $1 }),
    SettingKey(
      ProxyKey.tunnel.rawValue, "`true` sends plain HTTP through `CONNECT`, too", .field(.boolean), { $0.tunnel },
      { $0.tunnel = $1 }),
  ])
}

/// `limit_rate`
struct RateSettings: LayeredSettings {
  var receive = Setting<Field<Int64>>.inherited
  var send = Setting<Field<Int64>>.inherited

  static let settingKeys = SettingKeys<RateSettings>([
    SettingKey(
      "receive", "bytes a second that are received", .field(.rate, needs: .rateLimits), { $0.receive },
      { $0.receive = $1 }),
    SettingKey(
      "send", "bytes a second that are sent", .field(.rate, needs: .rateLimits), { $0.send }, { $0.send = $1 }),
  ])
}

extension SettingKind {
  /// Text that is never shown, even if it is a literal in the file.
  fileprivate static func secret() -> SettingKind where Content == Setting<Field<Text>> { .field(.secretText) }

  /// A list whose items are each reported at their place; a single item needs no list.
  fileprivate static func list<Item>(
    of item: ValueDecoder<Item>, needs feature: TransportFeature? = nil
  ) -> SettingKind where Content == Setting<Field<[Item]>> {
    .field(item.shape.orList, needs: feature, unless: { $0.isEmpty }) { $0.list($1, item) }
  }
}

extension SpecReader {
  fileprivate mutating func proxy(_ node: YAMLNode) -> ProxySettings {
    if node.members != nil { return part(node, as: "`proxy`") }
    // A keyword replaces a whole mapping of lower layers.
    var result = ProxySettings.removed
    if !node.isNull { result.url = setting(node, ProxySettings.url) }
    return result
  }

  fileprivate mutating func rates(_ node: YAMLNode) -> RateSettings {
    if node.members != nil { return part(node, as: "`limit_rate`") }
    let rate = setting(node, .rate)
    return RateSettings(receive: rate, send: rate)
  }

  fileprivate mutating func list<Item>(_ node: YAMLNode, _ item: ValueDecoder<Item>) -> Setting<Field<[Item]>> {
    guard let items = node.items else { return setting(node, .list(of: item)) }
    let errorsBefore = bag.errorCount
    for node in items { _ = field(node, item) }
    return bag.errorCount == errorsBefore ? setting(node, .list(of: item)) : .inherited
  }

  fileprivate mutating func addressOverrides(_ node: YAMLNode) -> Setting<Field<[Written<AddressOverride>]>> {
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
        bag.error(error.code, error.message, at: member.keyRange.through(member.value.range), help: error.help)
      }
    }
    guard bag.errorCount == errorsBefore, let overrides = try? decoder.decode(literal) else { return .inherited }
    return .given(Field(literal: overrides, range: node.range))
  }
}
