import Values

/// A cookie as a jar keeps it (RFC 6265bis, section 5.7).
package struct Cookie: Sendable, Hashable {
  package var name: String
  package var value: String
  /// The domain in lower case, without a leading dot.
  package var domain: String
  package var path: String
  /// Nil for a session cookie.
  package var expires: Timestamp?
  package var isSecure: Bool
  package var isHTTPOnly: Bool
  package var sameSite: SameSite?
  /// Indicates whether the cookie is sent only to ``domain`` itself, not to hosts below it.
  package var isHostOnly: Bool
  /// Indicates whether its bytes are ISO 8859-1: the server's bytes were not UTF-8, and are sent back unchanged.
  package var isLatin1: Bool

  /// The cookie's part of a `Cookie` header; the value alone if it has no name.
  package var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

  /// Kept and shown, but never a reason to withhold a cookie: each request is one that the user asked for, like a typed
  /// URL.
  package enum SameSite: String, Sendable, Hashable, CaseIterable {
    case strict, lax, none
  }

  package init(
    name: String, value: String, domain: String, path: String = "/", expires: Timestamp? = nil,
    isSecure: Bool = false, isHTTPOnly: Bool = false, sameSite: SameSite? = nil, isHostOnly: Bool = true,
    isLatin1: Bool = false
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
    self.isLatin1 = isLatin1
  }
}
