/// The course of a whole exchange, from hop to hop.
///
/// A class, and all but waiting in synchronous functions: an asynchronous one keeps what it holds, and room for what it
/// might, for each exchange in flight.
final class ExchangeCourse {
  private let client: HTTPClient
  private let sink: any ResponseSink
  private let timeouts: ExchangeTimeouts
  private let start: ContinuousClock.Instant
  @exclusivity(unchecked) private var chain: RedirectChain
  @exclusivity(unchecked) private var hops: [ExchangeHop] = []
  /// The time of the last request.
  @exclusivity(unchecked) private var begin: ContinuousClock.Instant

  private var total: Duration { .now - start }

  /// Takes over the chain: a parameter with the request itself would be one more copy of it.
  init(
    _ chain: consuming RedirectChain, _ timeouts: ExchangeTimeouts, by client: HTTPClient, into sink: any ResponseSink
  ) {
    start = .now
    begin = start
    self.client = client
    self.sink = sink
    self.timeouts = timeouts
    self.chain = chain
  }

  /// Adds the digests of the body.
  func addDigests() async throws(ExchangeFailure) {
    do {
      try await chain.addDigests()
    } catch {
      throw ExchangeFailure(error, total: total)
    }
  }

  /// The next request, and the sink for its response.
  func next() throws(ExchangeFailure) -> (WireRequest, HopSink) {
    begin = .now
    let elapsed = begin - start
    if let resource = timeouts.resource, elapsed >= resource {
      let error = timeouts.wholeIsOver(at: chain.url, redirects: hops.redirectCount)
      throw ExchangeFailure(error, hops: hops, total: elapsed)
    }
    if Task.isCancelled {
      throw ExchangeFailure(TransportError(.cancelled, "the request was cancelled"), hops: hops, total: elapsed)
    }
    let wire: WireRequest
    do {
      wire = try chain.wireRequest(jar: client.jar, authenticator: client.authenticator, elapsed: elapsed)
    } catch {
      throw ExchangeFailure(error, hops: hops, total: elapsed)
    }
    let hopSink = HopSink(sink) { [jar = client.jar, rule = chain.rule, url = wire.url] head in
      // Stored immediately: requests sent while a stream is open need its cookies.
      jar?.store(from: head, url: url)
      return rule.followUp(to: head)
    }
    client.onSend?(hops.count + 1)
    return (wire, hopSink)
  }

  /// The failure of the request in flight.
  func failure(_ error: TransportError, of wire: WireRequest, _ hopSink: HopSink) -> ExchangeFailure {
    let head = hopSink.outcome.head
    let described = FailedExchange(request: wire, head: head, timeouts: timeouts, hops: hops, error: error).described
    return failure(described, of: wire, head)
  }

  private func failure(_ error: TransportError, of wire: WireRequest, _ head: ResponseHead?) -> ExchangeFailure {
    let failure = ExchangeFailure(error, hops: hops, request: wire, head: head, begin: begin, total: total)
    client.onHop?(.failure(failure))
    return failure
  }

  /// The result, if the response is final; nil if another request follows.
  func conclude(
    _ summary: ExchangeSummary, of wire: WireRequest, _ hopSink: HopSink
  ) throws(ExchangeFailure) -> ExchangeResult? {
    let outcome = hopSink.outcome
    guard let head = outcome.head else {
      throw failure(TransportError(.invalidResponse, "the exchange ended without a response"), of: wire, nil)
    }
    var hop = ExchangeHop(request: wire, head: head, summary: summary)
    hop.begin = begin
    hop.trailers = outcome.trailers
    if case .challenge = outcome.followUp { hop.isChallenged = true }
    hops.append(hop)
    client.onHop?(.success(hop))
    switch outcome.followUp {
    case .none:
      client.authenticator.note(head, from: wire.url)
      return ExchangeResult(
        hops: hops, total: total, note: chain.rule.note(on: head, sent: wire.headers.first("Authorization")))
    case .redirect:
      do {
        try chain.follow(head, after: hops, isStored: client.jar != nil)
      } catch {
        throw ExchangeFailure(error, hops: hops, total: total)
      }
    case .challenge(let challenge): chain.response(challenge, by: client.authenticator)
    }
    return nil
  }
}
