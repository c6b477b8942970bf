/// An http or https URL whose path and query stay as written.
///
/// Made by ``HTTPURL/init(parsing:)``; what a wire cannot carry is refused or encoded there, once.
package struct HTTPURL: Sendable, Hashable {
  /// `http` or `https`.
  package var scheme: String
  /// `user:password`, still percent-encoded.
  package var userinfo: String?
  /// In lower case and ASCII; an IPv6 literal without its brackets.
  package var host: String
  /// As written; nil stands for the scheme's own.
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
  /// `host:port`, the port also where it is the scheme's own.
  package var hostAndPort: String { HTTPMessages.hostAndPort(host, effectivePort) }

  /// `host` or `host:port`, as the Host header has it.
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

  /// The URL without userinfo and fragment, as it is sent and shown.
  package var string: String {
    // In one piece: it is made several times for each request, and to append is slow for texts as short as these.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(scheme.utf8.count + host.utf8.count + path.utf8.count + (query?.utf8.count ?? 0) + 14)
    bytes += scheme.utf8
    bytes += "://".utf8
    bytes += bracketedHost.utf8
    if let port, port != (isSecure ? 443 : 80) {
      bytes.append(UInt8(ascii: ":"))
      bytes += String(port).utf8
    }
    if path.isEmpty { bytes.append(slash) } else { bytes += path.utf8 }
    if let query {
      bytes.append(questionMark)
      bytes += query.utf8
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Same scheme, host and port.
  package func hasSameOrigin(as other: HTTPURL) -> Bool {
    scheme == other.scheme && host == other.host && effectivePort == other.effectivePort
  }
}

/// A host as it stands before a port: an IPv6 address in brackets.
package func bracketed(_ host: String) -> String { host.contains(byte: UInt8(ascii: ":")) ? "[\(host)]" : host }

package func hostAndPort(_ host: String, _ port: Int) -> String { bracketed(host) + ":" + String(port) }
