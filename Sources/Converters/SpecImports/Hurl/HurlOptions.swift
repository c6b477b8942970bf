import Values

/// The options of a Hurl entry as the keys of a request.
extension HurlEntry {
  /// Options that only change what Hurl shows.
  private static let shown: Set<String> = ["verbose", "very-verbose", "verbosity"]

  /// Sets the keys of the options, with remarks on what has none.
  func apply(to request: inout ImportedRequest) {
    var connection = HurlConnection()
    for option in options where option.name != "variable" && !Self.shown.contains(option.name) {
      if option.name == "output", option.value.literal == "-" { continue }
      if !apply(option, to: &request, &connection) { request.remark("options", option.source) }
    }
    connection.apply(to: &request)
    request.settings.set(.redirects, connection.redirects)
  }

  private func apply(
    _ option: Option, to request: inout ImportedRequest, _ connection: inout HurlConnection
  ) -> Bool {
    let value = option.value
    let isOn = value.literal != "false"
    switch option.name {
    case "location": connection.follows = isOn ? value : nil
    case "location-trusted":
      connection.follows = isOn ? value : nil
      if isOn { return false }
    case "max-redirs": connection.redirectLimit = value
    case "retry": connection.retries = value
    case "retry-interval": connection.interval = Self.duration(value)
    case "delay": if value.literal != "0" { request.settings.set(.delay, .text(Self.duration(value))) }
    case "max-time": connection.timeouts.append(("resource", .text(Self.duration(value, unit: "s"))))
    case "connect-timeout": connection.timeouts.append(("connect", .text(Self.duration(value, unit: "s"))))
    case "insecure": if isOn { request.settings.set(tls: .verify, Self.negation(of: value)) }
    case "pinnedpubkey": request.settings.set(tls: .pinned, .text(value))
    // Specs ask for content codings by themselves.
    case "compressed": break
    case "user": connection.user = value
    case "aws-sigv4": connection.signature = value
    case "netrc", "netrc-optional": if isOn { request.credentials = .netrc }
    case "ntlm", "negotiate", "digest": if isOn { connection.scheme = option.name }
    case "limit-rate": if value.literal != "-1" { request.settings.set(.limitRate, Self.number(value)) }
    case "resolve": connection.resolve.append(.text(value))
    case "connect-to": connection.connectTo.append(.text(value))
    case "proxy": connection.proxy = value
    case "noproxy": connection.noProxy = value
    // Paths are sent as they are.
    case "path-as-is": break
    case "header":
      guard let (name, content) = value.split(at: ":") else { return false }
      request.headers.append(.init(name: name.trimmed, value: content.trimmed))
    case "user-agent": request.headers.append(.init(name: ImportedText("User-Agent"), value: value))
    case "skip": if isOn { request.settings.set(.skip, Self.bool(value)) }
    case "repeat":
      if value.literal == "-1" { return false }
      if value.literal != "1" { request.settings.set(.each, "count", Self.number(value)) }
    case "output":
      // A spec writes below its directory only.
      guard !value.hasPrefix("/"), !value.source.split(separator: "/").contains("..") else { return false }
      request.settings.set(.download, .mapping([("to", .text(value)), ("overwrite", .bool(true))]))
    case let name: return request.settings.set(curl: name, value, isOn: isOn)
    }
    return true
  }

  // MARK: values

  /// A duration without a unit is in milliseconds, or in the given unit.
  private static func duration(_ value: ImportedText, unit: String = "ms") -> ImportedText {
    guard let literal = value.literal else { return value + ImportedText(unit) }
    guard literal.allSatisfy(\.isNumber) else { return value }
    if unit == "ms", literal.hasSuffix("000"), literal.utf8.count > 3 { return ImportedText("\(literal.dropLast(3))s") }
    return value + ImportedText(unit)
  }

  private static func bool(_ value: ImportedText) -> ImportedValue {
    value.literal.map { .bool($0 == "true") } ?? .text(value)
  }

