import HTTPSemantics
import RequestSpecs
import Templates
import Values

/// The credentials of a request, with all their values.
package enum ResolvedCredentials: Sendable {
  case bearer(Text)
  case password(PasswordScheme, username: Text, password: Text)
  case awsSigV4(ResolvedAWSCredentials)
  case netrc(NetrcFile)
  case negotiate
  /// Nothing is sent until there is a token.
  case oauth2(ResolvedOAuth2)

  /// The form that is sent; nil if it isn't known yet.
  package var plain: Credentials? {
    switch self {
    case .bearer(let token): .bearer(token.string)
    case .password(let scheme, let username, let password):
      scheme.credentials(username: username.string, password: password.string)
    case .awsSigV4(let keys): .awsSigV4(keys.plain)
    case .netrc(let file): .netrc(file.netrc)
    case .negotiate: .connection(.negotiate)
    case .oauth2: nil
    }
  }

  /// The texts of which they consist.
  var texts: [Text] {
    switch self {
    case .bearer(let token): [token]
    case .password(_, let username, let password): [username, password]
    case .awsSigV4(let keys):
      [keys.accessKey, keys.secretKey, keys.sessionToken, keys.region, keys.service].compactMap(\.self)
    case .netrc(let file): file.netrc.entries.compactMap(\.password).map { Text(secret: $0) }
    case .oauth2(let grant): grant.texts
    case .negotiate: []
    }
  }

  /// The names and passwords that are sent in base64, or may be.
  var basicPairs: [(username: String, password: String)] {
    switch self {
    case .password(.basic, let username, let password): [(username.string, password.string)]
    case .netrc(let file): file.netrc.entries.compactMap { entry in entry.password.map { (entry.login ?? "", $0) } }
    case .oauth2(let grant): grant.basicCredentials.map { [($0.username.string, $0.password.string)] } ?? []
    case .bearer, .password, .awsSigV4, .negotiate: []
    }
  }

  /// Indicates whether their header is computed for each request.
  package var areComputed: Bool {
    switch self {
    case .password(.digest, _, _), .awsSigV4: true
    default: false
    }
  }
}

package struct ResolvedAWSCredentials: Sendable {
  package var accessKey: Text
  package var secretKey: Text
  package var sessionToken: Text?
  package var region: Text?
  package var service: Text?

  package init(accessKey: Text, secretKey: Text, sessionToken: Text?, region: Text?, service: Text?) {
    (self.accessKey, self.secretKey, self.sessionToken) = (accessKey, secretKey, sessionToken)
    (self.region, self.service) = (region, service)
  }

  package var plain: AWSCredentials {
    AWSCredentials(
      accessKey: accessKey.string, secretKey: secretKey.string, sessionToken: sessionToken?.string,
      region: region?.string, service: service?.string)
  }
}

extension RequestResolver {
  /// The credentials of the request; nil if it has none.
  func resolvedCredentials() throws(TemplateError) -> ResolvedCredentials? {
    switch request.settings.auth.value {
    case .bearer(let token): return .bearer(try token.resolve(in: scope).asSecret)
    case .password(let scheme, let username, let password):
      return .password(
        scheme, username: try username.resolve(in: scope),
        password: try password.resolve(in: scope).asSecret)
    case .awsSigV4(let fields):
      return .awsSigV4(
        ResolvedAWSCredentials(
          accessKey: try fields.accessKey.resolve(in: scope),
          secretKey: try fields.secretKey.resolve(in: scope).asSecret,
          sessionToken: try fields.sessionToken.map { field throws(TemplateError) in
            try field.resolve(in: scope).asSecret
          },
          region: try fields.region?.resolve(in: scope), service: try fields.service?.resolve(in: scope)))
    case .netrc(let range):
      do throws(DecodingProblem) {
        return .netrc(try scope.netrcFile())
      } catch {
        throw TemplateError(error, at: range)
      }
    case .negotiate: return .negotiate
    case .oauth2(let spec): return .oauth2(try resolvedOAuth2(spec))
    case .some(.none), nil: return nil
    }
  }
}
