import Cryptography
import HTTPSemantics
import Templates
import Values

/// `oauth2` of a request's credentials: how to get an access token.
package struct OAuth2Spec: Sendable {
  package internal(set) var grantType = GrantType.clientCredentials
  package internal(set) var tokenURL: Field<Text>?
  package internal(set) var issuer: Field<Text>?
  package internal(set) var authorizationURL: Field<Text>?
  package internal(set) var deviceAuthorizationURL: Field<Text>?
  package internal(set) var redirectURI: Field<LoopbackURI>?
  package internal(set) var clientID: Field<Text>?
  package internal(set) var clientSecret: Field<Text>?
  package internal(set) var clientAuthentication: Field<ClientAuthentication>?
  package internal(set) var scope: Field<Text>?
  package internal(set) var audience: Field<Text>?
  package internal(set) var username: Field<Text>?
  package internal(set) var password: Field<Text>?
  package internal(set) var refreshToken: Field<Text>?
  package internal(set) var assertion: AssertionSpec?
  /// The file that keeps tokens beyond the run.
  package internal(set) var tokenCache: Field<FileReference>?
  /// Parameters that the format has no key for.
  package internal(set) var parameters = KeyedSettings<ValueTemplate>()
  package let range: SourceRange

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