  private static func negation(of value: ImportedText) -> ImportedValue {
    if value.literal != nil { return .bool(false) }
    return HurlExpression.argument(value).map { .text(ImportedText(.expression("not \($0)"))) } ?? .text(value)
  }

  fileprivate static func number(_ value: ImportedText) -> ImportedValue {
    value.literal.flatMap { Int($0) }.map { .integer($0) } ?? .text(value)
  }
}

/// The options of an entry that make a key together.
struct HurlConnection {
  /// The value of `location`; nil if it isn't set, or false.
  var follows: ImportedText?
  var redirectLimit: ImportedText?
  var retries: ImportedText?
  var interval: ImportedText?
  var timeouts: [(key: String, value: ImportedValue)] = []
  var user: ImportedText?
  var signature: ImportedText?
  var scheme = "basic"
  var resolve: [ImportedValue] = []
  var connectTo: [ImportedValue] = []
  var proxy: ImportedText?
  var noProxy: ImportedText?

  /// Hurl follows no redirects by itself.
  var redirects: ImportedValue {
    guard let follows else { return .text("none") }
    if follows.literal == nil, let expression = HurlExpression.argument(follows) {
      return .text(ImportedText(.expression("'follow' if \(expression) else 'none'")))
    }
    guard let redirectLimit else { return .text("follow") }
    return .mapping([("max", redirectLimit.literal == "-1" ? .integer(1000) : HurlEntry.number(redirectLimit))])
  }

  func apply(to request: inout ImportedRequest) {
    if !timeouts.isEmpty { request.settings.set(.timeout, .mapping(timeouts)) }
    if !resolve.isEmpty { request.settings.set(.resolve, .list(resolve)) }
    if !connectTo.isEmpty { request.settings.set(.connectTo, .list(connectTo)) }
    if let noProxy, let proxy {
      request.settings.set(.proxy, .mapping([("url", .text(proxy)), ("no_proxy", .text(noProxy))]))
    } else if let proxy {
      request.settings.set(.proxy, .text(proxy))
    }
    applyCredentials(to: &request)
    applyRetries(to: &request)
  }

  private func applyCredentials(to request: inout ImportedRequest) {
    if scheme == "negotiate" {
      request.credentials = .negotiate
      return
    }
    guard let user else { return }
    let (name, password) = user.split(at: ":").map { ($0.before, $0.after) } ?? (user, ImportedText())
    if let signature {
      request.credentials = ImportedCredentials(signature: signature, accessKey: name, secretKey: password)
      return
    }
    request.credentials = .account(.init(rawValue: scheme) ?? .basic, username: name, password: password)
  }

  /// Hurl sends a request again until its response is as it should be, or, without any assertion, until there is one.
  private func applyRetries(to request: inout ImportedRequest) {
    guard let retries, retries.literal != "0" else { return }
    var members: [(key: String, value: ImportedValue)] = []
    let hasNoLimit = retries.literal == "-1"
    if hasNoLimit {
      request.remark("unlimited retries", "retry: -1")
      members.append(("timeout", .text("5m")))
    } else if let count = retries.literal.flatMap({ Int($0) }) {
      members.append(("attempts", .integer(count < Int.max ? count + 1 : count)))
    } else if let expression = HurlExpression.argument(retries) {
      members.append(("attempts", .text(ImportedText(.expression("to_integer(\(expression)) + 1")))))
    }
    members.append(("interval", .text(interval ?? ImportedText("1s"))))
    if request.expect.isEmpty {
      if hasNoLimit { members[0] = ("attempts", .integer(100)) }
      members.append(("backoff", .text("none")))
      members.append(("causes", .list([.text("connection"), .text("timeout")])))
      request.settings.set(.retry, .mapping(members))
    } else {
      request.settings.set(.poll, .mapping(members))
    }
  }
}
