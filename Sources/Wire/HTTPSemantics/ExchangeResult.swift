import Values

/// One request as it was sent, and the head of its response.
package struct ExchangeHop: Sendable {
  package var request: WireRequest
  package var head: ResponseHead
  /// The fields behind the body (RFC 9110, section 6.5); none if the transport doesn't show them.
  package var trailers = HeaderFields()
  package var summary: ExchangeSummary
  /// The time at which the request was sent; nil if that is unknown.
  package var begin: ContinuousClock.Instant?
  /// Indicates whether the response was a challenge, for which the next hop has the credentials.
  package var isChallenged = false

  package init(request: WireRequest, head: ResponseHead, summary: ExchangeSummary) {
    self.request = request
    self.head = head
    self.summary = summary
  }
}

extension [ExchangeHop] {
  /// The number of hops that turned to another target: those before a response that weren't challenges.
  var redirectCount: Int { count { !$0.isChallenged } }
}

/// A complete exchange, redirects and challenges included.
package struct ExchangeResult: Sendable {
  /// At least one hop: the last has the final response, those before it were redirects or challenges.
  package let hops: [ExchangeHop]
  /// The time of all hops together.
  package let total: Duration
  /// The reason why credentials did not help, if the response says.
  package let note: String?

  /// - Parameter head: the response's head as assertions see it, if it differs from the one received.
  package init(hops: [ExchangeHop], total: Duration, note: String? = nil, head: ResponseHead? = nil) {
    precondition(!hops.isEmpty, "a response without a request")
    shownHead = head
    self.hops = hops
    self.total = total
    self.note = note
  }

  /// This result, with the total time and the note of a whole series of requests.
  package func of(total: Duration, note: String?) -> ExchangeResult {
    ExchangeResult(hops: hops, total: total, note: note)
  }

  private let shownHead: ResponseHead?

  private var last: ExchangeHop { hops[hops.count - 1] }

  /// The head of the final response.
  package var head: ResponseHead { shownHead ?? last.head }
  /// The fields behind the body of the final response.
  package var trailers: HeaderFields { last.trailers }
  /// The URL of the final response, with its inherited fragment.
  package var finalURL: HTTPURL { last.request.url }
  /// The summary of the last hop alone.
  package var summary: ExchangeSummary { last.summary }

  package var redirectCount: Int { hops.redirectCount - 1 }

  /// The followed redirects: their statuses, and the URLs they led to.
  package var redirects: [(status: Int, url: HTTPURL)] {
    zip(hops, hops.dropFirst()).filter { !$0.0.isChallenged }.map { ($0.0.head.status, $0.1.request.url) }
  }
}

/// An exchange without a final response, and how far it got.
///
/// A class, since few exchanges fail, and all would make room for it.
package final class ExchangeFailure: Error, Sendable {
  package let error: TransportError
  /// The hops that have a response; if a redirect could not be followed, it is the last of them.
  package let hops: [ExchangeHop]
  /// The request in flight; nil if the failure came before or between requests.
  package let request: WireRequest?
  /// The head of its response, if it was received before the failure.
  package let head: ResponseHead?
  /// The time at which it was sent; nil if that is unknown.
  package let begin: ContinuousClock.Instant?
  package let total: Duration

  package init(
    _ error: TransportError, hops: [ExchangeHop] = [], request: WireRequest? = nil, head: ResponseHead? = nil,
    begin: ContinuousClock.Instant? = nil, total: Duration = .zero
  ) {
    self.error = error
    self.hops = hops
    self.request = request
    self.head = head
    self.begin = begin
    self.total = total
  }

  /// This failure, with another error or the total time of a whole series of requests.
  package func with(_ error: TransportError? = nil, total: Duration? = nil) -> ExchangeFailure {
    ExchangeFailure(
      error ?? self.error, hops: hops, request: request, head: head, begin: begin, total: total ?? self.total)
  }
}
