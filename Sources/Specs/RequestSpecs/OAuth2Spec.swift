import Diagnostics
import OAuth
import Templates
import Values

/// `oauth2` of a request's credentials: how to get an access token.
///
/// A class, since it is large and rare.
package final class OAuth2Spec: Sendable {
  package let grantType: GrantType
  package let tokenURL: Field<Text>?
  package let issuer: Field<Text>?
  package let clientID: Field<Text>?
  package let clientSecret: Field<Text>?
  package let clientAuthentication: Field<ClientAuthentication>?
  package let scope: Field<Text>?
  package let audience: Field<Text>?
  package let username: Field<Text>?
  package let password: Field<Text>?
  package let refreshToken: Field<Text>?
  /// Parameters that the format has no key for.
  package let parameters: KeyedSettings<ValueTemplate>
  package let range: SourceRange

  init(_ draft: OAuth2Draft, grantType: GrantType, range: SourceRange) {
    self.grantType = grantType
    tokenURL = draft.tokenURL
    issuer = draft.issuer
    clientID = draft.clientID
    clientSecret = draft.clientSecret
    clientAuthentication = draft.clientAuthentication
    scope = draft.scope
    audience = draft.audience
    username = draft.username
    password = draft.password
    refreshToken = draft.refreshToken
    parameters = draft.parameters
    self.range = range
  }

  /// The passwords, keys and tokens in it.
  var secretFields: [Field<Text>] { [clientSecret, password, refreshToken].compactMap { $0 } }

  var templates: [Template] {
    let texts = [tokenURL, issuer, clientID, scope, audience, username].compactMap { $0 } + secretFields
    return texts.flatMap(\.templates) + (clientAuthentication?.templates ?? []) + parameters.templates
  }
}
