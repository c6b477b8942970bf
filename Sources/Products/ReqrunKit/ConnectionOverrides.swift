/// How connections are made, whatever the specs say; what is nil or empty is left to them.
public struct ConnectionOverrides: Sendable {
  /// Leaves the certificates of servers unchecked.
  public var insecure = false
  /// A PEM file of the issuers to trust.
  public var cacert: String?
  /// The client certificate's file.
  public var cert: String?
  /// What the client certificate's key is encrypted with.
  public var certPassphrase: String?
  /// The client key's file.
  public var key: String?
  /// A proxy's URL, or `none`.
  public var proxy: String?
  /// Hosts without a proxy, with commas between.
  public var noProxy: String?
  /// Each `host:port:address`.
  public var resolve: [String] = []
  /// Each `host:port:other-host:other-port`.
  public var connectTo: [String] = []
  /// The path of a Unix domain socket.
  public var unixSocket: String?
  /// `4`, `6` or `any`.
  public var ipVersion: String?
  /// As in specs.
  public var httpVersion: String?

  /// Nothing that differs from the specs.
  public init() {}
}
