import Values

/// A cookie as a jar keeps it (RFC 6265bis, section 5.7).
package struct Cookie: Sendable, Hashable {
  package var name: String
  package var value: String
  /// In lower case, without a leading dot.
  package var domain: String
  package var path: String
  /// Nil for a session cookie.
  package var expires: Timestamp?
  package var isSecure: Bool
  package var isHTTPOnly: Bool
  package var sameSite: SameSite?
  /// Whether it goes to exactly ``domain``, not to hosts below it.
  package var isHostOnly: Bool

  /// Kept and shown; nothing is held back by it, since each request is one that the user wants, as a typed URL.
  package enum SameSite: String, Sendable, Hashable, CaseIterable {
    case strict, lax, none
  }

  package init(
    name: String, value: String, domain: String, path: String = "/", expires: Timestamp? = nil,
    isSecure: Bool = false, isHTTPOnly: Bool = false, sameSite: SameSite? = nil, isHostOnly: Bool = true
  ) {
    self.name = name
    self.value = value
    self.domain = domain
    self.path = path
    self.expires = expires
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
    self.sameSite = sameSite
    self.isHostOnly = isHostOnly
  }
}
