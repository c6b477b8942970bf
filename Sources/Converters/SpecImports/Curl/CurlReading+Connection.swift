import RequestSpecs
import Values

/// The options of the connection: TLS, proxies, times, redirects.
extension CurlReading {
  mutating func addConnection() {
    for argument in operation.arguments { readConnection(argument) }
    addRedirects()
    addTimes()
    addRetries()
    addProxy()
  }

  private mutating func readConnection(_ argument: CurlArgument) {
    let value = ImportedValue.text(argument.value)
    switch argument.option.name {
    case "insecure": if argument.isOn { request.settings.set(tls: .verify, .bool(false)) }
    case "cert-type", "key-type": request.settings.set(tls: .format, .text(argument.value.source.lowercased()))
    case "pass": request.settings.set(tls: .passphrase, .text(argument.value.secret("passphrase")))
    case "pinnedpubkey":
      let pins = argument.value.source.split(separator: ";").map { ImportedValue.text(String($0)) }
      request.settings.set(tls: .pinned, pins.count == 1 ? pins[0] : .list(pins))
    case "tls-max":
      if argument.value.literal != "default" { request.settings.set(tls: .maxVersion, .text(argument.value.source)) }
    case "tlsv1", "tlsv1.0": request.settings.set(tls: .minVersion, .text("1.0"))
    case "tlsv1.1", "tlsv1.2", "tlsv1.3":
      request.settings.set(tls: .minVersion, .text(String(argument.option.name.dropFirst(4))))
    case "http2-prior-knowledge": request.settings.set(.httpVersion, .text("2_prior_knowledge"))
    case "http3-only": request.settings.set(.httpVersion, .text("3_only"))
    case "interface": request.settings.set(.interface, value)
    case "limit-rate": request.settings.set(.limitRate, .text(rate(argument.value.source)))
    case "request-target": request.settings.set(.requestTarget, value)
    case "resolve": request.settings.append(.resolve, value)
    case "connect-to": request.settings.append(.connectTo, value)
    case "abstract-unix-socket": request.settings.set(.unixSocket, .text("@" + argument.value))
    case let option: _ = request.settings.set(curl: option, argument.value)
    }
  }

  /// A rate of curl's, whose units are powers of 1024.
  private func rate(_ text: String) -> String {
    switch text.last?.lowercased() {
    case "k": "\(text.dropLast())KiB"
    case "m": "\(text.dropLast())MiB"
    case "g": "\(text.dropLast())GiB"
    case "b": String(text.dropLast())
    default: text
    }
  }

  // MARK: redirects, times, attempts

  private mutating func addRedirects() {
    guard operation.has("location") || operation.has("location-trusted") || operation.has("follow") else {
      return request.settings.set(.redirects, .text("none"))
    }
    for argument in operation.arguments {
      switch argument.option.name {
      case "max-redirs":
        if let most = Int(argument.value.source), most >= 0 {
          request.settings.set(redirects: .max, .integer(most))
        } else {
          remark("redirects without a limit", argument)
        }
      case "post301", "post302": request.settings.set(redirects: .keepMethod, .bool(true))
      case "location-trusted":
        request.remark("credentials for all hosts", argument.source)
      default: break
      }
    }
  }

  private mutating func addTimes() {
    let whole = operation.argument("max-time").flatMap { seconds($0) }
    let connection = operation.argument("connect-timeout").flatMap { seconds($0) }
    if let connection {
      request.settings.set(timeout: .connect, .text(connection))
      if let whole { request.settings.set(timeout: .resource, .text(whole)) }
    } else if let whole {
      request.settings.set(.timeout, .text(whole))
    }
  }

  /// The duration of an option; nil for no limit.
  private mutating func seconds(_ argument: CurlArgument) -> String? {
    guard let text = argument.value.literal, let seconds = Double(text), seconds >= 0, seconds < 1e9 else {
      remark("times that are not numbers", argument)
      return nil
    }
    return seconds == 0 ? nil : "\(text)s"
  }

  private mutating func addRetries() {
    guard let count = operation.value("retry").flatMap({ Int($0.source) }), (1..<1000).contains(count) else { return }
    request.settings.set(retry: .attempts, .integer(count + 1))
    if let delay = operation.argument("retry-delay").flatMap({ seconds($0) }) {
      request.settings.set(retry: .interval, .text(delay))
      request.settings.set(retry: .backoff, .text("none"))
    } else {
      request.settings.set(retry: .interval, .text("1s"))
    }
  }

