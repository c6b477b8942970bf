import HTTPSemantics
import RequestSpecs
import Templates
import Values

/// The grant of a request, `oauth2`, with its values. Requests with equal ones share a token.
package struct ResolvedOAuth2: Sendable, Hashable {
  package struct Parameter: Sendable, Hashable {
    package let name: Text
    package let value: Text
  }

  package let grantType: GrantType
  package let tokenURL: Text?
  package let issuer: Text?
  package let authorizationURL: Text?
  package let deviceAuthorizationURL: Text?
  package let redirectURI: LoopbackURI?
  package let clientID: Text?
  package let clientSecret: Text?
  package let clientAuthentication: ClientAuthentication
  package let scope: Text?
  package let audience: Text?
  package let username: Text?
  package let password: Text?
  package let refreshToken: Text?
  package let assertion: ResolvedAssertion?
  package let parameters: [Parameter]
  /// The absolute path of the file that keeps tokens beyond the run.
  package let tokenCache: Text?

  private var fields: [Text?] {
    [
      tokenURL, issuer, authorizationURL, deviceAuthorizationURL, clientID, clientSecret, scope, audience, username,
      password, refreshToken,
    ]
  }

  /// All texts that may contain secrets.
  var texts: [Text] {
    fields.compactMap { $0 } + parameters.flatMap { [$0.name, $0.value] } + (assertion?.texts ?? [])
  }

  /// Everything that decides for whom and for what its token is; it contains secrets.
  package var identity: [String?] {
    [grantType.rawValue, clientAuthentication.rawValue] + fields.map { $0?.string }
      + (assertion?.identity ?? []) + parameters.flatMap { [$0.name.string, $0.value.string] }
  }

  /// Name and password of the client as they are sent in a header (RFC 6749, section 2.3.1).
  var basicCredentials: (username: Text, password: Text)? {
    guard clientAuthentication == .basic, let clientID, let clientSecret else { return nil }
    return (percentEncoded(clientID, allowed: .unreserved), percentEncoded(clientSecret, allowed: .unreserved))
  }

  /// The credentials of a request to the authorization server.
  package var clientCredentials: ResolvedCredentials? {
    basicCredentials.map { .password(.basic, username: $0.username, password: $0.password) }
  }

  // MARK: forms

  /// The form of a token request.
  ///
  /// - Parameters:
  ///   - endpoint: the URL of the token endpoint.
  ///   - more: parameters that earlier exchanges gave.
  package func form(for endpoint: Text, with more: [(String, Text)] = []) throws(TokenProblem) -> Text {
    var pairs: [(String, Text?)] = [("grant_type", Text(grantType.parameter))]
    pairs += more.map { ($0.0, $0.1) }
    switch grantType {
    case .clientCredentials, .deviceCode, .authorizationCode: break
    case .password: pairs += [("username", username), ("password", password)]
    case .refreshToken: pairs.append(("refresh_token", refreshToken))
    case .jwtBearer:
      pairs.append(("assertion", try assertion?.signed([("iss", clientID), ("aud", endpoint)], at: .now)))
    }
    // The codes of a sign-in are for the scopes that were asked for with it.
    if grantType != .deviceCode, grantType != .authorizationCode { pairs.append(("scope", scope)) }
    return try form(pairs, for: endpoint)
  }

  /// The form that uses a refresh token instead of the grant.
  package func form(for endpoint: Text, refreshing token: String) throws(TokenProblem) -> Text {
    try form(
      [("grant_type", Text(GrantType.refreshToken.parameter)), ("refresh_token", Text(secret: token))], for: endpoint)
  }

  /// The form of a request for the codes of a device (RFC 8628, section 3.1).
  package func deviceForm(for endpoint: Text) throws(TokenProblem) -> Text {
    try form([("scope", scope)], for: endpoint)
  }

  private func form(_ pairs: [(String, Text?)], for endpoint: Text) throws(TokenProblem) -> Text {
    var pairs = pairs
    pairs.append(("audience", audience))
    switch clientAuthentication {
    case .basic: break
    case .body: pairs += [("client_id", clientID), ("client_secret", clientSecret)]
    case .none: pairs.append(("client_id", clientID))
    case .privateKeyJWT:
      var proof = assertion
      // Those of the spec are the grant's.
      if grantType == .jwtBearer { proof?.claims = Mapping() }
      pairs += [
        ("client_id", clientID),
        ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
        (
          "client_assertion",
          try proof?.signed([("iss", clientID), ("sub", clientID), ("aud", endpoint)], at: .now)
        ),
      ]
    }
    return formEncoded(named(pairs))
  }

  /// The query of the page where a browser signs in (RFC 6749, section 4.1.1; RFC 7636, section 4.3).
  package func authorizationQuery(redirectURI: String, state: String, challenge: String) -> Text {
    formEncoded(
      named([
        ("response_type", "code"), ("client_id", clientID), ("redirect_uri", Text(redirectURI)), ("scope", scope),
        ("state", Text(state)), ("code_challenge", Text(challenge)), ("code_challenge_method", "S256"),
        ("audience", audience),
      ]))
  }

  private func named(_ pairs: [(String, Text?)]) -> [(Text, Text)] {
    pairs.compactMap { name, value in value.map { (Text(name), $0) } } + parameters.map { ($0.name, $0.value) }
  }
}

