import HTTPSemantics

/// Credentials of another tool: the values of `auth`.
package enum ImportedCredentials: Sendable, Hashable {
  package enum Scheme: String, Sendable { case basic, digest, ntlm }

  case account(Scheme, username: ImportedText, password: ImportedText)
  case bearer(ImportedText)
  case aws(
    accessKey: ImportedText, secretKey: ImportedText, region: ImportedText?, service: ImportedText?,
    sessionToken: ImportedText? = nil)
  indirect case oauth2(ImportedOAuth)
  case netrc, negotiate
  /// None, although others of its file have some.
  case none

  /// The value of `auth`.
  var value: ImportedValue {
    switch self {
    case .account(let scheme, let username, let password):
      .mapping([(scheme.rawValue, .texts([("username", username), ("password", password)]))])
    case .bearer(let token): .mapping([("bearer", .text(token))])
    case .aws(let accessKey, let secretKey, let region, let service, let sessionToken):
      .mapping([
        (
          "aws_sigv4",
          .texts([
            ("access_key", accessKey), ("secret_key", secretKey), ("session_token", sessionToken), ("region", region),
            ("service", service),
          ])
        )
      ])
    case .oauth2(let oauth): .mapping([("oauth2", oauth.value)])
    case .netrc: .text("netrc")
    case .negotiate: .text("negotiate")
    case .none: .text("none")
    }
  }

  /// Makes secrets of literal passwords and tokens.
  mutating func markSecrets() {
    switch self {
    case .account(let scheme, let username, let password):
      // Keys of APIs are given as users without a password.
      let isKey = scheme == .basic && (password.isEmpty || username.isCredential)
      self = .account(
        scheme, username: isKey ? username.secret("api_key") : username, password: password.secret("password"))
    case .bearer(let token): self = .bearer(token.secret("token"))
    case .aws(let accessKey, let secretKey, let region, let service, let sessionToken):
      self = .aws(
        accessKey: accessKey.secret("aws_access_key_id"), secretKey: secretKey.secret("aws_secret_access_key"),
        region: region, service: service, sessionToken: sessionToken?.secret("aws_session_token"))
    case .oauth2, .netrc, .negotiate, .none: break
    }
  }
}

/// The settings by which another tool gets a token of OAuth 2.
package struct ImportedOAuth: Sendable, Hashable {
  /// The grant in the word of the source.
  var grant: String
  var issuer: ImportedText?
  var authorizationURL: ImportedText?
  var deviceURL: ImportedText?
  var tokenURL: ImportedText?
  var clientID: ImportedText?
  var clientSecret: ImportedText?
  /// Indicates that the client proves its identity in the body.
  var sendsClientInBody = false
  /// The scopes in one text.
  var scope: ImportedText?
  var scopes: [String] = []
  var audience: ImportedText?
  var username: ImportedText?
  var password: ImportedText?
  var refreshToken: ImportedText?
  var redirectURI: ImportedText?

  init(grant: String) {
    self.grant = grant
  }

  /// - Parameters:
  ///   - names: the names in the source.
  ///   - text: the text of a name, if it has one.
  init(
    grant: String, _ names: [(WritableKeyPath<ImportedOAuth, ImportedText?>, String)],
    _ text: (String) -> ImportedText?
  ) {
    self.grant = grant
    for (property, name) in names { self[keyPath: property] = text(name) }
  }

  /// The grants of specs by the words of other tools, in lower case without `_`.
  private static let grants = [
    "clientcredentials": "client_credentials", "client": "client_credentials",
    "password": "password", "passwordcredentials": "password", "resourceownerpasswordcredentials": "password",
    "authorizationcode": "authorization_code", "authorizationcodewithpkce": "authorization_code",
    "code": "authorization_code", "devicecode": "device_code", "deviceauthorization": "device_code",
    "refreshtoken": "refresh_token",
  ]

  /// The credentials; nil with a remark if no spec can say them.
  ///
  /// - Parameter source: the words for them in the source.
  func credentials(source: String, remarks: inout [Untranslated]) -> ImportedCredentials? {
    let word = Self.grants[grant.lowercased().filter { $0 != "_" }] ?? ""
    let hasPage =
      switch word {
      case "authorization_code": authorizationURL != nil || issuer != nil
      case "device_code": deviceURL != nil || issuer != nil
      default: !word.isEmpty
      }
    guard hasPage, tokenURL != nil || issuer != nil, clientID != nil || word == "refresh_token" else {
      remarks.remark("kinds of credentials", grant.isEmpty ? source : "\(source) \(grant)")
      return nil
    }
    var result = self
    result.grant = word
    // A page of the tool's maker can't be that of this machine.
    if word == "authorization_code", let uri = redirectURI?.literal, LoopbackURI(parsing: uri) == nil {
      remarks.remark("redirect URIs of other machines", "redirect_uri \(uri)")
      result.redirectURI = nil
    }
    return .oauth2(result)
  }

  /// The value of `oauth2`, for a grant in the word of specs.
  fileprivate var value: ImportedValue {
    var texts: [(key: String, value: ImportedText?)] = [("grant_type", ImportedText(grant)), ("issuer", issuer)]
    if grant == "authorization_code" { texts.append(("authorization_url", authorizationURL)) }
    if grant == "device_code" { texts.append(("device_authorization_url", deviceURL)) }
    texts += [("token_url", tokenURL), ("client_id", clientID)]
    if grant != "device_code" { texts.append(("client_secret", clientSecret?.secret("client_secret"))) }
    switch grant {
    case "password":
      texts.append(("username", username ?? ImportedText()))
      texts.append(("password", (password ?? ImportedText()).secret("password")))
    case "refresh_token": texts.append(("refresh_token", (refreshToken ?? ImportedText()).secret("refresh_token")))
    case "authorization_code": texts.append(("redirect_uri", redirectURI))
    default: break
    }
    var members = ImportedValue.texts(texts + [("scope", scope), ("audience", audience)]).members ?? []
    if !scopes.isEmpty { members.append(("scope", .list(scopes.map { .text($0) }))) }
    if sendsClientInBody, clientSecret != nil { members.append(("client_auth", .text("body"))) }
    return .mapping(members)
  }
}

extension ImportedValue {
  /// A mapping of those texts that are there.
  static func texts(_ members: [(key: String, value: ImportedText?)]) -> ImportedValue {
    .mapping(members.compactMap { key, text in text.map { (key, .text($0)) } })
  }
}
