import DocumentQueries
import Values

/// The endpoints of an authorization server, from its metadata (RFC 8414).
package struct ServerMetadata: Sendable, Hashable {
  package let tokenEndpoint: String
  package let authorizationEndpoint: String?
  package let deviceAuthorizationEndpoint: String?

  /// The URLs at which the metadata of an issuer may be, the standard's first (RFC 8414, sections 3.1 and 5).
  package static func locations(of issuer: HTTPURL) -> [HTTPURL] {
    var base = issuer
    base.query = nil
    base.fragment = nil
    while base.path.hasSuffix("/") { base.path.removeLast() }
    var (standard, openID) = (base, base)
    standard.path = "/.well-known/oauth-authorization-server" + base.path
    openID.path += "/.well-known/openid-configuration"
    return [standard, openID]
  }

  /// The metadata in a response; nil if there are none.
  ///
  /// - Parameters:
  ///   - issuer: the issuer as written.
  ///   - location: the URL of the metadata, for messages.
  package static func read(
    _ head: ResponseHead, body: [UInt8], of issuer: String, at location: String
  ) throws(TokenProblem) -> ServerMetadata? {
    guard head.status == 200, case .mapping(let members)? = (try? JSONDocument(parsing: body))?.root.value else {
      return nil
    }
    guard case .text(let found)? = members["issuer"] else {
      throw TokenProblem(
        "the metadata at \(location) name no `issuer`", help: "write `token_url` in place of `issuer`")
    }
    guard found.string.utf8.elementsEqual(issuer.utf8) else {
      throw TokenProblem(
        "the metadata at \(location) are those of the issuer \"\(Excerpt(found.string, limit: 200))\", not of \"\(issuer)\"",
        help: "write the issuer exactly as the server does, if it is the right one")
    }
    guard case .text(let endpoint)? = members["token_endpoint"] else {
      throw TokenProblem("the metadata at \(location) name no `token_endpoint`", help: "write `token_url`")
    }
    func text(_ name: String) -> String? {
      if case .text(let text)? = members[name] { text.string } else { nil }
    }
    return ServerMetadata(
      tokenEndpoint: endpoint.string, authorizationEndpoint: text("authorization_endpoint"),
      deviceAuthorizationEndpoint: text("device_authorization_endpoint"))
  }
}
