import HTTPSemantics

/// The settings by which another tool gets a token of OAuth 2.
struct ImportedOAuth {
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
  var scope: ImportedValue?
  var audience: ImportedText?
  var username: ImportedText?
  var password: ImportedText?
  var refreshToken: ImportedText?
  var redirectURI: ImportedText?

  init(grant: String) {
    self.grant = grant
  }

  /// The grants of specs by the words of other tools, in lower case without `_`.
  private static let grants = [
    "clientcredentials": "client_credentials", "client": "client_credentials",
    "password": "password", "passwordcredentials": "password", "resourceownerpasswordcredentials": "password",
    "authorizationcode": "authorization_code", "authorizationcodewithpkce": "authorization_code",
    "code": "authorization_code", "devicecode": "device_code", "deviceauthorization": "device_code",
    "refreshtoken": "refresh_token",
  ]

  /// Gives a request these credentials, or remarks that no spec can say them.
  ///
  /// - Parameter source: the words for them in the source.
  func apply(to request: inout ImportedRequest, source: String) {
    guard let auth = auth(&request.untranslated) else {
      return request.remark("kinds of credentials", grant.isEmpty ? source : "\(source) \(grant)")
    }
    request.settings.set(.auth, auth)
  }

  /// The value of `auth`; nil if no spec can say it.
  private func auth(_ untranslated: inout [Untranslated]) -> ImportedValue? {
    guard let word = Self.grants[grant.lowercased().filter { $0 != "_" }], tokenURL != nil || issuer != nil,
      clientID != nil || word == "refresh_token"
    else { return nil }
    var members: [(key: String, value: ImportedValue)] = [("grant_type", .text(word))]
    func add(_ key: String, _ text: ImportedText?) { if let text { members.append((key, .text(text))) } }
    add("issuer", issuer)
    switch word {
    case "authorization_code":
      if authorizationURL == nil, issuer == nil { return nil }
      add("authorization_url", authorizationURL)
    case "device_code":
      if deviceURL == nil, issuer == nil { return nil }
      add("device_authorization_url", deviceURL)
    default: break
    }
    add("token_url", tokenURL)
    add("client_id", clientID)
    if word != "device_code" { add("client_secret", clientSecret?.secret("client_secret")) }
    switch word {
    case "password":
      add("username", username ?? ImportedText())
      add("password", (password ?? ImportedText()).secret("password"))
    case "refresh_token": add("refresh_token", (refreshToken ?? ImportedText()).secret("refresh_token"))
    case "authorization_code":
      // A page of the tool's maker can't be that of this machine.
      if let uri = redirectURI?.literal, LoopbackURI(parsing: uri) == nil {
        untranslated.append(Untranslated(reason: "redirect URIs of other machines", source: "redirect_uri \(uri)"))
      } else {
        add("redirect_uri", redirectURI)
      }
    default: break
    }
    if let scope { members.append(("scope", scope)) }
    add("audience", audience)
    if sendsClientInBody, clientSecret != nil { members.append(("client_auth", .text("body"))) }
    return .mapping([("oauth2", .mapping(members))])
  }
}
