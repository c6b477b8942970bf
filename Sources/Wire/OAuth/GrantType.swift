/// The ways to get an access token.
package enum GrantType: String, Sendable, Hashable, CaseIterable {
  /// RFC 6749, section 4.4.
  case clientCredentials = "client_credentials"
  /// RFC 6749, section 4.3.
  case password
  /// RFC 6749, section 6.
  case refreshToken = "refresh_token"

  /// The value of the parameter `grant_type`.
  package var parameter: String { rawValue }
}

/// The ways in which a client proves its identity to a token endpoint.
package enum ClientAuthentication: String, Sendable, Hashable, CaseIterable {
  /// The `Authorization` header (RFC 6749, section 2.3.1).
  case basic
  /// Parameters in the body.
  case body
  /// No proof: a public client.
  case none
}
