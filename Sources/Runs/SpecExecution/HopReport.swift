import HTTPMessages
import URLs
import Values

/// The start of a hop: one request of an exchange goes out.
package struct HopStart: Sendable {
  package let step: StepID
  /// The number of the attempt, 1-based.
  package let attempt: Int
  /// The number of the hop in its attempt, 1-based.
  package let number: Int
  package let time: Timestamp

  package init(step: StepID, attempt: Int, number: Int, time: Timestamp) {
    self.step = step
    self.attempt = attempt
    self.number = number
    self.time = time
  }
}

/// One request as it was sent, and its response: redirects and challenges have hops of their own.
package struct HopReport: Sendable {
  package let step: StepID
  /// The number of the attempt, 1-based.
  package let attempt: Int
  /// The number of the hop in its attempt, 1-based.
  package let number: Int
  package let start: Timestamp
  package let request: SentRequest
  /// Nil where none came.
  package let response: ReceivedResponse?
  /// Nil where the transport doesn't say.
  package let timings: ExchangeTimings?
  package let remoteAddress: String?
  package let localAddress: String?
  /// Nil without a cache.
  package let cache: CacheOutcome?
  /// Why credentials did not help.
  package let note: String?

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
  /// Host, and port if it is not the usual one.
  package var authority: String
  /// As the request line has it: path and query.
  package var target: String
  /// As the request line has it, such as `HTTP/1.1`; nil where the transport doesn't say.
  package var httpVersion: String?
  /// The proxy's URL.
  package var proxy: String?
  package var headers: [(name: String, value: String)]
  /// Nil where nothing was sent, or no reporter needs bodies.
  package var body: BodyReference?

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
  package let status: Int
  package let reason: String
  /// `1.0`, `1.1`, `2`, `3`; empty where the transport doesn't say.
  package let httpVersion: String
  package let headers: [(name: String, value: String)]
  /// Nil where another hop follows, whose response has the body.
  package let body: BodyReference?

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

/// A body by reference, in memory or in a file: it is read, and its secrets are masked, when a report asks for it.
package struct BodyReference: Sendable {
  /// In bytes, after content decoding; nil where that is not known.
  package let size: Int64?
  /// In bytes as they came over the wire; nil where the transport doesn't say.
  package let wireSize: Int64?
  private let readBeginning: @Sendable () -> String?
  private let readBytes: @Sendable () -> [UInt8]?

  package init(
    size: Int64?, wireSize: Int64? = nil, beginning: @escaping @Sendable () -> String? = { nil },
    bytes: @escaping @Sendable () -> [UInt8]? = { nil }
  ) {
    self.size = size
    self.wireSize = wireSize
    readBeginning = beginning
    readBytes = bytes
  }

  /// Returns the beginning as text for people, or how large it is if it is no text; nil where there is nothing to show.
  package func beginning() -> String? { readBeginning() }

  /// Returns the whole body; nil where it was not kept.
  package func bytes() -> [UInt8]? { readBytes() }
}
