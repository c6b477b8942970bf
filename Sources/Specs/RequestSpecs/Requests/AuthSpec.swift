import HTTPSemantics
import Templates
import Values

/// The credentials of a request in a file.
package enum AuthSpec: Sendable {
  case none
  case bearer(Field<Text>)
  case password(PasswordScheme, username: Field<Text>, password: Field<Text>)
  case awsSigV4(AWSCredentialFields)
  // Indirect, since it is large and rare.
  indirect case oauth2(OAuth2Spec)
  /// The user's `.netrc` file; the keyword's place.
  case netrc(SourceRange)
  /// The user's existing tickets; the keyword's place.
  case negotiate(SourceRange)
}

/// The schemes that take a name and a password.
package enum PasswordScheme: String, Sendable, Hashable, CaseIterable {
  case basic, digest, ntlm

  /// The form that is sent.
  package func credentials(username: String, password: String) -> Credentials {
    switch self {
    case .basic: .basic(username: username, password: password)
    case .digest: .digest(username: username, password: password)
    case .ntlm: .connection(.ntlm(username: username, password: password))
    }
  }
}

package struct AWSCredentialFields: Sendable {
  package var accessKey: Field<Text>
  package var secretKey: Field<Text>
  package var sessionToken: Field<Text>?
  package var region: Field<Text>?
  package var service: Field<Text>?
  package var range: SourceRange
}

extension AuthSpec {
  /// The passwords, keys and tokens in it.
  package var secretFields: [Field<Text>] {
    switch self {
    case .bearer(let token): [token]
    case .password(_, _, let password): [password]
    case .awsSigV4(let fields): [fields.secretKey] + [fields.sessionToken].compactMap { $0 }
    case .oauth2(let spec): spec.secretFields
    case .none, .netrc, .negotiate: []
    }
  }

  private var otherFields: [Field<Text>] {
    switch self {
    case .password(_, let username, _): [username]
    case .awsSigV4(let fields): [fields.accessKey] + [fields.region, fields.service].compactMap { $0 }
    case .none, .bearer, .oauth2, .netrc, .negotiate: []
    }
  }

  var templates: [Template] {
    if case .oauth2(let spec) = self { return spec.templates }
    return (otherFields + secretFields).flatMap(\.templates)
  }

  /// The form that is sent, with a text for each field; nil if it isn't known before the run.
  package func credentials(_ text: (Field<Text>) -> String) -> Credentials? {
    switch self {
    case .bearer(let token): .bearer(text(token))
    case .password(let scheme, let username, let password):
      scheme.credentials(username: text(username), password: text(password))
    case .awsSigV4(let fields):
      .awsSigV4(
        AWSCredentials(
          accessKey: text(fields.accessKey), secretKey: text(fields.secretKey),
          sessionToken: fields.sessionToken.map(text), region: fields.region.map(text),
          service: fields.service.map(text)))
    case .negotiate: .connection(.negotiate)
    case .none, .oauth2, .netrc: nil
    }
  }

  /// The place; nil for `none`.
  package var range: SourceRange? {
    switch self {
    case .none: nil
    case .bearer(let token): token.range
    case .password(_, let username, _): username.range
    case .awsSigV4(let fields): fields.range
    case .oauth2(let spec): spec.range
    case .netrc(let range), .negotiate(let range): range
    }
  }

  /// Indicates whether they belong to a connection, not to one exchange.
  package var isOfConnection: Bool {
    switch self {
    case .password(.ntlm, _, _), .negotiate: true
    default: false
    }
  }
}
