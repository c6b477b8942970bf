import Diagnostics
import HTTPMessages
import HTTPSemantics
import RequestBodies
import RequestSpecs
import RunScopes
import Values

/// A request with all its values: with secrets marked, and in the plain form that is sent.
///
/// A class, since it is large and passed on to everything that evaluates its response.
package final class ResolvedRequest: Sendable {
  package let method: HTTPMethod
  /// The URL before its conversion to the form that is sent.
  package let url: Text
  package let requestTarget: Text?
  package let headers: [(name: Text, value: Text)]
  package let body: ResolvedBody
  package let cookies: [(name: Text, value: Text)]
  package let credentials: ResolvedCredentials?
  package let session: ResolvedSession
  /// Nil if the request has no connection settings.
  package let connection: ResolvedConnection?
  package let transfer: ResolvedTransfer?
  /// The content coding of the body.
  package let coding: ContentCoding?
  package let outgoing: OutgoingRequest
  /// The reasons why it can't be sent as it is.
  package let problems: [WireProblem]
  /// The URL for messages: without userinfo, secrets masked.
  package let shownURL: String
  /// Method and URL, for a request without a name.
  package let shownName: String
  /// The `Accept` header that is sent.
  package let accept: String?

  package init(
    method: HTTPMethod, url: Text, requestTarget: Text?, headers: [(name: Text, value: Text)], body: ResolvedBody,
    cookies: [(name: Text, value: Text)], credentials: ResolvedCredentials?, session: ResolvedSession,
    connection: ResolvedConnection?, transfer: ResolvedTransfer? = nil,
    coding: ContentCoding? = nil, outgoing: OutgoingRequest, shown: (String) -> String = { $0 }
  ) {
    self.method = method
    self.url = url
    self.requestTarget = requestTarget
    self.headers = headers
    self.body = body
    self.cookies = cookies
    self.credentials = credentials
    self.session = session
    self.connection = connection
    self.transfer = transfer
    self.coding = coding
    self.outgoing = outgoing
    problems = checkWire(outgoing)
    shownURL = concealingSecrets(in: shown(url.isSecret ? withoutUserinfo(url).masked : outgoing.url.string))
    shownName = method.rawValue + " " + shownURL
    let accepted = outgoing.headers.values("Accept")
    accept = accepted.isEmpty ? nil : accepted.joined(separator: ", ")
  }
}

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
    case .password(.basic, let username, let password):
      .basic(username: username.string, password: password.string)
    case .password(.digest, let username, let password):
      .digest(username: username.string, password: password.string)
    case .password(.ntlm, let username, let password):
      .connection(.ntlm(username: username.string, password: password.string))
    case .awsSigV4(let keys): .awsSigV4(keys.plain)
    case .netrc(let file): .netrc(file.netrc)
    case .negotiate: .connection(.negotiate)
    case .oauth2: nil
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
