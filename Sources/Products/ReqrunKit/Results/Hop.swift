import HTTPSemantics
import SpecExecution

/// One request as it was sent, and its response. Redirects and challenges are separate hops. All text is masked.
public struct Hop: Sendable, Hashable, Codable {
  /// The body of a request or a response: a reference to memory or a file, which is kept as long as the reference and
  /// read on demand. Bodies are equal if their bytes are, and are encoded with them.
  public struct Body: Sendable {
    let reference: BodyReference

    init(_ reference: BodyReference) { self.reference = reference }

    /// Creates a body in memory.
    public init(_ bytes: [UInt8]) {
      self.init(BodyReference(size: Int64(bytes.count), bytes: { bytes }))
    }

    /// The number of ``bytes()``; of a body that was not kept, the size after content decoding, nil if it is unknown.
    ///
    /// It is less than that of the response, or more, if secrets in it are masked.
    public var size: Int64? { bytes().map { Int64($0.count) } ?? reference.size }
    /// The size in bytes as received; nil if the transport doesn't report it.
    public var wireSize: Int64? { reference.wireSize }
    /// Returns the whole body, its secrets masked; nil if it was not kept: without ``RunEvent/Needs/bodies``, or that
    /// of a download.
    public func bytes() -> [UInt8]? { reference.bytes() }
    /// The beginning of the body as text for people, or the size if it isn't text; nil if there is nothing to show.
    package func beginning() -> String? { reference.beginning() }
    /// The body as UTF-8, its secrets masked; nil if it was not kept.
    public var text: String? { bytes().map { String(decoding: $0, as: UTF8.self) } }
  }

  /// The request as it was sent.
  public struct Request: Sendable, Hashable, Codable {
    /// The method.
    public var method: String
    /// The URL.
    public var url: String
    /// Path and query, as in the request line.
    public var target: String
    /// The version, such as `HTTP/1.1`; nil if the transport doesn't report it.
    public var httpVersion: String?
    /// The URL of the proxy; nil without one.
    public var proxy: String?
    /// The headers in the order in which they were sent.
    public var headers: Headers
    /// The body; nil if nothing was sent, or bodies are not needed.
    public var body: Body?

    /// Creates a request, for tests of a reporter.
    public init(method: String = "GET", url: String, target: String = "/", headers: Headers = [:], body: Body? = nil) {
      (self.method, self.url, self.target, self.headers, self.body) = (method, url, target, headers, body)
    }
  }

  /// The response as it was received.
  public struct Response: Sendable, Hashable, Codable {
    /// The status code.
    public var status: Int
    /// The reason phrase; may be empty.
    public var reason = ""
    /// `1.0`, `1.1`, `2`, `3`; empty if the transport doesn't report it.
    public var httpVersion = ""
    /// The headers in the order in which they were received.
    public var headers: Headers
    /// The fields behind the body.
    public var trailers: Headers = [:]
    /// The body; nil if another hop follows.
    public var body: Body?

    /// Creates a response, for tests of a reporter.
    public init(status: Int, headers: Headers = [:], body: Body? = nil) {
      (self.status, self.headers, self.body) = (status, headers, body)
    }
  }

  /// The time from the start of a hop to the end of each phase; nil if there was none or the transport doesn't report
  /// it.
  public struct Timings: Sendable, Hashable, Codable {
    /// The time until the host name was resolved.
    public var nameLookup: Duration?
    /// The time until the connection was made.
    public var connect: Duration?
    /// The time until the TLS handshake was complete.
    public var tls: Duration?
    /// The time until the first byte of the response.
    public var firstByte: Duration?
    /// The time until the end of the response.
    public var total: Duration

    /// Creates timings, for tests of a reporter.
    public init(total: Duration) { self.total = total }
  }

  /// The request that the hop belongs to.
  public var requestID: RequestResult.ID
  /// The number of the attempt, counted from 1.
  public var attempt = 1
  /// The number of the hop in its attempt, counted from 1.
  public var number = 1
  /// The time since 1970.
  public var start = Duration.zero
  /// Indicates whether it is one of several requests of a transfer, and its response not that of the request's result.
  public var isPart = false
  /// The request.
  public var request: Request
  /// The response; nil if there was none.
  public var response: Response?
  /// The timings; nil if the transport doesn't report them.
  public var timings: Timings?
  /// The peer's `address:port`.
  public var remoteAddress: String?
  /// The `address:port` of this end.
  public var localAddress: String?

  /// Creates a hop, for tests of a reporter.
  public init(of requestID: RequestResult.ID, _ request: Request, _ response: Response?) {
    (self.requestID, self.request, self.response) = (requestID, request, response)
  }

  init(_ hop: HopReport) {
    requestID = RequestResult.ID(hop.step)
    attempt = hop.attempt
    number = hop.number
    start = hop.start.sinceEpoch
    isPart = hop.isPart
    let sent = hop.request
    request = Request(
      method: sent.method, url: sent.url, target: sent.target, headers: Headers(sent.headers),
      body: sent.body.map { Body($0) })
    (request.httpVersion, request.proxy) = (sent.httpVersion, sent.proxy)
    response = hop.response.map {
      var response = Response(status: $0.status, headers: Headers($0.headers), body: $0.body.map { Body($0) })
      (response.reason, response.httpVersion) = ($0.reason, $0.httpVersion)
      response.trailers = Headers($0.trailers)
      return response
    }
    timings = hop.timings.map {
      var timings = Timings(total: $0.total)
      (timings.nameLookup, timings.connect, timings.tls, timings.firstByte) = (
        $0.nameLookup, $0.connect, $0.tls, $0.firstByte
      )
      return timings
    }
    remoteAddress = hop.remoteAddress
    localAddress = hop.localAddress
  }
}

extension Hop.Body: Hashable, Codable {
  private enum CodingKeys: CodingKey {
    case bytes, size, wireSize
  }

  /// Compares the bytes, and the sizes of bodies that were not kept.
  public static func == (left: Hop.Body, right: Hop.Body) -> Bool {
    left.wireSize == right.wireSize && left.bytes() == right.bytes() && left.size == right.size
  }

  /// Hashes the size as received.
  public func hash(into hasher: inout Hasher) { hasher.combine(wireSize) }

  /// Reads the bytes, into memory.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let bytes = try container.decodeIfPresent([UInt8].self, forKey: .bytes)
    self.init(
      BodyReference(
        size: try container.decodeIfPresent(Int64.self, forKey: .size),
        wireSize: try container.decodeIfPresent(Int64.self, forKey: .wireSize), bytes: { bytes }))
  }

  /// Writes the bytes, if they were kept.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(bytes(), forKey: .bytes)
    try container.encodeIfPresent(size, forKey: .size)
    try container.encodeIfPresent(wireSize, forKey: .wireSize)
  }
}
