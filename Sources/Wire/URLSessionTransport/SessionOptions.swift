import HTTPSemantics

/// The options of a whole session: requests that differ in one of them need different sessions.
struct SessionOptions: Hashable, Sendable {
  private static let usualConnectionsPerHost = 256

  let maxConnectionsPerHost: Int
  let tls: TLSOptions
  let proxy: Proxy?
  /// NTLM and Negotiate authenticate a connection, which requests with other credentials must not use.
  let connectionAuthentication: ConnectionAuthentication?

  init(_ options: ConnectionOptions) {
    maxConnectionsPerHost = max(1, options.maxConnectionsPerHost ?? Self.usualConnectionsPerHost)
    tls = options.tls
    proxy = options.proxy
    connectionAuthentication = options.connectionAuthentication
  }
}
