import Values

/// The options of a Hurl entry as the keys of a request.
extension HurlEntry {
  /// Sets the keys of the options, with remarks on what has none.
  func apply(to request: inout ImportedRequest) {
    for option in options where !set(option, &request) { request.remark("options", option.source) }
    if let proxy = last("proxy") {
      let noProxy = last("noproxy").map { ImportedValue.mapping([("url", .text(proxy)), ("no_proxy", .text($0))]) }
      request.settings.set(.proxy, noProxy ?? .text(proxy))
    }
    setCredentials(of: &request)
    setRetries(of: &request)
    request.settings.set(.redirects, redirects)
  }

  /// The value of an option; nil without it.
  private func last(_ names: String...) -> ImportedText? { options.last { names.contains($0.name) }?.value }

  private func set(_ option: Option, _ request: inout ImportedRequest) -> Bool {
    let value = option.value
    let isOn = value.literal != "false"
    switch option.name {
    // What others make a key with, what only changes what Hurl shows, and what specs do by themselves.
    case "aws-sigv4", "compressed", "digest", "location", "max-redirs", "negotiate", "noproxy", "ntlm", "path-as-is",
      "proxy", "retry", "retry-interval", "user", "variable", "verbose", "verbosity", "very-verbose":
      break
    case "location-trusted": return !isOn
    case "delay": if value.literal != "0" { request.settings.set(.delay, .text(Self.duration(value))) }
    case "max-time": request.settings.set(timeout: .resource, .text(Self.duration(value, unit: "s")))
    case "connect-timeout": request.settings.set(timeout: .connect, .text(Self.duration(value, unit: "s")))
    case "insecure": if isOn { request.settings.set(tls: .verify, Self.negation(of: value)) }
    case "pinnedpubkey": request.settings.set(tls: .pinned, .text(value))
    case "netrc", "netrc-optional": if isOn { request.credentials = .netrc }
    case "limit-rate": if value.literal != "-1" { request.settings.set(.limitRate, Self.number(value)) }
    case "resolve": request.settings.append(.resolve, .text(value))
    case "connect-to": request.settings.append(.connectTo, .text(value))
    case "header":
      guard let (name, content) = value.split(at: ":") else { return false }
      request.headers.append(.init(name: name.trimmed, value: content.trimmed))
    case "user-agent": request.headers.append(.init(name: "User-Agent", value: value))
    case "skip": if isOn { request.settings.set(.skip, value.literal.map { .bool($0 == "true") } ?? .text(value)) }
    case "repeat":
      if value.literal == "-1" { return false }
      if value.literal != "1" { request.settings.set(.each, "count", Self.number(value)) }
    case "output":
      if value.literal == "-" { break }
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

  private static func negation(of value: ImportedText) -> ImportedValue {
    if value.literal != nil { return .bool(false) }
    return HurlExpression.argument(value).map { .text(ImportedText(.expression("not \($0)"))) } ?? .text(value)
  }

  private static func number(_ value: ImportedText) -> ImportedValue {
    value.literal.flatMap { Int($0) }.map { .integer($0) } ?? .text(value)
  }

  // MARK: options that make a key together

  /// Hurl follows no redirects by itself.
  private var redirects: ImportedValue {
    guard let follows = last("location", "location-trusted"), follows.literal != "false" else { return .text("none") }
    if follows.literal == nil, let expression = HurlExpression.argument(follows) {
      return .text(ImportedText(.expression("'follow' if \(expression) else 'none'")))
    }
    guard let limit = last("max-redirs") else { return .text("follow") }
    if limit.literal == nil, let number = HurlExpression.argument(limit).map({ "to_integer(\($0))" }) {
      return .mapping([("max", .text(ImportedText(.expression("1000 if \(number) < 0 else \(number)"))))])
    }
    return .mapping([("max", limit.literal == "-1" ? .integer(1000) : Self.number(limit))])
  }

  private func setCredentials(of request: inout ImportedRequest) {
    let schemes = ["ntlm", "negotiate", "digest"]
    let scheme = options.last { schemes.contains($0.name) && $0.value.literal != "false" }?.name ?? "basic"
    if scheme == "negotiate" { return request.credentials = .negotiate }
    guard let user = last("user") else { return }
    let (name, password) = user.split(at: ":") ?? (user, "")
    request.credentials =
      last("aws-sigv4").map { ImportedCredentials(signature: $0, accessKey: name, secretKey: password) }
      ?? .account(.init(rawValue: scheme) ?? .basic, username: name, password: password)
  }

  /// Hurl sends a request again until its response is as it should be, or, without any assertion, until there is one.
  private func setRetries(of request: inout ImportedRequest) {
    guard let retries = last("retry"), retries.literal != "0" else { return }
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
    members.append(("interval", .text(last("retry-interval").map { Self.duration($0) } ?? "1s")))
    if request.expect.isEmpty {
      if hasNoLimit { members[0] = ("attempts", .integer(100)) }
      members.append(("backoff", .text("none")))
      members.append(("causes", .list([.text("connection"), .text("timeout")])))
    }
    request.settings.set(request.expect.isEmpty ? .retry : .poll, .mapping(members))
  }
}
