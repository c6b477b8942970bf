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
    let problems = isChecked ? [] : checkWire(request)
    if let problem = problems.first {
      let message = problems.map(\.message).joined(separator: "; ")
      throw ExchangeFailure(TransportError(.invalidRequest, message, help: problem.help))
    }
    let course = ExchangeCourse(RedirectChain(request), request.timeouts, by: self, into: sink)
    try await course.addDigests()
    while true {
      let (wire, hopSink) = try course.next()
      let summary: ExchangeSummary
      do {
        summary = try await transport.exchange(wire, into: hopSink)
      } catch {
        throw course.failure(error, of: wire, hopSink)
      }
      if let result = try course.conclude(summary, of: wire, hopSink) { return result }
    }
  }
}
