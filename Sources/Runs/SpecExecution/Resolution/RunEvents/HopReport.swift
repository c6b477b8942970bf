import HTTPSemantics
import Values

/// The start of a hop: one request of an exchange is sent.
package struct HopStart: Sendable {
  package var step: StepID
  /// The number of the attempt, counted from 1.
  package var attempt: Int
  /// The number of the hop in its attempt, counted from 1.
  package var number: Int
  package var time: Timestamp

  package init(step: StepID, attempt: Int, number: Int, time: Timestamp) {
    self.step = step
    self.attempt = attempt
    self.number = number
    self.time = time
  }
}

/// One request as it was sent, and its response: redirects and challenges are separate hops.
package struct HopReport: Sendable {
  package var step: StepID
  /// The number of the attempt, counted from 1.
  package var attempt: Int
  /// The number of the hop in its attempt, counted from 1.
  package var number: Int
  package var start: Timestamp
  package var request: SentRequest
  /// The response; nil if there was none.
  package var response: ReceivedResponse?
  /// The timings; nil if the transport doesn't report them.
  package var timings: ExchangeTimings?
  package var remoteAddress: String?
  package var localAddress: String?
  /// The cache's part; nil without a cache.
  package var cache: CacheOutcome?
  /// The reason why credentials did not help.
  package var note: String?
  /// Indicates whether it is one of several requests of a transfer, and its response not that of the step.
  package var isPart = false
  /// The reason why such a request has no response, or not all of it.
  package var problem: String?
  /// The number of hops before it that are left out, since there are very many.
  package var leftOut = 0

  package init(
    step: StepID, attempt: Int, number: Int, start: Timestamp, request: SentRequest, response: ReceivedResponse?,
    timings: ExchangeTimings?, remoteAddress: String?, localAddress: String?, cache: CacheOutcome?, note: String?
  ) {
    self.step = step
    self.attempt = attempt
    self.number = number
    self.start = start
    self.request = request
    self.response = response
    self.timings = timings
    self.remoteAddress = remoteAddress
    self.localAddress = localAddress
    self.cache = cache
    self.note = note
  }
}

/// The request of a hop.
package struct SentRequest: Sendable {
  package var method: String
  package var scheme: String
  /// The host, and the port if it isn't the default.
  package var authority: String
  /// The request target: path and query.
  package var target: String
  /// The version in the request line, such as `HTTP/1.1`; nil if the transport doesn't report it.
  package var httpVersion: String?
  /// The proxy's URL.
  package var proxy: String?
  package var headers: [(name: String, value: String)]
  /// The body; nil if nothing was sent, or no reporter needs bodies.
  package var body: BodyReference?
  /// The size of request line and headers in bytes; nil if the transport doesn't report it.
  package var headSize: Int?
  /// The cookies, without their values.
  package var cookies: [HopCookie] = []

  package init(
    method: String, scheme: String, authority: String, target: String, httpVersion: String?, proxy: String?,
    headers: [(name: String, value: String)], body: BodyReference? = nil
  ) {
    self.method = method
    self.scheme = scheme
    self.authority = authority
    self.target = target
    self.httpVersion = httpVersion
    self.proxy = proxy
    self.headers = headers
    self.body = body
  }

  package var url: String { "\(scheme)://\(authority)" + (target.hasPrefix("/") ? target : "/") }
}

/// The response of a hop.
package struct ReceivedResponse: Sendable {
  package var status: Int
  package var reason: String
  /// `1.0`, `1.1`, `2`, `3`; empty if the transport doesn't report it.
  package var httpVersion: String
  package var headers: [(name: String, value: String)]
  /// The fields behind the body.
  package var trailers: [(name: String, value: String)] = []
  /// The body; nil if another hop follows, whose response has the body.
  package var body: BodyReference?
  /// The messages of a WebSocket, those that were sent and those that were received.
  package var messages: [ReportedMessage] = []
  /// The number of messages after them, which are left out.
  package var moreMessages = 0
  /// The size of status line and headers in bytes; nil if the version of HTTP compresses them, or isn't known.
  package var headSize: Int?
  /// The size of the body as received; nil if the transport doesn't report it.
  package var bodySize: Int64?
  /// The cookies that it sets, without their values.
  package var cookies: [HopCookie] = []

  package init(
    status: Int, reason: String, httpVersion: String, headers: [(name: String, value: String)], body: BodyReference?
  ) {
    self.status = status
    self.reason = reason
    self.httpVersion = httpVersion
    self.headers = headers
    self.body = body
  }
}

/// A cookie that was sent or set, without its value; all text is masked.
package struct HopCookie: Sendable, Hashable {
  package var name: String
  package var path: String?
  package var domain: String?
  package var expires: Timestamp?
  package var isHTTPOnly = false
  package var isSecure = false

  package init(name: String) { self.name = name }
}
