import HTTPSemantics
import OAuth
import ParameterEncoding
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
  package let clientID: Text?
  package let clientSecret: Text?
  package let clientAuthentication: ClientAuthentication
  package let scope: Text?
  package let audience: Text?
  package let username: Text?
  package let password: Text?
  package let refreshToken: Text?
  package let parameters: [Parameter]

  /// All texts that may contain secrets.
  var texts: [Text] {
    [tokenURL, issuer, clientID, clientSecret, scope, audience, username, password, refreshToken].compactMap { $0 }
      + parameters.flatMap { [$0.name, $0.value] }
  }

  /// Name and password of the client as they are sent in a header (RFC 6749, section 2.3.1).
  var basicCredentials: (username: Text, password: Text)? {
    guard clientAuthentication == .basic, let clientID, let clientSecret else { return nil }
    return (percentEncoded(clientID, allowed: .unreserved), percentEncoded(clientSecret, allowed: .unreserved))
  }

  /// The credentials of a token request.
  package var clientCredentials: ResolvedCredentials? {
    basicCredentials.map { .password(.basic, username: $0.username, password: $0.password) }
  }

  /// The form of a token request.
  ///
  /// - Parameter refreshToken: the token to use instead of the grant.
  package func form(refreshing refreshToken: String? = nil) -> Text {
    var pairs: [(String, Text?)]
    if let refreshToken {
      pairs = [("grant_type", Text(GrantType.refreshToken.parameter)), ("refresh_token", Text(secret: refreshToken))]
    } else {
      pairs = [("grant_type", Text(grantType.parameter))]
      switch grantType {
      case .clientCredentials: break
      case .password: pairs += [("username", username), ("password", password)]
      case .refreshToken: pairs += [("refresh_token", self.refreshToken)]
      }
      pairs.append(("scope", scope))
    }
    pairs.append(("audience", audience))
    if clientAuthentication != .basic { pairs.append(("client_id", clientID)) }
    if clientAuthentication == .body { pairs.append(("client_secret", clientSecret)) }
    let named =
      pairs.compactMap { name, value in value.map { (Text(name), $0) } } + parameters.map { ($0.name, $0.value) }
    return formEncoded(named)
  }
}

/// Pairs as `application/x-www-form-urlencoded`; secrets stay marked.
package func formEncoded(_ pairs: [(Text, Text)]) -> Text {
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
    func secret(_ field: Field<Text>?) throws(TemplateError) -> Text? {
      try field.map { field throws(TemplateError) in Text(secret: try field.resolve(in: scope).string) }
    }
    let clientSecret = try secret(spec.clientSecret)
    let authentication =
      try spec.clientAuthentication?.resolve(in: scope) ?? (clientSecret == nil ? ClientAuthentication.none : .basic)
    if authentication == .basic || authentication == .body, clientSecret == nil {
      throw TemplateError(
        "`client_auth: \(authentication.rawValue)` needs `client_secret`", at: spec.clientAuthentication?.range,
        help: "add `client_secret: …`, or write `client_auth: none` for a client without one")
    }
    return ResolvedOAuth2(
      grantType: spec.grantType, tokenURL: try spec.tokenURL?.resolve(in: scope),
      issuer: try spec.issuer?.resolve(in: scope), clientID: try spec.clientID?.resolve(in: scope),
      clientSecret: clientSecret, clientAuthentication: authentication, scope: try spec.scope?.resolve(in: scope),
      audience: try spec.audience?.resolve(in: scope), username: try spec.username?.resolve(in: scope),
      password: try secret(spec.password), refreshToken: try secret(spec.refreshToken),
      parameters: try resolvedParameters(spec.parameters))
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
