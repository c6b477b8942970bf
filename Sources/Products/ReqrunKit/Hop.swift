import HTTPMessages
import SpecExecution

/// One request as it was sent, and its response. Redirects and challenges have hops of their own. All text is masked.
public struct Hop: Sendable {
  /// A body by reference: it is in memory or in a file as long as somebody has the reference, and read when asked for.
  public struct Body: Sendable {
    let reference: BodyReference

    /// In bytes, after content decoding; nil where that is not known.
    public var size: Int64? { reference.size }
    /// In bytes as they came over the wire; nil where the transport doesn't say.
    public var wireSize: Int64? { reference.wireSize }
    /// Returns the whole body; nil where it was not kept, such as that of a download.
    public func bytes() -> [UInt8]? { reference.bytes() }
  }

  public struct Request: Sendable {
    public let method: String
    public let url: String
    /// Path and query, as in the request line.
    public let target: String
    /// Such as `HTTP/1.1`; nil where the transport doesn't say.
    public let httpVersion: String?
    public let proxy: String?
    public let headers: [(name: String, value: String)]
    /// Nil where nothing was sent, or bodies are not needed.
    public let body: Body?
  }

  public struct Response: Sendable {
    public let status: Int
    public let reason: String
    /// `1.0`, `1.1`, `2`, `3`; empty where the transport doesn't say.
    public let httpVersion: String
    public let headers: [(name: String, value: String)]
    /// Nil where another hop follows.
    public let body: Body?
  }

  /// When each phase was over, from the start of the hop; nil where there was none or the transport doesn't say.
  public struct Timings: Sendable {
    public let nameLookup: Duration?
    public let connect: Duration?
    public let tls: Duration?
    public let firstByte: Duration?
    public let total: Duration
  }

  public let requestID: RequestResult.ID
  /// The number of the attempt, 1-based.
  public let attempt: Int
  /// The number of the hop in its attempt, 1-based.
  public let number: Int
  /// The time since 1970.
  public let start: Duration
  public let request: Request
  /// Nil where none came.
  public let response: Response?
  public let timings: Timings?
  public let remoteAddress: String?
  public let localAddress: String?

  init(_ hop: HopReport) {
    requestID = RequestResult.ID(step: hop.step)
    attempt = hop.attempt
    number = hop.number
    start = hop.start.sinceEpoch
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
