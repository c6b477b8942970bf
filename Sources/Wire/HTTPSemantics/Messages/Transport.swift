import Values

/// Performs exactly one exchange: one request out, one response in. No redirects, cookies, credentials or retries.
package protocol Transport: Sendable {
  /// Sends the request and feeds the response to the sink as it arrives.
  ///
  /// - Returns: the summary of the complete exchange. Cancelling the task ends the exchange immediately.
  func exchange(_ request: WireRequest, into sink: any ResponseSink) async throws(TransportError) -> ExchangeSummary
}

/// A request in its final form: everything decided, encoded and checked.
package struct WireRequest: Sendable {
  package var method: HTTPMethod
  package var url: HTTPURL
  /// The request target, if it isn't the URL's path and query, such as `*`.
  package var requestTarget: String?
  /// Headers in the order and letter case to be sent; `Host` only if it differs from the URL's.
  package var headers: HeaderFields
  package var body: RequestBody
  package var limits: ExchangeLimits
  package var options: ConnectionOptions
  /// Indicates whether the summary should contain the head as it was sent.
  package var keepsSentHead = false

  package init(
    method: HTTPMethod, url: HTTPURL, requestTarget: String? = nil, headers: HeaderFields = HeaderFields(),
    body: RequestBody = .none, limits: ExchangeLimits = ExchangeLimits(),
    options: ConnectionOptions = ConnectionOptions()
  ) {
    self.method = method
    self.url = url
    self.requestTarget = requestTarget
    self.headers = headers
    self.body = body
    self.limits = limits
    self.options = options
  }
}

/// The limits of one exchange in time and size; nil means no limit.
package struct ExchangeLimits: Sendable {
  /// The time from the start until the connection is established, TLS included.
  package var connect: Duration?
  /// The longest gap between two packets of the response, and before its first.
  package var idle: Duration?
  /// The whole exchange.
  package var total: Duration?
  /// The limit in decoded bytes of the body.
  package var maxBodyBytes: Int64?

  package init(
    connect: Duration? = nil, idle: Duration? = nil, total: Duration? = nil, maxBodyBytes: Int64? = nil
  ) {
    self.connect = connect
    self.idle = idle
    self.total = total
    self.maxBodyBytes = maxBodyBytes
  }
}

/// Receives a response as it arrives. Calls are serial, on the transport's own thread: they must return quickly.
package protocol ResponseSink: Sendable {
  /// An informational (1xx) head.
  func receive(informational head: ResponseHead)
  /// The final head.
  func receive(head: ResponseHead) -> SinkDecision
  /// A piece of the decoded body.
  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision
  /// The trailer fields, if the transport can show them.
  func receive(trailers: HeaderFields)
  /// The number of bytes of the request's body sent so far; it decreases when the body is sent again. Not all
  /// transports report all of it.
  func sent(bodyBytes: Int64)
  /// Discards everything received so far, since a safe request is sent again; false if the sink can't.
  func restart() -> Bool
}

extension ResponseSink {
  package func receive(informational head: ResponseHead) {}
  package func receive(trailers: HeaderFields) {}
  package func sent(bodyBytes: Int64) {}
  package func restart() -> Bool { false }
}

/// Indicates whether a sink wants more of the response.
package enum SinkDecision: Sendable {
  case more
  /// Ends the exchange here, without an error.
  case stop
}

/// The status line and header fields of a response.
package struct ResponseHead: Sendable, Hashable {
  package var status: Int
  package var reason: String
  /// `1.0`, `1.1`, `2`, `3`; empty if the transport doesn't report it.
  package var httpVersion: String
  /// Headers in the order received, with their letter case if the transport keeps it.
  package var headers: HeaderFields

  package init(status: Int, reason: String = "", httpVersion: String = "", headers: HeaderFields) {
    self.status = status
    self.reason = reason
    self.httpVersion = httpVersion
    self.headers = headers
  }
}

/// Facts about an exchange once it is over.
package struct ExchangeSummary: Sendable, Hashable {
  package var timings: ExchangeTimings
  /// `address:port` of the peer.
  package var remoteAddress: String?
  /// `address:port` of this end.
  package var localAddress: String?
  /// The server's certificates in PEM, its own first; nil if none were requested or the transport doesn't report them.
  package var certificateChain: [String]?
  /// The bytes of the body as received, before content decoding; nil if the transport doesn't report them.
  package var wireBodyBytes: Int64?
  /// The request's head as sent, all its lines; nil if it was not kept or the transport doesn't report it.
  package var sentHead: String?
  /// The bytes of the request's body that were sent; nil if the transport doesn't report them.
  package var sentBodyBytes: Int64?
  package var wasConnectionReused: Bool?
  /// The cache's part; nil without a cache.
  package var cache: CacheOutcome?

  package init(
    timings: ExchangeTimings = ExchangeTimings(), remoteAddress: String? = nil, wireBodyBytes: Int64? = nil,
    wasConnectionReused: Bool? = nil
  ) {
    self.timings = timings
    self.remoteAddress = remoteAddress
    self.wireBodyBytes = wireBodyBytes
    self.wasConnectionReused = wasConnectionReused
  }
}

/// The time from the start of an exchange to the end of each phase; nil if there was none or the transport doesn't
/// report it.
package struct ExchangeTimings: Sendable, Hashable {
  package var nameLookup: Duration?
  package var connect: Duration?
  package var tls: Duration?
  package var firstByte: Duration?
  package var total: Duration = .zero

  package init() {}
}
