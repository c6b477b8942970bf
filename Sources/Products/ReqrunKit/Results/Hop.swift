import HTTPSemantics
import SpecExecution

/// One request as it was sent, and its response. Redirects and challenges are separate hops. All text is masked.
public struct Hop: Sendable {
  /// A reference to a body in memory or in a file, which is kept as long as the reference and read on demand.
  public struct Body: Sendable {
    let reference: BodyReference

    /// The size in bytes, after content decoding; nil if it is unknown.
    public var size: Int64? { reference.size }
    /// The size in bytes as received; nil if the transport doesn't report it.
    public var wireSize: Int64? { reference.wireSize }
    /// Returns the whole body; nil if it was not kept, such as that of a download.
    public func bytes() -> [UInt8]? { reference.bytes() }
  }

  /// The request as it was sent.
  public struct Request: Sendable {
    /// The method.
    public let method: String
    /// The URL.
    public let url: String
    /// Path and query, as in the request line.
    public let target: String
    /// The version, such as `HTTP/1.1`; nil if the transport doesn't report it.
    public let httpVersion: String?
    /// The URL of the proxy; nil without one.
    public let proxy: String?
    /// The headers in the order in which they were sent.
    public let headers: [(name: String, value: String)]
    /// The body; nil if nothing was sent, or bodies are not needed.
    public let body: Body?
  }

  /// The response as it was received.
  public struct Response: Sendable {
    /// The status code.
    public let status: Int
    /// The reason phrase; may be empty.
    public let reason: String
    /// `1.0`, `1.1`, `2`, `3`; empty if the transport doesn't report it.
    public let httpVersion: String
    /// The headers in the order in which they were received.
    public let headers: [(name: String, value: String)]
    /// The body; nil if another hop follows.
    public let body: Body?
  }

  /// The time from the start of a hop to the end of each phase; nil if there was none or the transport doesn't report
  /// it.
  public struct Timings: Sendable {
    /// The time until the host name was resolved.
    public let nameLookup: Duration?
    /// The time until the connection was made.
    public let connect: Duration?
    /// The time until the TLS handshake was complete.
    public let tls: Duration?
    /// The time until the first byte of the response.
    public let firstByte: Duration?
    /// The time until the end of the response.
    public let total: Duration
  }

  /// The request that the hop belongs to.
  public let requestID: RequestResult.ID
  /// The number of the attempt, counted from 1.
  public let attempt: Int
  /// The number of the hop in its attempt, counted from 1.
  public let number: Int
  /// The time since 1970.
  public let start: Duration
  /// Indicates whether it is one of several requests of a transfer, and its response not that of the request's result.
  public let isPart: Bool
  /// The request.
  public let request: Request
  /// The response; nil if there was none.
  public let response: Response?
  /// The timings; nil if the transport doesn't report them.
  public let timings: Timings?
  /// The peer's `address:port`.
  public let remoteAddress: String?
  /// The `address:port` of this end.
  public let localAddress: String?

  init(_ hop: HopReport) {
    requestID = RequestResult.ID(step: hop.step)
    attempt = hop.attempt
    number = hop.number
    start = hop.start.sinceEpoch
    isPart = hop.isPart
    let sent = hop.request
    request = Request(
      method: sent.method, url: sent.url, target: sent.target, httpVersion: sent.httpVersion, proxy: sent.proxy,
      headers: sent.headers, body: sent.body.map { Body(reference: $0) })
    response = hop.response.map {
      Response(
        status: $0.status, reason: $0.reason, httpVersion: $0.httpVersion, headers: $0.headers,
        body: $0.body.map { Body(reference: $0) })
    }
    timings = hop.timings.map {
      Timings(
        nameLookup: $0.nameLookup, connect: $0.connect, tls: $0.tls, firstByte: $0.firstByte, total: $0.total)
    }
    remoteAddress = hop.remoteAddress
    localAddress = hop.localAddress
  }
}
