import HTTPMessages

/// Whole exchanges over a transport that does single ones: redirects, cookies, credentials, deadlines, wire checks.
package struct HTTPClient: Sendable {
  package let transport: any Transport
  package let jar: CookieJar?

  package init(transport: any Transport, jar: CookieJar? = nil) {
    self.transport = transport
    self.jar = jar
  }

  /// Sends the request, follows redirects, and feeds the final answer to the sink.
  ///
  /// The sink sees nothing of redirects that are followed; `onHop` is told of each hop when its answer is complete.
  package func perform(
    _ request: OutgoingRequest, into sink: any ResponseSink, onHop: @Sendable (Hop) -> Void = { _ in }
  ) async throws(ExchangeFailure) -> ExchangeResult {
    throw ExchangeFailure(TransportError(.invalidRequest, "not laid out yet"))
  }
}
