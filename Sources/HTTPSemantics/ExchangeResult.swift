import HTTPMessages

/// One request as it was sent and the head of its answer.
package struct Hop: Sendable {
  package var request: WireRequest
  package var head: ResponseHead
  package var summary: ExchangeSummary
  /// Whether the answer was a challenge, to which the next hop has the credentials.
  package var isChallenged = false

  package init(request: WireRequest, head: ResponseHead, summary: ExchangeSummary) {
    self.request = request
    self.head = head
    self.summary = summary
  }
}

extension [Hop] {
  /// How many of them turned to another target: those before an answer that were no challenges.
  var redirectCount: Int { count { !$0.isChallenged } }
}

/// A complete exchange, redirects and challenges included.
package struct ExchangeResult: Sendable {
  /// At least one; the last brought the answer, those before it were redirects or challenges.
  package let hops: [Hop]
  /// Of all hops together.
  package let total: Duration
  /// Why credentials did not help, where the answer says so.
  package let note: String?

  /// - Parameter head: of the answer as it is looked at, where that is another one than came over the wire.
  package init(hops: [Hop], total: Duration, note: String? = nil, head: ResponseHead? = nil) {
    precondition(!hops.isEmpty, "an answer without a request")
    shownHead = head
    self.hops = hops
    self.total = total
    self.note = note
  }

  /// The answer to one request of several, which took so long together.
  package func of(total: Duration, note: String?) -> ExchangeResult {
    ExchangeResult(hops: hops, total: total, note: note)
  }

  private let shownHead: ResponseHead?

  private var last: Hop { hops[hops.count - 1] }

  /// Of the final answer.
  package var head: ResponseHead { shownHead ?? last.head }
  /// The URL of the final answer, with the fragment that it inherited.
  package var finalURL: HTTPURL { last.request.url }
  /// Of the last hop alone.
  package var summary: ExchangeSummary { last.summary }

  package var redirectCount: Int { hops.redirectCount - 1 }

  /// The redirects that were followed: their statuses, and the URLs that they led to.
  package var redirects: [(status: Int, url: HTTPURL)] {
    zip(hops, hops.dropFirst()).filter { !$0.0.isChallenged }.map { ($0.0.head.status, $0.1.request.url) }
  }
}

/// An exchange that brought no final answer, and how far it came.
package struct ExchangeFailure: Error, Sendable {
  package var error: TransportError
  /// The hops that were answered; where a redirect could not be followed, it is the last of them.
  package var hops: [Hop]
  /// The request that was in flight; nil if the failure came before or between requests.
  package var request: WireRequest?
  /// The head of its answer, if that came before the failure.
  package var head: ResponseHead?
  package var total: Duration

  package init(
    _ error: TransportError, hops: [Hop] = [], request: WireRequest? = nil, head: ResponseHead? = nil,
    total: Duration = .zero
  ) {
    self.error = error
    self.hops = hops
    self.request = request
    self.head = head
    self.total = total
  }
}
