import HTTPSemantics
import Values

/// Sends single requests, instead of libcurl and URLSession: a stub for tests, a server's handler in-process, or a
/// layer around a ``NetworkTransport``.
///
/// The runner handles redirects, cookies, credentials and deadlines. This is a simple form of the internal transports,
/// which stream bodies.
public protocol Transport: Sendable {
  /// Sends a request and returns its response. The task is cancelled at a deadline.
  ///
  /// - Throws: a ``TransportFailure`` for a certain kind of failure; any other error is one of the connection.
  func response(to request: TransportRequest) async throws -> TransportResponse
}

/// A request in its final form.
public struct TransportRequest: Sendable, Hashable, Codable {
  /// The method.
  public var method: String
  /// The absolute URL, without user name, password and fragment.
  public var url: String
  /// Headers in the order of the spec.
  public var headers: Headers
  /// The body; empty without one.
  public var body: [UInt8]
  /// The request that it was made of, with its limits and connection options.
  var wire = Hidden<WireRequest>()

  private enum CodingKeys: CodingKey {
    case method, url, headers, body
  }

  /// Creates a request.
  public init(method: String = "GET", url: String, headers: Headers = [:], body: [UInt8] = []) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
  }
}

/// The response of a ``Transport``.
public struct TransportResponse: Sendable, Hashable, Codable {
  /// The status code.
  public var status: Int
  /// The headers, in order.
  public var headers: Headers
  /// The body, decoded.
  public var body: [UInt8]
  /// The head as it was received, and the facts about its exchange.
  var exchange = Hidden<(head: ResponseHead, summary: ExchangeSummary)>()

  private enum CodingKeys: CodingKey {
    case status, headers, body
  }

  /// Creates a response.
  public init(status: Int = 200, headers: Headers = [:], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// Creates a response with a JSON body.
  public init(status: Int = 200, json: String) {
    self.init(status: status, headers: ["Content-Type": "application/json"], body: Array(json.utf8))
  }
}

/// A failure of a ``Transport``, with the kinds of `expect: {error: …}`.
public struct TransportFailure: Error, Hashable, Codable {
  /// The kind of a failure.
  public enum Kind: String, Sendable, Codable {
    case dns, connection, tls, timeout
  }

  /// The kind.
  public var kind: Kind
  /// The message, one sentence in lower case, without a full stop.
  public var message: String
  /// The error of the network, which has more kinds.
  var cause = Hidden<TransportError>()

  private enum CodingKeys: CodingKey {
    case kind, message
  }

  /// Creates a failure.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  init(_ error: TransportError) {
    kind =
      switch error.kind {
      case .dns: .dns
      case .tls: .tls
      case .timeout: .timeout
      default: .connection
      }
    message = error.message
    cause.content = error
  }
}

/// Adapts a ``Transport`` to the internal protocol.
struct CustomTransport: HTTPSemantics.Transport {
  let transport: any Transport

  func exchange(
    _ request: WireRequest, into sink: any ResponseSink
  ) async throws(TransportError) -> ExchangeSummary {
    let start = ContinuousClock.now
    var outgoing = TransportRequest(
      method: request.method.rawValue, url: request.url.string,
      headers: Headers(request.headers.fields.map { ($0.name, $0.value) }), body: try bytes(of: request.body))
    outgoing.wire.content = request
    sink.sent(bodyBytes: Int64(outgoing.body.count))
    let response = try await response(to: outgoing, within: request.limits.total).get()
    var summary = response.exchange.content?.summary ?? ExchangeSummary()
    if response.exchange.content == nil {
      summary.wireBodyBytes = Int64(response.body.count)
      summary.sentBodyBytes = Int64(outgoing.body.count)
      summary.timings.total = .now - start
    }
    let received = response.exchange.content?.head
    let head = ResponseHead(
      status: response.status, reason: received?.reason ?? "", httpVersion: received?.httpVersion ?? "1.1",
      headers: HeaderFields(response.headers.map { ($0.name, $0.value) }))
    guard case .more = sink.receive(head: head) else { return summary }
    if let limit = request.limits.maxBodyBytes, response.body.count > limit { throw .bodyTooLarge(limit: limit) }
    if !response.body.isEmpty { _ = response.body.withUnsafeBytes { sink.receive(body: $0) } }
    return summary
  }

  private func bytes(of body: RequestBody) throws(TransportError) -> [UInt8] {
    var bytes: [UInt8] = []
    var reader = try RequestBodyReader(body)
    try reader.readAll { piece in
      bytes.append(contentsOf: piece)
      return true
    }
    return bytes
  }

  private func response(
    to request: TransportRequest, within limit: Duration?
  ) async -> Result<TransportResponse, TransportError> {
    guard let limit else { return await result(of: request) }
    return await withTaskGroup(of: Result<TransportResponse, TransportError>.self) { group in
      group.addTask { await result(of: request) }
      group.addTask {
        try? await Task.sleep(for: limit)
        return .failure(Task.isCancelled ? .cancelled : .timeout(.resource, after: limit))
      }
      let first = await group.next() ?? .failure(.cancelled)
      group.cancelAll()
      return first
    }
  }

  private func result(of request: TransportRequest) async -> Result<TransportResponse, TransportError> {
    do {
      return .success(try await transport.response(to: request))
    } catch let failure as TransportFailure {
      // Unless a transport around the network changed it.
      if let cause = failure.cause.content, failure == TransportFailure(cause) { return .failure(cause) }
      let kind: TransportError.Kind =
        switch failure.kind {
        case .dns: .dns
        case .connection: .connection
        case .tls: .tls
        case .timeout: .timeout(.request)
        }
      return .failure(TransportError(kind, failure.message))
    } catch {
      return .failure(Task.isCancelled ? .cancelled : TransportError(.connection, "the transport failed: \(error)"))
    }
  }
}
