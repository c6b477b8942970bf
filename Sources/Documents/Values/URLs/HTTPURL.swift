/// An http or https URL whose path and query stay as written.
///
/// Made by ``HTTPURL/init(parsing:)``, which rejects or encodes, once, what a request can't contain.
package struct HTTPURL: Sendable, Hashable {
  /// `http` or `https`.
  package var scheme: String
  /// `user:password`, still percent-encoded.
  package var userinfo: String?
  /// The host in lower case and ASCII; an IPv6 literal without its brackets.
  package var host: String
  /// The port as written; nil for the scheme's default.
  package var port: Int?
  /// Begins with `/`, or is empty.
  package var path: String
  /// Without the `?`.
  package var query: String?
  /// Without the `#`.
  package var fragment: String?

  package init(
    scheme: String, userinfo: String? = nil, host: String, port: Int? = nil, path: String, query: String? = nil,
    fragment: String? = nil
  ) {
    self.scheme = scheme
    self.userinfo = userinfo
    self.host = host
    self.port = port
    self.path = path
    self.query = query
    self.fragment = fragment
  }

  package var isSecure: Bool { scheme == "https" }
  package var effectivePort: Int { port ?? (isSecure ? 443 : 80) }
  package var isIPv6Literal: Bool { host.contains(byte: UInt8(ascii: ":")) }
  package var bracketedHost: String { bracketed(host) }
  /// `host:port`, with the port even if it is the scheme's default.
  package var hostAndPort: String { Values.hostAndPort(host, effectivePort) }

  /// `host` or `host:port`, as in the Host header.
  package var authority: String {
    guard let port, port != (isSecure ? 443 : 80) else { return bracketedHost }
    return bracketedHost + ":" + String(port)
  }

  /// `path?query`, at least `/` (RFC 9112, section 3.2.1).
  package var originForm: String {
    let path = path.isEmpty ? "/" : path
    guard let query else { return path }
    return path + "?" + query
  }

  /// The URL without userinfo and fragment, as sent and shown.
  package var string: String {
    // In one allocation: it is made several times for each request, and appending is slow for such short texts. The
    // capacity has room for brackets, a colon and any port, `://`, `/` and `?`.
    let capacity = scheme.utf8.count + host.utf8.count + path.utf8.count + (query?.utf8.count ?? 0) + 28
    return String(unsafeUninitializedCapacity: capacity) { buffer in
      var end = 0
      func append(_ byte: UInt8) {
        buffer[end] = byte
        end += 1
      }
      func append(_ text: String) {
        for byte in text.utf8 { append(byte) }
      }
      append(scheme)
      append("://")
      append(bracketedHost)
      if let port, port != (isSecure ? 443 : 80) {
        append(UInt8(ascii: ":"))
        append(String(port))
      }
      if path.isEmpty { append(slash) } else { append(path) }
      if let query {
        append(questionMark)
        append(query)
      }
      return end
    }
  }

  /// Returns whether scheme, host and port are the same.
  package func hasSameOrigin(as other: HTTPURL) -> Bool {
    scheme == other.scheme && host == other.host && effectivePort == other.effectivePort
  }
}

/// A host in its form before a port: an IPv6 address in brackets.
package func bracketed(_ host: String) -> String { host.contains(byte: UInt8(ascii: ":")) ? "[\(host)]" : host }

package func hostAndPort(_ host: String, _ port: Int) -> String { bracketed(host) + ":" + String(port) }

/// The parts of a text that ``hostAndPort(_:_:)`` makes; nil for any other.
package func splitHostAndPort(_ text: String) -> (host: String, port: Int)? {
  guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]) else { return nil }
  let host = String(text[..<colon].drop { $0 == "[" }.prefix { $0 != "]" })
  return hostAndPort(host, port) == text ? (host, port) : nil
}
