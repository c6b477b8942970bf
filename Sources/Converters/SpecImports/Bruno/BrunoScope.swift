import Values

/// The parts that a collection, a folder and a request of Bruno have in common, in the words of specs.
extension ImportedScope {
  init(_ source: BrunoScope, assertions: [BrunoPair] = []) {
    name = source.name ?? ""
    description = source.docs
    auth = ImportedAuth(bruno: source.auth, &untranslated)
    headers = source.headers.filter(\.isEnabled).map {
      .init(name: ImportedText(bruno: $0.name), value: ImportedText(bruno: $0.value))
    }
    variables.replace(with: source.variables.filter(\.isEnabled).map(\.variable))
    scripts = [ImportedScript(dialect: .bruno, text: source.scriptBefore, isTest: false)]
    scripts += source.captures.filter(\.isEnabled).map(ImportedScript.init(capture:))
    scripts.append(ImportedScript(dialect: .bruno, text: source.scriptAfter, isTest: true))
    scripts += assertions.filter(\.isEnabled).map { pair in
      ImportedScript(
        dialect: .bruno, text: BrunoAssertion.script(pair), isTest: true,
        remark: Untranslated(reason: "assertions", source: "\(pair.name): \(pair.value)"))
    }
    scripts.append(ImportedScript(dialect: .bruno, text: source.tests, isTest: true))
  }
}

extension ImportedScript {
  /// A variable that is set to a part of the response. Its expression may begin with `$` or stand in braces.
  fileprivate init(capture pair: BrunoPair) {
    var value = pair.value.trimmed
    if value.hasPrefix("{{"), value.hasSuffix("}}") { value = String(value.dropFirst(2).dropLast(2)).trimmed }
    if value.hasPrefix("$res") { value.removeFirst() }
    self.init(
      dialect: .bruno, text: "bru.setVar(\"\(jsonEscaped(pair.name))\", \(value))", isTest: true,
      remark: Untranslated(reason: "captures", source: "\(pair.name): \(pair.value)"))
  }
}

extension ImportedAuth {
  /// Reads credentials of Bruno; nil inherits.
  fileprivate init?(bruno source: BrunoAuth?, _ remarks: inout [Untranslated]) {
    guard let source, source.mode != "inherit" else { return nil }
    self = Self.auth(source, &remarks) ?? .nothing
  }

  private static func auth(_ source: BrunoAuth, _ remarks: inout [Untranslated]) -> ImportedAuth? {
    func text(_ name: String) -> ImportedText { ImportedText(bruno: source[name] ?? "") }
    func given(_ name: String) -> ImportedText? { text(name).isEmpty ? nil : text(name) }
    switch source.mode {
    case "none", "": break
    case "basic", "digest", "ntlm":
      let scheme = ImportedCredentials.Scheme(rawValue: source.mode) ?? .basic
      let domain = scheme == .ntlm ? given("domain").map { $0 + ImportedText("\\") } : nil
      return .credentials(
        .account(scheme, username: (domain ?? "") + text("username"), password: text("password")))
    case "bearer": return given("token").map { .credentials(.bearer($0)) }
    case "awsv4":
      if given("profileName") != nil {
        remarks.remark("settings of credentials", "awsv4 profileName")
      }
      return .credentials(
        .aws(
          accessKey: text("accessKeyId"), secretKey: text("secretAccessKey"), region: given("region"),
          service: given("service"), sessionToken: given("sessionToken")))
    case "apikey":
      guard let name = given("key") else { break }
      return .key(
        name, value: text("value").secret(name.literal ?? "api_key"),
        source["placement"] == "queryparams" ? .query : .header)
    case "oauth2":
      var oauth = ImportedOAuth(
        grant: source["grant_type"] ?? source["flow"] ?? "",
        [
          (\.authorizationURL, "authorization_url"), (\.tokenURL, "access_token_url"), (\.clientID, "client_id"),
          (\.clientSecret, "client_secret"), (\.scope, "scope"), (\.username, "username"), (\.password, "password"),
          (\.redirectURI, "callback_url"),
        ], given)
      oauth.sendsClientInBody = source["credentials_placement"] ?? source["placement"] == "body"
      return ImportedAuth(oauth.credentials(source: "auth oauth2", remarks: &remarks))
    default: remarks.remark("kinds of credentials", "auth \(source.mode)")
    }
    return nil
  }
}
