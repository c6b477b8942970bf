import Cryptography
import Values
import HTTPSemantics
import Templates

/// `oauth2` of a request's credentials: how to get an access token.
///
/// A class, since it is large and rare.
package final class OAuth2Spec: Sendable {
  package let grantType: GrantType
  package let tokenURL: Field<Text>?
  package let issuer: Field<Text>?
  package let authorizationURL: Field<Text>?
  package let deviceAuthorizationURL: Field<Text>?
  package let redirectURI: Field<LoopbackURI>?
  package let clientID: Field<Text>?
  package let clientSecret: Field<Text>?
  package let clientAuthentication: Field<ClientAuthentication>?
  package let scope: Field<Text>?
  package let audience: Field<Text>?
  package let username: Field<Text>?
  package let password: Field<Text>?
  package let refreshToken: Field<Text>?
  package let assertion: AssertionSpec?
  /// The file that keeps tokens beyond the run.
  package let tokenCache: Field<FileReference>?
  /// Parameters that the format has no key for.
  package let parameters: KeyedSettings<ValueTemplate>
  package let range: SourceRange

  init(_ draft: OAuth2Draft, grantType: GrantType, range: SourceRange) {
    self.grantType = grantType
    tokenURL = draft.tokenURL
    issuer = draft.issuer
    authorizationURL = draft.authorizationURL
    deviceAuthorizationURL = draft.deviceAuthorizationURL
    redirectURI = draft.redirectURI
    clientID = draft.clientID
    clientSecret = draft.clientSecret
    clientAuthentication = draft.clientAuthentication
    scope = draft.scope
    audience = draft.audience
    username = draft.username
    password = draft.password
    refreshToken = draft.refreshToken
    assertion = draft.assertion
    tokenCache = draft.tokenCache
    parameters = draft.parameters
    self.range = range
  }

  /// The passwords, keys and tokens in it.
  var secretFields: [Field<Text>] {
    var fields = [clientSecret, password, refreshToken].compactMap { $0 }
    if case .text(let key)? = assertion?.key { fields.append(key) }
    return fields
  }

  var templates: [Template] {
    let texts =
      [tokenURL, issuer, authorizationURL, deviceAuthorizationURL, clientID, scope, audience, username].compactMap {
        $0
      }
      + secretFields
    return texts.flatMap(\.templates) + (clientAuthentication?.templates ?? []) + parameters.templates
      + (assertion?.templates ?? []) + (tokenCache?.templates ?? []) + (redirectURI?.templates ?? [])
  }
}

/// `assertion`: a token that the client signs, as the grant or to prove its identity (RFC 7523).
package struct AssertionSpec: Sendable {
  package enum Key: Sendable {
    case text(Field<Text>)
    case file(Field<FileReference>)
  }

  package let algorithm: Field<SignatureAlgorithm>?
  package let key: Key
  package let identifier: Field<Text>?
  package let claims: KeyedSettings<ValueTemplate>
  package let lifetime: Field<Duration>?
  package let range: SourceRange

  fileprivate var templates: [Template] {
    var templates = (algorithm?.templates ?? []) + (identifier?.templates ?? []) + claims.templates
    templates += lifetime?.templates ?? []
    if case .file(let path) = key { templates += path.templates }
    return templates
  }
}
