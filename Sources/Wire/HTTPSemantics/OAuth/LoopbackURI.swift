import Values

/// A redirect URI of this machine (RFC 8252, section 7.3).
package struct LoopbackURI: Sendable, Hashable {
  /// The URI that reqrun comes back to without another one.
  package static let usual = LoopbackURI(host: "127.0.0.1", port: nil, rest: "/callback")

  /// `127.0.0.1`, `::1` or `localhost`.
  let host: String
  /// Nil for one that the system chooses.
  package let port: UInt16?
  /// The path as written.
  private let rest: String

  private init(host: String, port: UInt16?, rest: String) {
    self.host = host
    self.port = port
    self.rest = rest
  }

  /// Returns nil if a browser cannot come back to this process there.
  package init?(parsing text: String) {
    guard let url = try? HTTPURL(parsing: text), url.scheme == "http", url.userinfo == nil, url.query == nil,
      url.fragment == nil, ["127.0.0.1", "::1", "localhost"].contains(url.host), url.port != 0
    else { return nil }
    self.init(host: url.host, port: url.port.map { UInt16(clamping: $0) }, rest: url.path)
  }

  /// The path of the request that a browser comes back with.
  var path: String { rest.isEmpty ? "/" : rest }

  /// The URI with a port, as it is registered with a server.
  func text(port: UInt16) -> String {
    "http://\(host.contains(":") ? "[\(host)]" : host):\(port)\(rest)"
  }
}
