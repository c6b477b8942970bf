/// Does exactly one exchange: one request out, one answer in. No redirects, cookies, credentials or retries.
package protocol Transport: Sendable {
  /// Sends the request and feeds the answer to the sink as it comes.
  ///
  /// - Returns: what is known when the answer is complete. Cancelling the task ends the exchange at once.
  func exchange(_ request: WireRequest, into sink: any ResponseSink) async throws(TransportError) -> ExchangeSummary
}

/// A request as it goes onto the wire: everything decided, encoded and checked.
package struct WireRequest: Sendable {
  package var method: HTTPMethod
  package var url: HTTPURL
  /// What stands in the request line instead of the URL's path and query, such as `*`.
  package var requestTarget: String?
  /// In the order and letter case to be sent; `Host` only where it differs from the URL's.
  package var headers: HeaderFields
  package var body: RequestBody
  package var limits: ExchangeLimits
  package var options: ConnectionOptions
  /// Whether the summary is to have the head as it was sent.
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

/// How long and how large one exchange may be; nil is without limit.
package struct ExchangeLimits: Sendable {
  /// From the start until the connection (TLS included) stands.
  package var connect: Duration?
  /// The longest gap between two packets of the answer, and before its first.
  package var idle: Duration?
  /// The whole exchange.
  package var total: Duration?
  /// Decoded bytes of the body.
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

/// What takes an answer as it comes. Calls come one after another, from the transport's own thread: take little time.
package protocol ResponseSink: Sendable {
  /// An informational (1xx) head.
  func receive(informational head: ResponseHead)
  /// The final head.
  func receive(head: ResponseHead) -> SinkDecision
  /// A piece of the decoded body.
  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision
  /// The trailer fields, where the transport can show them.
  func receive(trailers: HeaderFields)
  /// How much of the request's body has gone out, from its start; less than before where it is sent anew. Not all
  /// transports tell all of it.
  func sent(bodyBytes: Int64)
  /// Forgets what came so far, since a safe request is sent anew; false if the sink can't.
  func restart() -> Bool
}

extension ResponseSink {
  package func receive(informational head: ResponseHead) {}
  package func receive(trailers: HeaderFields) {}
  package func sent(bodyBytes: Int64) {}
  package func restart() -> Bool { false }
}

/// Whether a sink wants more of the answer.
package enum SinkDecision: Sendable {
  case more
  /// Enough: the exchange ends here, without an error.
  case stop
}

/// The status line and header fields of an answer.
package struct ResponseHead: Sendable, Hashable {
  package var status: Int
  package var reason: String
  /// `1.0`, `1.1`, `2`, `3`; empty where the transport doesn't say.
  package var httpVersion: String
  /// In the order received, letter case kept where the transport keeps it.
  package var headers: HeaderFields

  package init(status: Int, reason: String = "", httpVersion: String = "", headers: HeaderFields) {
    self.status = status
    self.reason = reason
    self.httpVersion = httpVersion
    self.headers = headers
  }
}

/// What is known of an exchange once it is over.
package struct ExchangeSummary: Sendable, Hashable {
  package var timings: ExchangeTimings
  /// `address:port` of the peer.
  package var remoteAddress: String?
  /// `address:port` of this end.
  package var localAddress: String?
  /// The server's certificates in PEM, its own first; nil where none were wanted or the transport doesn't say.
  package var certificateChain: [String]?
  /// Body bytes as they came over the wire, before content decoding; nil where the transport doesn't say.
  package var wireBodyBytes: Int64?
  /// The request's head as it went out, all its lines; nil where it was not kept or the transport doesn't say.
  package var sentHead: String?
  /// Bytes of the request's body that have gone out; nil where the transport doesn't say.
  package var sentBodyBytes: Int64?
  package var wasConnectionReused: Bool?
  /// Nil where there is no cache.
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

/// When each phase of an exchange was over, from its start; nil where there was none or the transport doesn't say.
package struct ExchangeTimings: Sendable, Hashable {
  package var nameLookup: Duration?
  package var connect: Duration?
  package var tls: Duration?
  package var firstByte: Duration?
  package var total: Duration = .zero

  package init() {}
}
