/// The ways to get an access token.
package enum GrantType: String, Sendable, Hashable, CaseIterable {
  /// RFC 6749, section 4.4.
  case clientCredentials = "client_credentials"
  /// RFC 6749, section 4.3.
  case password
  /// RFC 6749, section 6.
  case refreshToken = "refresh_token"
  /// RFC 7523, section 2.1.
  case jwtBearer = "jwt_bearer"
  /// RFC 8628.
  case deviceCode = "device_code"
  /// RFC 6749, section 4.1, with PKCE (RFC 7636) for an application on this machine (RFC 8252).
  case authorizationCode = "authorization_code"

  /// The value of the parameter `grant_type`.
  package var parameter: String {
    switch self {
    case .clientCredentials, .password, .refreshToken, .authorizationCode: rawValue
    case .jwtBearer: "urn:ietf:params:oauth:grant-type:jwt-bearer"
    case .deviceCode: "urn:ietf:params:oauth:grant-type:device_code"
    }
  }
}

/// The ways in which a client proves its identity to a token endpoint.
package enum ClientAuthentication: String, Sendable, Hashable, CaseIterable {
  /// The `Authorization` header (RFC 6749, section 2.3.1).
  case basic
  /// Parameters in the body.
  case body
  /// A token that the client signs (RFC 7523, section 2.2).
  case privateKeyJWT = "private_key_jwt"
  /// No proof: a public client.
  case none
}
