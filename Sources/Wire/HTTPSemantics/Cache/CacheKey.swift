import Cryptography
import Values

/// The key of all responses for a URL: a hash of the URL, and of the settings that decide which server is asked, and as
/// which user.
struct CacheKey: Sendable, Hashable {
  /// The hash in hexadecimal.
  let hash: String

  init(hash: String) {
    self.hash = hash
  }

  init(_ url: HTTPURL, _ options: ConnectionOptions) {
    // Fields never contain a NUL.
    hash = hexEncoded(
      DigestAlgorithm.sha256.digest(of: ([url.string] + options.identity).joined(separator: "\0")))
  }
}

extension ConnectionOptions {
  /// The options that select a server: no limits, and no credentials, since connection-based authentication is never
  /// cached.
  fileprivate var identity: [String] {
    [
      "coded \(decompresses)", "version \(httpVersion.rawValue)", "family \(addressFamily.rawValue)",
      "socket \(unixSocket ?? "")", "interface \(interface ?? "")",
    ] + tls.identity + (proxy?.identity ?? [])
      + addressOverrides.map { "resolve \(hostAndPort($0.host, $0.port)) \($0.addresses.joined(separator: ","))" }
      + connectTo.map { "connect \($0.host) \($0.port ?? 0) \($0.targetHost) \($0.targetPort ?? 0)" }
  }
}

extension TLSOptions {
  fileprivate var identity: [String] {
    [
      "verified \(verifies)", "ca \(certificateAuthorities ?? "")", "client \(client?.certificate ?? "")",
      "tls \(minVersion?.rawValue ?? "") \(maxVersion?.rawValue ?? "")",
    ] + pinnedKeys.map { "pin \($0)" }
  }
}

extension Proxy {
  fileprivate var identity: [String] { ["proxy \(kind.rawValue) \(authority) \(tunnels)"] }
}
