import Digests
import HTTPMessages
import Values

/// What all answers of a URL are kept under: a hash of the URL, and of what decides which server is asked, and as whom.
struct CacheKey: Sendable, Hashable {
  /// In hexadecimal.
  let hash: String

  init(hash: String) {
    self.hash = hash
  }

  init(_ url: HTTPURL, _ options: ConnectionOptions) {
    // No field has a NUL in it.
    hash = hexEncoded(
      DigestAlgorithm.sha256.digest(of: ([url.string] + options.identity).joined(separator: "\0")))
  }
}

extension ConnectionOptions {
  /// Without limits, and without credentials: of what is authenticated by its connection nothing is kept.
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
