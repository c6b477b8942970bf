import HTTPSemantics
import RequestSpecs
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
