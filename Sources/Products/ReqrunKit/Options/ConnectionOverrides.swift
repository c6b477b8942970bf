/// Connection options that win over the specs; nil and empty ones are left to the specs.
public struct ConnectionOverrides: Sendable, Hashable, Codable {
  /// Indicates whether server certificates aren't verified.
  public var insecure = false
  /// A PEM file of trusted issuers.
  public var cacert: String?
  /// The client certificate's file.
  public var cert: String?
  /// The passphrase of the client certificate's key.
  public var certPassphrase: String?
  /// The client key's file.
  public var key: String?
  /// A proxy's URL, or `none`.
  public var proxy: String?
  /// Hosts without a proxy, separated by commas.
  public var noProxy: String?
  /// Addresses of hosts, each as `host:port:address`.
  public var resolve: [String] = []
  /// Other targets, each as `host:port:other-host:other-port`.
  public var connectTo: [String] = []
  /// The path of a Unix domain socket.
  public var unixSocket: String?
  /// `4`, `6` or `any`.
  public var ipVersion: String?
  /// The version, as in specs.
  public var httpVersion: String?

  /// Creates overrides that change nothing.
  public init() {}
}
