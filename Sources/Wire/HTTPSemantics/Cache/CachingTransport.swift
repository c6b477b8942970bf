import Values

/// Serves responses from a cache where RFC 9111 allows it, and otherwise asks the transport below.
package struct CachingTransport: Transport {
  private let transport: any Transport
  private let cache: ExchangeCache
  private let policy: CachePolicy

  package init(over transport: any Transport, cache: ExchangeCache, policy: CachePolicy) {
    self.transport = transport
    self.cache = cache
    self.policy = policy
  }

  package func exchange(
    _ request: WireRequest, into sink: any ResponseSink
  ) async throws(TransportError) -> ExchangeSummary {
    guard policy != .ignore else { return try await transport.exchange(request, into: sink) }
    guard isCacheable(request) else {
      if policy == .only { throw notStored(request) }
      return try await bypass(request, into: sink)
    }
    let key = CacheKey(request.url, request.options)
    let stored = cache.response(for: request, key)
    if policy == .only {
      guard let stored else { throw notStored(request) }
      return try deliver(stored, to: request, into: sink)
    }
    let control = CacheControl(request.headers)
    if policy == .protocol, let stored, stored.isUsable(control, at: cache.now) {
      return try deliver(stored, to: request, into: sink)
    }
    if control.has("only-if-cached") { return gatewayTimeout(sink) }
    if let stored, let validation = stored.validation(of: request) {
      if let summary = try await validate(stored, by: validation, of: request, key, into: sink) { return summary }
    }
    return try await fetch(request, key, into: sink)
  }

  /// Returns whether the cache applies to a request: GET and HEAD of a whole representation, without the user's own
  /// conditions.
  private func isCacheable(_ request: WireRequest) -> Bool {
    guard request.method == .get || request.method == .head, request.body.isEmpty, request.requestTarget == nil,
      // Connection-based authentication: responses belong to the connection and are not stored.
      request.options.connectionAuthentication == nil, !request.options.wantsCertificates
    else { return false }
    let conditions = [
      "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    ]
    return !conditions.contains { request.headers.contains($0) }
      && !CacheControl(request.headers).has("no-store")
  }

  private func notStored(_ request: WireRequest) -> TransportError {
    TransportError(
      .notStored, "the cache has no response for \(request.method.rawValue) \(request.url.string)",
      help: "`session: {cache: only}` sends nothing; an earlier request must have stored the response")
  }

  // MARK: from the cache

  private func deliver(
    _ stored: StoredResponse, to request: WireRequest, into sink: any ResponseSink
  ) throws(TransportError) -> ExchangeSummary {
    let start = ContinuousClock.now
    if Task.isCancelled { throw .cancelled }
    var head = stored.head
    head.headers.set("Age", String(stored.age(at: cache.now)))
    try replay(head, stored, to: request, into: sink)
    var summary = ExchangeSummary(wireBodyBytes: 0)
    summary.timings.total = .now - start
    summary.cache = .hit
    return summary
  }

  private func replay(
    _ head: ResponseHead, _ stored: StoredResponse, to request: WireRequest, into sink: any ResponseSink
  ) throws(TransportError) {
    if let limit = request.limits.maxBodyBytes, request.method != .head, stored.body.count > limit {
      throw .bodyTooLarge(limit: limit)
    }
    guard sink.receive(head: head) == .more, request.method != .head else { return }
    var decision = SinkDecision.more
    var rest = stored.body[...]
    while decision == .more, !rest.isEmpty {
      decision = rest.prefix(65_536).withUnsafeBytes { sink.receive(body: $0) }
      rest = rest.dropFirst(65_536)
    }
    if decision == .more, let trailers = stored.trailers { sink.receive(trailers: trailers) }
  }

  /// The response to `only-if-cached` if nothing is stored (RFC 9111, section 5.2.1.7).
  private func gatewayTimeout(_ sink: any ResponseSink) -> ExchangeSummary {
    _ = sink.receive(head: ResponseHead(status: 504, reason: "Gateway Timeout", headers: HeaderFields()))
    var summary = ExchangeSummary(wireBodyBytes: 0)
    summary.cache = .miss(isStored: false)
    return summary
  }

  // MARK: from the server

  /// Asks the server whether a stored response is still valid; nil if the server confirms a different one.
  private func validate(
    _ stored: StoredResponse, by validation: WireRequest, of request: WireRequest, _ key: CacheKey,
    into sink: any ResponseSink
  ) async throws(TransportError) -> ExchangeSummary? {
    let requestTime = cache.now
    let cacheSink = CacheSink(sink, limit: cache.limits.entry, isValidating: true) {
      StoredResponse.mayStore($0, to: request)
    }
    var summary = try await transport.exchange(validation, into: cacheSink)
    let received = cacheSink.received
    guard let head = received.head, head.status == 304 else {
      summary.cache = conclude(received, of: request, key, since: requestTime)
      return summary
    }
    guard stored.isConfirmed(by: head) else {
      cache.removeResponse(for: request, key)
      return nil
    }
    let updated = stored.updated(by: head, requestTime: requestTime, responseTime: cache.now)
    cache.store(updated, key)
    var shown = updated.head
    for cookie in head.headers.values("Set-Cookie") { shown.headers.append("Set-Cookie", cookie) }
    try replay(shown, updated, to: request, into: sink)
    summary.cache = .revalidated
    return summary
  }

  private func fetch(
    _ request: WireRequest, _ key: CacheKey, into sink: any ResponseSink
  ) async throws(TransportError) -> ExchangeSummary {
    let requestTime = cache.now
    let cacheSink = CacheSink(sink, limit: cache.limits.entry) { StoredResponse.mayStore($0, to: request) }
    var summary = try await transport.exchange(request, into: cacheSink)
    summary.cache = conclude(cacheSink.received, of: request, key, since: requestTime)
    return summary
  }

  /// Stores a complete response, or updates the stored one from it.
  private func conclude(
    _ received: CacheSink.Received, of request: WireRequest, _ key: CacheKey, since requestTime: Timestamp
  ) -> CacheOutcome {
    guard let head = received.head else { return .miss(isStored: false) }
    if request.method == .head {
      if head.status == 200, let stored = cache.response(for: request, key) {
        if stored.isDescribed(by: head) {
          let updated = stored.updated(by: head, requestTime: requestTime, responseTime: cache.now)
          cache.store(updated, key)
        } else {
          cache.removeResponse(for: request, key)
        }
      }
      return .miss(isStored: false)
    }
    if !received.isStopped, let body = received.body,
      let response = StoredResponse(
        to: request, head: head, body: body, trailers: received.trailers, requestTime: requestTime,
        responseTime: cache.now)
    {
      cache.removeResponse(for: request, key)
      return .miss(isStored: cache.store(response, key))
    }
    // A response that replaces the stored one but may not be stored itself.
    if head.status < 500, head.status != 206 { cache.removeResponse(for: request, key) }
    return .miss(isStored: false)
  }

  /// Bypasses the cache; responses that an unsafe method may have changed are removed (RFC 9111, section 4.4).
  private func bypass(
    _ request: WireRequest, into sink: any ResponseSink
  ) async throws(TransportError) -> ExchangeSummary {
    let cacheSink = CacheSink(sink, limit: 0)
    var summary = try await transport.exchange(request, into: cacheSink)
    summary.cache = .bypass
    guard !request.method.isSafe, let head = cacheSink.received.head, (200..<400).contains(head.status) else {
      return summary
    }
    cache.removeAll(CacheKey(request.url, request.options))
    for name in ["Location", "Content-Location"] {
      guard let text = head.headers.first(name), let url = try? HTTPURL.resolve(text, against: request.url),
        url.hasSameOrigin(as: request.url)
      else { continue }
      cache.removeAll(CacheKey(url, request.options))
    }
    return summary
  }
}