/// Pairs as `application/x-www-form-urlencoded`; secrets stay marked.
private func formEncoded(_ pairs: [(Text, Text)]) -> Text {
  var form = Text("")
  for (name, value) in pairs {
    if !form.isEmpty { form.append("&") }
    form.append(percentEncoded(name, allowed: .unreserved))
    form.append("=")
    form.append(percentEncoded(value, allowed: .unreserved))
  }
  return form
}

extension RequestResolver {
  func resolvedOAuth2(_ spec: OAuth2Spec) throws(TemplateError) -> ResolvedOAuth2 {
    let clientSecret = try secret(spec.clientSecret)
    return ResolvedOAuth2(
      grantType: spec.grantType, tokenURL: try spec.tokenURL?.resolve(in: scope),
      issuer: try spec.issuer?.resolve(in: scope), authorizationURL: try spec.authorizationURL?.resolve(in: scope),
      deviceAuthorizationURL: try spec.deviceAuthorizationURL?.resolve(in: scope),
      redirectURI: try spec.redirectURI?.resolve(in: scope), clientID: try spec.clientID?.resolve(in: scope),
      clientSecret: clientSecret,
      clientAuthentication: try clientAuthentication(spec, hasSecret: clientSecret != nil),
      scope: try spec.scope?.resolve(in: scope), audience: try spec.audience?.resolve(in: scope),
      username: try spec.username?.resolve(in: scope), password: try secret(spec.password),
      refreshToken: try secret(spec.refreshToken),
      assertion: try spec.assertion.map { assertion throws(TemplateError) in try resolvedAssertion(assertion) },
      parameters: try resolvedParameters(spec.parameters), tokenCache: try tokenCache(spec))
  }

  private func secret(_ field: Field<Text>?) throws(TemplateError) -> Text? {
    try field.map { field throws(TemplateError) in Text(secret: try field.resolve(in: scope).string) }
  }

  private func clientAuthentication(
    _ spec: OAuth2Spec, hasSecret: Bool
  ) throws(TemplateError) -> ClientAuthentication {
    guard let field = spec.clientAuthentication else { return hasSecret ? .basic : .none }
    let authentication = try field.resolve(in: scope)
    let isSecret = authentication == .basic || authentication == .body
    if isSecret, !hasSecret {
      throw TemplateError(
        "`client_auth: \(authentication.rawValue)` needs `client_secret`", at: field.range,
        help: "add `client_secret: …`, or write `client_auth: none` for a client without one")
    }
    if authentication == .privateKeyJWT, spec.assertion == nil {
      throw TemplateError("`client_auth: private_key_jwt` needs `assertion`", at: field.range)
    }
    return authentication
  }

  private func tokenCache(_ spec: OAuth2Spec) throws(TemplateError) -> Text? {
    guard let field = spec.tokenCache else { return nil }
    let path = try field.resolve(in: scope).path
    let slash = path.string.lastIndex(of: "/")
    let name = slash.map { String(path.string[path.string.index(after: $0)...]) } ?? path.string
    if name.isEmpty { throw TemplateError("`token_cache` is a file, not a directory", at: field.range) }
    let directory = try scope.writableDirectory(
      slash.map { String(path.string[...$0]) } ?? ".", from: field.range)
    return Text(directory + "/" + name)
  }

  private func resolvedParameters(
    _ keyed: KeyedSettings<ValueTemplate>
  ) throws(TemplateError) -> [ResolvedOAuth2.Parameter] {
    var result: [ResolvedOAuth2.Parameter] = []
    for member in try keyed.resolve(in: scope).members {
      let items: [Value] = if case .list(let items) = member.value { items } else { [member.value] }
      for item in items {
        switch item {
        case .text, .number, .bool, .date, .data:
          result.append(ResolvedOAuth2.Parameter(name: member.key, value: item.asText))
        case .null, .list, .mapping:
          let place = keyed.entries.last { $0.key.text == member.key.string }?.value?.range ?? keyed.whole?.range
          throw TemplateError(
            "the parameter `\(member.key.masked)` is \(item.kind.phrase): its value is text", at: place)
        }
      }
    }
    return result
  }
}

extension ResolvedRequest {
  /// The request with its access token.
  package func authorized(by token: String) -> ResolvedRequest {
    var outgoing = outgoing
    outgoing.credentials = .bearer(token)
    return ResolvedRequest(
      method: method, url: url, requestTarget: requestTarget, headers: headers, body: body, cookies: cookies,
      credentials: .bearer(Text(secret: token)), session: session, connection: connection, transfer: transfer,
      coding: coding, outgoing: outgoing, shown: { [shownURL] _ in shownURL })
  }
}
