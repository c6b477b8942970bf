import HTTPSemantics
import Values
import YAMLNodes

extension OAuth2Spec {
  static let needed = ["grant_type"]

  static let keys = Keys<OAuth2Spec>(
    [
      Key(
        "grant_type", "the grant type", synonyms: "grant grantType flow",
        .constant(.word(instead: grantTypeInstead))
      ) { $0.grantType = $1 ?? $0.grantType },
      Key(
        "token_url", "the token endpoint",
        synonyms: "access_token_url accessTokenUrl tokenUrl token_uri token_endpoint url", .field(.someURL)
      ) { $0.tokenURL = $1 },
      Key(
        "issuer", "the authorization server, in place of `token_url`: whose metadata (RFC 8414) names the endpoints",
        synonyms: "issuer_url discovery_url", .field(.someURL)
      ) { $0.issuer = $1 },
      Key(
        "authorization_url", "where a browser signs in, for `authorization_code`",
        synonyms: "auth_url authorize_url authorizationUrl authorization_endpoint", .field(.someURL)
      ) { $0.authorizationURL = $1 },
      Key(
        "device_authorization_url", "the endpoint that issues the codes, for `device_code`",
        synonyms: "device_url device_code_url device_authorization_endpoint", .field(.someURL)
      ) { $0.deviceAuthorizationURL = $1 },
      Key(
        "redirect_uri", "where the browser returns to, for `authorization_code`, as registered with the server",
        synonyms: "redirect_url callback_url redirectUri callback", .field(.loopbackURI)
      ) { $0.redirectURI = $1 },
      Key("client_id", "the client", synonyms: "clientId", .field(.scalarText)) { $0.clientID = $1 },
      Key(
        "client_secret", "the client's secret", synonyms: "clientSecret", .removable(.secretText)
      ) { $0.clientSecret = $1 },
      Key(
        "client_auth", "how the client proves its identity: `basic` with a secret, else `none`",
        synonyms: "client_authentication credentials_placement auth_method token_endpoint_auth_method",
        .field(.word(instead: clientAuthenticationInstead))
      ) { $0.clientAuthentication = $1 },
      Key("scope", "the scopes, as a text or a list", synonyms: "scopes", .removable(.scopes)) { $0.scope = $1 },
      Key("audience", "the API that the token is for", synonyms: "aud", .removable(.scalarText)) {
        $0.audience = $1
      },
      Key("username", "the user of `password`", synonyms: "user login", .field(.scalarText)) { $0.username = $1 },
      Key("password", "the user's password, which is secret", synonyms: "pass", .field(.secretText)) {
        $0.password = $1
      },
      Key("refresh_token", "the token of `refresh_token`, which is secret", .field(.secretText)) {
        $0.refreshToken = $1
      },
      Key(
        "assertion", "the token that the client signs, for `jwt_bearer` and `private_key_jwt`",
        synonyms: "jwt client_assertion", AssertionDraft.keys.shape(needed: ["key"])
      ) { $2.assertion = $0.assertion($1.value) },
      Key("token_cache", "a file that keeps the tokens for later runs", .field(.filePath)) { $0.tokenCache = $1 },
      Key(
        "parameters", "further parameters of the token request",
        synonyms: "additional_parameters extra_params params token_params",
        .names(of: SchemaShape.scalar.orTemplate.orList)
      ) { $2.parameters = $0.scalars($1.value, as: "parameters", lists: true) },
    ],
    advice: [
      "access_token": "a token that you have already is `auth: {bearer: …}`",
      "token": "a token that you have already is `auth: {bearer: …}`",
      "resource": "write it under `parameters:`",
    ],
    usual: ["grant_type", "token_url", "issuer", "client_id", "client_secret", "scope", "audience", "client_auth"],
    shape: "{grant_type: client_credentials, token_url: …, client_id: …, client_secret: …}")