  // MARK: proxies

  private mutating func addProxy() {
    var members: [(key: String, value: ImportedValue)] = []
    for argument in operation.arguments {
      let name = argument.option.name
      switch name {
      case "proxy", "proxy1.0": setProxy(argument.value, &members)
      case "socks4", "socks4a", "socks5": setProxy(ImportedText("\(name)://") + argument.value, &members)
      case "socks5-hostname": setProxy(ImportedText("socks5h://") + argument.value, &members)
      case "proxy-user": setProxyUser(argument.value, &members)
      case "proxy-basic", "proxy-digest", "proxy-ntlm", "proxy-negotiate":
        members.set("auth", .text(String(name.dropFirst("proxy-".count))))
      case "proxytunnel": members.set("tunnel", .bool(argument.isOn))
      case "noproxy":
        let hosts = argument.value.source.split { $0 == "," || $0 == " " }.map(String.init)
        if hosts.contains("*") { return request.settings.set(.proxy, .text("none")) }
        members.set("no_proxy", .list(hosts.map { .text($0) }))
      default: break
      }
    }
    guard let url = members.first(where: { $0.key == "url" }) else {
      for argument in operation.arguments
      where argument.option.name.hasPrefix("proxy-") || ["proxytunnel", "noproxy"].contains(argument.option.name) {
        remark("options for a proxy of the environment", argument)
      }
      return
    }
    if case .text(let text) = url.value, text.isEmpty { return request.settings.set(.proxy, .text("none")) }
    request.settings.set(.proxy, members.count == 1 ? url.value : .mapping(members))
  }

  private func setProxy(_ url: ImportedText, _ members: inout [(key: String, value: ImportedValue)]) {
    guard let (userinfo, host) = url.split(at: "@") else { return members.set("url", .text(url)) }
    let scheme = userinfo.split(separator: "/")
    members.set("url", .text(scheme.count == 3 ? scheme[0] + ImportedText("//") + host : host))
    if let user = scheme.last { setProxyUser(user.mapText { percentDecoded($0) }, &members) }
  }

  private func setProxyUser(_ user: ImportedText, _ members: inout [(key: String, value: ImportedValue)]) {
    let pieces = user.split(at: ":") ?? (user, ImportedText(.variable("proxy_password")))
    members.set("username", .text(pieces.before))
    members.set("password", .text(pieces.after.secret("proxy_password")))
  }
}

extension ImportedSettings {
  /// Adds an item to a key that is a list.
  mutating func append(_ key: RequestKey, _ value: ImportedValue) {
    if case .list(let items)? = self[key] { set(key, .list(items + [value])) } else { set(key, .list([value])) }
  }

  /// Sets the key of an option that curl and Hurl have alike; returns whether it is one.
  ///
  /// - Parameter isOn: whether an option without a value is switched on.
  mutating func set(curl option: String, _ value: ImportedText, isOn: Bool = true) -> Bool {
    switch option {
    case "cacert": set(tls: .ca, .text(value))
    case "cert":
      let pieces = value.split(at: ":")
      set(tls: .cert, .text(pieces?.before ?? value))
      if let passphrase = pieces?.after { set(tls: .passphrase, .text(passphrase.secret("passphrase"))) }
    case "key": set(tls: .key, .text(value))
    case "http1.0", "http1.1", "http2", "http3": if isOn { set(.httpVersion, .text(String(option.dropFirst(4)))) }
    case "ipv4", "ipv6": if isOn { set(.ipVersion, .integer(option == "ipv4" ? 4 : 6)) }
    case "unix-socket": set(.unixSocket, .text(value))
    default: return false
    }
    return true
  }
}

extension ImportedCredentials {
  /// A signature by a provider such as `aws:amz:eu-central-1:s3`.
  init(signature provider: ImportedText, accessKey: ImportedText, secretKey: ImportedText) {
    let words = provider.source.split(separator: ":", omittingEmptySubsequences: false).map { ImportedText(String($0)) }
    func word(_ index: Int) -> ImportedText? { words.count > index && !words[index].isEmpty ? words[index] : nil }
    self = .aws(accessKey: accessKey, secretKey: secretKey, region: word(2), service: word(3))
  }
}
