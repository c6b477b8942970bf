import Values

package struct ConnectionOptions: Sendable, Hashable {
  package var maxConnectionsPerHost: Int?
  /// Indicates whether to request and decode content codings (gzip, br, …).
  package var decompresses = true
  /// Indicates whether to receive in larger pieces, which takes more memory.
  package var expectsLargeBody = false
  package var httpVersion = HTTPVersionChoice.automatic
  package var tls = TLSOptions()
  /// The proxy; nil connects directly, whatever the environment says.
  package var proxy: Proxy?
  /// Addresses that replace those of the name service (curl's `resolve`).
  package var addressOverrides: [AddressOverride] = []
  /// Other hosts to connect to, while the URL, `Host` and the TLS name stay (curl's `connect-to`).
  package var connectTo: [ConnectTo] = []
  /// The path of a Unix domain socket to connect to instead of the host; `@…` is Linux's abstract name.
  package var unixSocket: String?
  /// The name of a network interface, an address or a host to send from.
  package var interface: String?
  package var addressFamily = AddressFamily.any
  /// The limit in bytes per second.
  package var maxReceiveRate: Int64?
  /// The limit in bytes per second.
  package var maxSendRate: Int64?
  /// Authentication that belongs to the connection, not to one exchange.
  package var connectionAuthentication: ConnectionAuthentication?
  /// Indicates whether the summary should contain the server's certificates.
  package var wantsCertificates = false

  package init() {}

  /// Indicates whether all options have their defaults.
  package var isPlain: Bool {
    guard case .automatic = httpVersion, case .any = addressFamily, case nil = proxy, case nil = unixSocket,
      case nil = interface, case nil = maxReceiveRate, case nil = connectionAuthentication
    else { return false }
    return addressOverrides.isEmpty && connectTo.isEmpty && tls.isPlain
  }
}

/// The values of `http_version`, as in curl.
package enum HTTPVersionChoice: String, Sendable, Hashable, CaseIterable {
  /// HTTP/2 over TLS if the server supports it, else HTTP/1.1.
  case automatic = "auto"
  case http10 = "1.0"
  case http11 = "1.1"
  /// HTTP/2 if the server supports it, without TLS too.
  case http2 = "2"
  /// HTTP/2 from the first byte.
  case http2PriorKnowledge = "2_prior_knowledge"
  /// HTTP/3 if the server supports it.
  case http3 = "3"
  /// HTTP/3 or nothing.
  case http3Only = "3_only"
}

package enum AddressFamily: String, Sendable, Hashable, CaseIterable {
  case any, ipv4, ipv6
}

/// Options of TLS; all paths are absolute.
package struct TLSOptions: Sendable, Hashable {
  /// Indicates whether the server's certificate and host name are checked.
  package var verifies = true
  /// A PEM file of trusted issuers, instead of the system's.
  package var certificateAuthorities: String?
  package var client: ClientCertificate?
  package var minVersion: TLSVersion?
  package var maxVersion: TLSVersion?
  /// SHA-256 of public keys (DER of SubjectPublicKeyInfo) in base64; one must match if there are any.
  package var pinnedKeys: [String] = []

  package init() {}

  fileprivate var isPlain: Bool {
    guard verifies, case nil = certificateAuthorities, case nil = client, case nil = minVersion, case nil = maxVersion
    else { return false }
    return pinnedKeys.isEmpty
  }
}

package enum TLSVersion: String, Sendable, Hashable, CaseIterable, Comparable {
  case tls10 = "1.0"
  case tls11 = "1.1"
  case tls12 = "1.2"
  case tls13 = "1.3"

  package static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.rawValue < right.rawValue }
}

/// A client's certificate and key, in files.
package struct ClientCertificate: Sendable, Hashable {
  package enum Format: String, Sendable, Hashable, CaseIterable {
    case pem, der, p12
  }

  package var certificate: String
  /// The file of the key; nil if the certificate's file contains it.
  package var key: String?
  package var passphrase: String?
  package var format: Format

  package init(certificate: String, key: String? = nil, passphrase: String? = nil, format: Format = .pem) {
    self.certificate = certificate
    self.key = key
    self.passphrase = passphrase
    self.format = format
  }
}

/// A proxy to send through.
package struct Proxy: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case http, https, socks4, socks4a, socks5
    /// SOCKS5 with the host name resolved by the proxy.
    case socks5h
  }

  package enum Authentication: String, Sendable, Hashable, CaseIterable {
    case basic, digest, ntlm, negotiate
  }

  package var kind: Kind
  /// The host without brackets.
  package var host: String
  package var port: Int
  package var username: String?
  package var password: String?
  package var authentication: Authentication
  /// Indicates whether plain HTTP goes through a `CONNECT` tunnel too.
  package var tunnels: Bool

  package init(
    kind: Kind, host: String, port: Int, username: String? = nil, password: String? = nil,
    authentication: Authentication = .basic, tunnels: Bool = false
  ) {
    self.kind = kind
    self.host = host
    self.port = port
    self.username = username
    self.password = password
    self.authentication = authentication
    self.tunnels = tunnels
  }

  /// `host:port`, without credentials.
  package var authority: String { hostAndPort(host, port) }
}

/// `host:port:address,…`: the addresses of a host and port.
package struct AddressOverride: Sendable, Hashable {
  /// The host; `*` matches any, and an IPv6 address has no brackets.
  package var host: String
  package var port: Int
  /// Addresses without brackets.
  package var addresses: [String]

  package init(host: String, port: Int, addresses: [String]) {
    self.host = host
    self.port = port
    self.addresses = addresses
  }
}

/// `host:port:other host:other port`, hosts without brackets; empty or nil parts match anything and change nothing.
package struct ConnectTo: Sendable, Hashable {
  package var host: String
  package var port: Int?
  package var targetHost: String
  package var targetPort: Int?

  package init(host: String, port: Int?, targetHost: String, targetPort: Int?) {
    self.host = host
    self.port = port
    self.targetHost = targetHost
    self.targetPort = targetPort
  }
}

/// Authentication by schemes whose handshake holds for one connection (RFC 4559, NTLM).
package enum ConnectionAuthentication: Sendable, Hashable {
  case ntlm(username: String, password: String)
  /// The user's existing tickets.
  case negotiate
}

/// Keeps secrets out of logs that print values by reflection.
extension ConnectionAuthentication: CustomStringConvertible, CustomReflectable {
  package var description: String {
    switch self {
    case .ntlm: "NTLM credentials"
    case .negotiate: "Negotiate"
    }
  }

  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Proxy: CustomStringConvertible, CustomReflectable {
  package var description: String { "\(kind.rawValue)://\(authority)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension ClientCertificate: CustomStringConvertible, CustomReflectable {
  package var description: String { certificate }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
