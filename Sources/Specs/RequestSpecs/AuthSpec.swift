import Diagnostics
import Templates
import Values

/// The credentials of a request, as a file has them.
package enum AuthSpec: Sendable {
  case none
  case bearer(Field<Text>)
  case password(PasswordScheme, username: Field<Text>, password: Field<Text>)
  case awsSigV4(AWSCredentialFields)
  /// From the user's `.netrc` file; the word's place.
  case netrc(SourceRange)
  /// By the tickets that the user already has; the word's place.
  case negotiate(SourceRange)
}

/// The schemes that take a name and a password.
package enum PasswordScheme: String, Sendable, Hashable, CaseIterable {
  case basic, digest, ntlm
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
  /// Its passwords, keys and tokens.
  package var secretFields: [Field<Text>] {
    switch self {
    case .bearer(let token): [token]
    case .password(_, _, let password): [password]
    case .awsSigV4(let fields): [fields.secretKey] + [fields.sessionToken].compactMap { $0 }
    case .none, .netrc, .negotiate: []
    }
  }

  private var otherFields: [Field<Text>] {
    switch self {
    case .password(_, let username, _): [username]
    case .awsSigV4(let fields): [fields.accessKey] + [fields.region, fields.service].compactMap { $0 }
    case .none, .bearer, .netrc, .negotiate: []
    }
  }

  var templates: [Template] { (otherFields + secretFields).flatMap(\.templates) }

  /// Where they stand; nil for `none`.
  package var range: SourceRange? {
    switch self {
    case .none: nil
    case .bearer(let token): token.range
    case .password(_, let username, _): username.range
    case .awsSigV4(let fields): fields.range
    case .netrc(let range), .negotiate(let range): range
    }
  }

  /// Whether they belong to a connection, not to one exchange.
  package var isOfConnection: Bool {
    switch self {
    case .password(.ntlm, _, _), .negotiate: true
    default: false
    }
  }
}