  private static let grantTypeInstead: @Sendable (Value) -> String? = { value in
    guard case .text(let text) = value else { return nil }
    return switch text.string.lowercased().replacing("-", with: "_").replacing(" ", with: "_") {
    case "client_credentials", "clientcredentials", "client", "application": "client_credentials"
    case "password_credentials", "resource_owner_password", "password", "ropc": "password"
    case "refresh", "refresh_token": "refresh_token"
    case "device", "device_flow", "urn:ietf:params:oauth:grant_type:device_code": "device_code"
    case "jwt", "service_account", "urn:ietf:params:oauth:grant_type:jwt_bearer": "jwt_bearer"
    case "pkce", "code", "implicit", "authorization_code_with_pkce", "accesscode", "authorizationcode":
      "authorization_code"
    default: nil
    }
  }

  private static let clientAuthenticationInstead: @Sendable (Value) -> String? = { value in
    guard case .text(let text) = value else { return nil }
    return switch text.string.lowercased().replacing("-", with: "_") {
    case "client_secret_basic", "header", "basic_auth_header", "basic_auth": "basic"
    case "client_secret_post", "post", "form", "request_body": "body"
    case "private_key", "jwt", "client_assertion", "jwt_bearer": "private_key_jwt"
    default: nil
    }
  }
}

extension ValueDecoder where Output == Text {
  /// An absolute URL.
  fileprivate static var someURL: ValueDecoder {
    ValueDecoder("a URL", .someText) { value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      guard isAbsoluteURL(text.string) else {
        throw DecodingProblem(
          .invalidValue, "\"\(jsonEscaped(text.masked))\" is not an absolute URL",
          help: "begin with https://, or with http://")
      }
      return text
    }
  }

  /// Scopes separated by spaces (RFC 6749, section 3.3).
  fileprivate static var scopes: ValueDecoder {
    ValueDecoder("text, or a list of texts", SchemaShape.someText.orList) { value throws(DecodingProblem) in
      switch value {
      case .text(let text): return text
      case .list(let items):
        var result = Text("")
        for item in items {
          guard case .text(let scope) = item else { return nil }
          if !result.isEmpty { result.append(" ") }
          result.append(scope)
        }
        return result
      default: return nil
      }
    }
  }
}

extension ValueDecoder where Output == LoopbackURI {
  /// A redirect URI of this machine.
  fileprivate static var loopbackURI: ValueDecoder {
    ValueDecoder("a URL", .someText) { value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      guard let uri = LoopbackURI(parsing: text.string) else {
        throw DecodingProblem(
          .invalidValue, "\"\(jsonEscaped(text.masked))\" is not a redirect URI of this machine",
          help: "write one such as http://127.0.0.1:8765/callback: http, 127.0.0.1, [::1] or localhost, and no query")
      }
      return uri
    }
  }
}

