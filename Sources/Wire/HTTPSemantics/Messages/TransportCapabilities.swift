import Values

/// Features that a request may need of a transport beyond a plain exchange.
package enum TransportFeature: String, Sendable, Hashable, CaseIterable {
  case bodyOnGet = "a body on GET or HEAD"
  case methodCase = "a standard method in lower case"
  case repeatedHeaders = "a header sent several times"
  case requestTarget = "a request target of its own"
  case ipv6Literal = "an IPv6 address in the URL"
  case rawBody = "the body without content decoding"
  case connectTimeout = "a connect timeout of its own"
  case requestBody = "a request body that survives a stale connection"
  case largeBody = "a body of more than 64 MiB from files"
  case subsecondTimeouts = "timeouts below a second"
  case responseDetails = "the response's HTTP version and address"
  case headerLines = "the lines of a response's header"
  case trailers = "the response's trailers"
  case transportHeaders = "its own Content-Length, Transfer-Encoding or Expect header"
  case serverTrust = "TLS settings of its own (verify, ca, pinned keys)"
  case tlsVersions = "a minimum or maximum TLS version"
  case clientCertificate = "a client certificate"
  case proxy = "a proxy of its own"
  case httpVersion = "a chosen HTTP version"
  case http3 = "HTTP/3"
  case httpsProxy = "a proxy over TLS"
  case ntlm = "NTLM"
  case negotiate = "Negotiate"
  case addressOverrides = "addresses of its own (resolve, connect_to)"
  case unixSocket = "a Unix domain socket"
  case interface = "a chosen network interface or address family"
  case rateLimits = "rate limits"
  case connectionAuthentication = "NTLM or Negotiate"
  case certificates = "the server's certificates"
  case upgrade = "WebSocket"
}

/// The two transports, by the values of `transport:`.
package enum TransportKind: String, Sendable, Hashable, CaseIterable {
  case urlsession
  case curl
}

/// The features of a transport on this platform, with the reasons for those that are missing.
package struct TransportCapabilities: Sendable {
  package let kind: TransportKind
  /// The reason why the transport isn't safe here: a malformed response can crash the process that reads it. Nil if it
  /// is safe.
  package let unsoundness: String?
  private let lacking: @Sendable () -> [TransportFeature: String]

  /// - Parameter unsupported: called when needed, since it may have to load a library.
  package init(
    kind: TransportKind, unsoundness: String?,
    unsupported: @autoclosure @escaping @Sendable () -> [TransportFeature: String]
  ) {
    self.kind = kind
    self.unsoundness = unsoundness
    lacking = unsupported
  }

  /// Missing features, each with the reason.
  package var unsupported: [TransportFeature: String] { lacking() }
}

extension TransportCapabilities {
  /// Returns the reason why the transport must not send this request: it would not be sent as it is. Nil if it can.
  package func refusal(of request: WireRequest) -> TransportError? {
    for feature in TransportFeature.allCases {
      if let reason = unsupported[feature], request.needs(feature) { return .unsupported(feature, reason) }
    }
    return nil
  }
}

extension WireRequest {
  /// The limit for bodies that are held in memory by a transport that cannot read them while it sends.
  package static let heldBodyLimit: Int64 = 64 << 20

  fileprivate func needs(_ feature: TransportFeature) -> Bool {
    switch feature {
    case .bodyOnGet: !body.isEmpty && (method == .get || method == .head)
    case .methodCase: method.isMiscased
    case .repeatedHeaders:
      headers.fields.indices.contains { index in
        headers.fields[..<index].contains { equalsIgnoringCase($0.name, headers.fields[index].name) }
      }
    case .requestTarget: requestTarget != nil
    case .ipv6Literal: url.isIPv6Literal
    case .rawBody: !options.decompresses
    case .connectTimeout: limits.connect != nil
    case .requestBody: !body.isEmpty
    case .largeBody:
      if case .bytes = body { false } else { body.length.map { $0 > WireRequest.heldBodyLimit } ?? false }
    case .subsecondTimeouts:
      [limits.connect, limits.idle, limits.total].contains { $0.map { $0 < .seconds(1) } ?? false }
    // Needed for the response, by assertions and captures.
    case .responseDetails, .headerLines, .trailers: false
    case .serverTrust:
      !options.tls.verifies || options.tls.certificateAuthorities != nil || !options.tls.pinnedKeys.isEmpty
    case .tlsVersions: options.tls.minVersion != nil || options.tls.maxVersion != nil
    case .clientCertificate: options.tls.client != nil
    case .proxy: options.proxy != nil
    case .httpVersion: options.httpVersion != .automatic
    case .http3: options.httpVersion == .http3 || options.httpVersion == .http3Only
    case .httpsProxy: options.proxy?.kind == .https
    case .ntlm:
      if case .ntlm? = options.connectionAuthentication { true } else { options.proxy?.authentication == .ntlm }
    case .negotiate:
      options.connectionAuthentication == .negotiate || options.proxy?.authentication == .negotiate
    case .addressOverrides: !options.addressOverrides.isEmpty || !options.connectTo.isEmpty
    case .unixSocket: options.unixSocket != nil
    case .interface: options.interface != nil || options.addressFamily != .any
    case .rateLimits: options.maxReceiveRate != nil || options.maxSendRate != nil
    case .connectionAuthentication: options.connectionAuthentication != nil
    case .certificates: options.wantsCertificates
    case .upgrade: body.isUpgrade
    case .transportHeaders:
      ["Content-Length", "Transfer-Encoding", "Expect"].contains { name in
        // No feature: any transport can send these.
        headers.contains(name)
          && !(name == "Content-Length" && body.length.map { $0 > 0 && headers.values(name) == [String($0)] } ?? false)
      }
    }
  }
}
