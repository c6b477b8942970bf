import Values

extension Cookie {
  /// The maximum lifetime of a cookie: 400 days (RFC 6265bis, section 5.5).
  static let longestLife: Int64 = 400 * 86_400

  /// The cookie that a response from that URL sets; nil if it must be rejected (RFC 6265bis, section 5.7).
  init?(_ parsed: SetCookie, from url: HTTPURL, now: Timestamp, publicSuffixes: PublicSuffixes) {
    if parsed.isSecure, !url.isTrustworthy { return nil }
    var isHostOnly = true
    if let domain = parsed.domain, domain != url.host {
      guard hostMatches(url.host, domain: domain), !publicSuffixes.contains(domain) else { return nil }
      isHostOnly = false
    } else if let domain = parsed.domain {
      isHostOnly = url.isIPAddress || publicSuffixes.contains(domain)
    }
    let limit = Timestamp(seconds: now.seconds + Cookie.longestLife)
    self.init(
      name: parsed.name, value: parsed.value, domain: isHostOnly ? url.host : parsed.domain ?? url.host,
      path: parsed.path ?? defaultPath(url), expires: parsed.expiry(now: now).map { min($0, limit) },
      isSecure: parsed.isSecure, isHTTPOnly: parsed.isHTTPOnly, sameSite: parsed.sameSite, isHostOnly: isHostOnly,
      isLatin1: parsed.isLatin1)
    guard keepsPrefix, !hasHostPrefix || (parsed.domain == nil && parsed.path == "/") else { return nil }
  }

  /// Indicates whether the cookie meets the conditions of its `__Secure-` or `__Host-` prefix, in any letter case (RFC
  /// 6265bis, section 4.1.3).
  var keepsPrefix: Bool {
    if hasHostPrefix { return isSecure && isHostOnly && path == "/" }
    return isSecure || !name.lowercased().hasPrefix("__secure-")
  }

  private var hasHostPrefix: Bool { name.lowercased().hasPrefix("__host-") }

  func isExpired(at now: Timestamp) -> Bool {
    expires.map { $0 <= now } ?? false
  }

  /// Returns whether one cookie replaces the other.
  func isSame(as other: Cookie) -> Bool {
    name == other.name && domain == other.domain && path == other.path && isHostOnly == other.isHostOnly
  }
}

extension HTTPURL {
  /// Indicates whether `Secure` cookies may travel: over TLS or on the loopback.
  var isTrustworthy: Bool {
    isSecure || host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
      || (isIPAddress && host.hasPrefix("127."))
  }

  var isIPAddress: Bool { IPAddress(host) != nil }
}

/// Returns whether a `Cookie` header can carry the text between its semicolons.
func isCookieText(_ text: String) -> Bool { isHeaderText(text) && !text.utf8.contains(UInt8(ascii: ";")) }

/// RFC 6265bis, section 5.1.3, for names; an address matches only itself.
func hostMatches(_ host: String, domain: String) -> Bool {
  if host == domain { return true }
  return host.hasSuffix("." + domain) && IPAddress(host) == nil
}

/// RFC 6265bis, section 5.1.4.
func pathMatches(_ path: String, cookiePath: String) -> Bool {
  guard path.hasPrefix(cookiePath) else { return false }
  return path.utf8.count == cookiePath.utf8.count || cookiePath.hasSuffix("/")
    || path.utf8.dropFirst(cookiePath.utf8.count).first == UInt8(ascii: "/")
}

/// The default path of a cookie without one: the URL's path up to its last slash.
private func defaultPath(_ url: HTTPURL) -> String {
  guard url.path.hasPrefix("/"), let last = url.path.lastIndex(of: "/"), last != url.path.startIndex else { return "/" }
  return String(url.path[..<last])
}
