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
  /// Whether its octets are those of ISO 8859-1: what the server set is no UTF-8, and goes back as it came.
  package var isLatin1: Bool

  /// What a `Cookie` header has of it; of one without a name the value alone.
  package var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

  /// Kept and shown; nothing is held back by it, since each request is one that the user wants, as a typed URL.
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
