/// Performs whole exchanges over a transport that performs single ones: redirects, cookies, credentials, deadlines,
/// wire checks.
package struct HTTPClient: Sendable {
  package var transport: any Transport
  package let jar: CookieJar?
  package let authenticator: Authenticator
  /// Takes the number of each request, from 1, as it is sent.
  package var onSend: (@Sendable (_ hop: Int) -> Void)?
  /// Takes each hop once its response is complete, or the failure of its request.
  package var onHop: (@Sendable (Result<ExchangeHop, ExchangeFailure>) -> Void)?

  package init(transport: any Transport, jar: CookieJar? = nil, authenticator: Authenticator = Authenticator()) {
    self.transport = transport
    self.jar = jar
    self.authenticator = authenticator
  }

  /// Performs the request and returns its result or failure.
  ///
  /// - Parameter isChecked: true if ``checkWire(_:)`` has accepted the request already.
  package func result(
    of request: OutgoingRequest, isChecked: Bool = true, into sink: any ResponseSink
  ) async -> Result<ExchangeResult, ExchangeFailure> {
    do throws(ExchangeFailure) {
      return .success(try await perform(request, isChecked: isChecked, into: sink))
    } catch {
      return .failure(error)
    }
  }

  /// The first request as it would be sent; nil if it can't be made, for example since the file of its body is missing.
  package func firstRequest(of request: OutgoingRequest) async -> WireRequest? {
    do throws(TransportError) {
      var chain = RedirectChain(request)
      try await chain.addDigests()
      return try chain.wireRequest(jar: jar, authenticator: authenticator, elapsed: .zero)
    } catch {
      return nil
    }
  }

  /// Sends the request, follows redirects, answers challenges, and feeds the final response to the sink.
  ///
  /// The sink never sees intermediate responses.
  ///
  /// - Parameter isChecked: true if ``checkWire(_:)`` has accepted the request already.
  package func perform(
    _ request: OutgoingRequest, isChecked: Bool = false, into sink: any ResponseSink
  ) async throws(ExchangeFailure) -> ExchangeResult {
    let clock = ContinuousClock()
    let start = clock.now
    let problems = isChecked ? [] : checkWire(request)
    if let problem = problems.first {
      let message = problems.map(\.message).joined(separator: "; ")
      throw ExchangeFailure(TransportError(.invalidRequest, message, help: problem.help))
    }
    var chain = RedirectChain(request)
    do {
      try await chain.addDigests()
    } catch {
      throw ExchangeFailure(error, total: clock.now - start)
    }
    var hops: [ExchangeHop] = []
    while true {
      let begin = clock.now
      let elapsed = begin - start
      let redirects = hops.redirectCount
      if let resource = request.timeouts.resource, elapsed >= resource {
        let error = request.timeouts.wholeIsOver(at: chain.url, redirects: redirects)
        throw ExchangeFailure(error, hops: hops, total: elapsed)
      }
      if Task.isCancelled {
        throw ExchangeFailure(TransportError(.cancelled, "the request was cancelled"), hops: hops, total: elapsed)
      }
      let wire: WireRequest
      do {
        wire = try chain.wireRequest(jar: jar, authenticator: authenticator, elapsed: elapsed)
      } catch {
        throw ExchangeFailure(error, hops: hops, total: elapsed)
      }
      let hopSink = HopSink(sink) { [rule = chain.rule, url = wire.url] head in
        // Stored immediately: requests sent while a stream is open need its cookies.
        jar?.store(from: head, url: url)
        return rule.followUp(to: head)
      }
      onSend?(hops.count + 1)
      let summary: ExchangeSummary
      do {
        summary = try await transport.exchange(wire, into: hopSink)
      } catch {
        let head = hopSink.outcome.head
        let described = FailedExchange(
          request: wire, head: head, timeouts: request.timeouts, hops: hops, error: error
        ).described
        let failure = ExchangeFailure(
          described, hops: hops, request: wire, head: head, begin: begin, total: clock.now - start)
        onHop?(.failure(failure))
        throw failure
      }
      let outcome = hopSink.outcome
      guard let head = outcome.head else {
        let error = TransportError(.invalidResponse, "the exchange ended without a response")
        let failure = ExchangeFailure(error, hops: hops, request: wire, begin: begin, total: clock.now - start)
        onHop?(.failure(failure))
        throw failure
      }
      var hop = ExchangeHop(request: wire, head: head, summary: summary)
      hop.begin = begin
      if case .challenge = outcome.followUp { hop.isChallenged = true }
      hops.append(hop)
      onHop?(.success(hop))
      switch outcome.followUp {
      case .none:
        authenticator.note(head, from: wire.url)
        return ExchangeResult(
          hops: hops, total: clock.now - start,
          note: chain.rule.note(on: head, sent: wire.headers.first("Authorization")))
      case .redirect:
        do {
          try chain.follow(head, after: hops, isStored: jar != nil)
        } catch {
          throw ExchangeFailure(error, hops: hops, total: clock.now - start)
        }
      case .challenge(let challenge): chain.response(challenge, by: authenticator)
      }
    }
  }
}