extension SpecReader {
  mutating func oauth2(_ node: YAMLNode) -> AuthSpec? {
    let errorsBefore = bag.errorCount
    var spec = OAuth2Spec(range: node.range)
    guard visit(node, as: "`oauth2`", keys: OAuth2Spec.keys, into: &spec), let members = node.members,
      !members.contains(where: { $0.value.hasError })
    else { return nil }
    guard members.contains(where: { $0.key == "grant_type" }) else {
      return reject(
        .missingKey, "`oauth2` needs `grant_type`", at: node,
        help: "write one of \(GrantType.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    OAuth2Checks(spec: spec, node: node, notes: useNote(node)).run(into: &bag)
    return bag.errorCount == errorsBefore ? .oauth2(spec) : nil
  }
}

/// Checks that the keys of `oauth2` fit its `grant_type`.
private struct OAuth2Checks {
  let spec: OAuth2Spec
  let node: YAMLNode
  let notes: [Diagnostic.Note]

  func run(into bag: inout DiagnosticBag) {
    checkEndpoint(into: &bag)
    for key in needed where !has(key) {
      bag.error(
        .missingKey, "`grant_type: \(grantType.rawValue)` needs `\(key)`", at: node.range, notes: notes,
        help: "add `\(key): …`")
    }
    for member in node.members ?? [] {
      guard let owners = OAuth2Checks.owners[member.key], !owners.contains(grantType) else { continue }
      bag.error(
        .orphanedKey,
        "`\(member.key)` belongs to `grant_type: \(owners[0].rawValue)`, and this is `\(grantType.rawValue)`",
        at: member.keyRange, notes: notes, help: "leave it out, or change `grant_type`")
    }
    checkClient(into: &bag)
    for entry in spec.parameters.entries where OAuth2Spec.keys.names.contains(entry.key.text) {
      bag.error(
        .misplacedKey, "`\(entry.key.text)` has a key of its own", at: entry.key.range, notes: notes,
        help: "write it beside `parameters`"
      )
    }
  }

  private var grantType: GrantType { spec.grantType }

  private func has(_ key: String) -> Bool { node.members?.contains { $0.key == key } ?? false }

  private var needed: [String] {
    switch grantType {
    case .clientCredentials: ["client_id"]
    case .password: ["username", "password"]
    case .refreshToken: ["refresh_token"]
    case .jwtBearer: ["assertion"]
    case .deviceCode: ["client_id"] + (spec.issuer == nil ? ["device_authorization_url"] : [])
    case .authorizationCode: ["client_id"] + (spec.issuer == nil ? ["authorization_url"] : [])
    }
  }

  /// The keys of some grants alone.
  private static let owners: [String: [GrantType]] = [
    "username": [.password], "password": [.password], "refresh_token": [.refreshToken],
    "authorization_url": [.authorizationCode], "redirect_uri": [.authorizationCode],
    "device_authorization_url": [.deviceCode],
  ]

  private func checkEndpoint(into bag: inout DiagnosticBag) {
    if spec.tokenURL == nil, spec.issuer == nil {
      bag.error(
        .missingKey, "`oauth2` needs `token_url`, or `issuer` to look it up", at: node.range, notes: notes,
        help: "add `token_url: https://…`")
    } else if let url = spec.tokenURL, let issuer = spec.issuer {
      bag.error(
        .conflictingKeys, "`issuer` names the token endpoint, and so does `token_url`", at: issuer.range,
        notes: notes + [Diagnostic.Note("the endpoint stands here", at: url.range)], help: "leave one of them out")
    }
  }

  private func checkClient(into bag: inout DiagnosticBag) {
    let method =
      spec.clientAuthentication.map(\.literal) ?? (spec.clientSecret == nil ? ClientAuthentication.none : .basic)
    let range = spec.clientAuthentication?.range ?? spec.clientSecret?.range ?? node.range
    switch method {
    case .basic, .body:
      if spec.clientID == nil {
        bag.error(
          .missingKey, "a client that has a secret has a `client_id`", at: range, notes: notes,
          help: "add `client_id: …`")
      } else if spec.clientSecret == nil {
        bag.error(
          .missingKey, "`client_auth: \(method?.rawValue ?? "")` needs `client_secret`", at: range, notes: notes,
          help: "add `client_secret: …`, or write `client_auth: none` for a client without one")
      }
    case ClientAuthentication.none?:
      if let secret = spec.clientSecret {
        bag.error(
          .conflictingKeys, "`client_auth: none` sends no secret, and there is a `client_secret`", at: range,
          notes: notes + [Diagnostic.Note("the secret stands here", at: secret.range)],
          help: "leave it out, or write `client_auth: basic` or `body`")
      } else if grantType == .clientCredentials, spec.clientAuthentication == nil {
        bag.error(
          .missingKey, "`grant_type: client_credentials` needs `client_secret`", at: node.range, notes: notes,
          help: "add `client_secret: …`, or write `client_auth: none` for a client without one")
      }
    case .privateKeyJWT:
      if let secret = spec.clientSecret {
        bag.error(
          .conflictingKeys, "`client_auth: private_key_jwt` sends no secret, and there is a `client_secret`", at: range,
          notes: notes + [Diagnostic.Note("the secret stands here", at: secret.range)], help: "leave it out")
      }
      for key in ["client_id", "assertion"] where !has(key) {
        bag.error(
          .missingKey, "`client_auth: private_key_jwt` needs `\(key)`", at: range, notes: notes,
          help: key == "client_id" ? "add `client_id: …`" : "add `assertion: {key: {file: …}}`")
      }
    case nil: break
    }
    if let assertion = spec.assertion, grantType != .jwtBearer, method != nil, method != .privateKeyJWT {
      bag.error(
        .orphanedKey, "`assertion` belongs to `grant_type: jwt_bearer` or `client_auth: private_key_jwt`",
        at: assertion.range, notes: notes, help: "add one of them, or leave it out")
    }
  }
}
