/// The world failed: why an exchange brought no answer, or not all of it.
package struct TransportError: Error, Sendable, Hashable {
  package enum Clock: String, Sendable, Hashable {
    case connect
    /// The gap between two packets.
    case request
    /// The whole, redirects included.
    case resource
  }

  package enum Kind: Sendable, Hashable {
    /// The host name has no address.
    case dns
    /// No connection could be made.
    case connection
    case tls
    case timeout(Clock)
    /// The connection was reset or closed before the answer was complete.
    case reset
    /// The answer ended before its announced length.
    case truncated
    /// The answer is not HTTP, or its coding is broken.
    case invalidResponse
    /// The answer exceeds a limit.
    case tooLarge
    /// Too many redirects, or one that must not be followed.
    case redirects
    /// The request's own body could not be read.
    case body
    /// The transport, as it is here, cannot do this.
    case unsupported(TransportFeature)
    /// The worker process that ran the exchange ended.
    case workerEnded
    case cancelled
    /// The request cannot be sent as it is.
    case invalidRequest
    /// Only a stored answer was wanted, and there is none.
    case notStored
    /// The answer could not be put where it was to go.
    case storage
  }

  package var kind: Kind
  /// What happened, in one sentence without a final period.
  package var message: String
  /// What to do about it.
  package var help: String?
  /// How far the exchange came; nil where the transport doesn't say.
  package var summary: ExchangeSummary?
  /// Whose fault it is, where that is not the server's.
  package var culprit: Culprit?

  /// What of a connection is at fault, and has a place of its own in a spec.
  package enum Culprit: Sendable, Hashable {
    case proxy, clientCertificate
  }

  package init(_ kind: Kind, _ message: String, help: String? = nil) {
    self.kind = kind
    self.message = message
    self.help = help
  }

  /// The error with what is known of its exchange.
  package func with(_ summary: ExchangeSummary?) -> TransportError {
    var error = self
    error.summary = summary
    return error
  }

  package func with(_ culprit: Culprit) -> TransportError {
    var error = self
    error.culprit = culprit
    return error
  }
}

/// The kinds of failure that `expect: {error: …}` names.
package enum TransportFailure: String, Sendable, Hashable, CaseIterable {
  case dns, connection, tls, timeout, redirects
}

extension TransportError {
  /// The kind by the words of `expect: {error: …}`; nil for what is no fault of the other side.
  package var failure: TransportFailure? {
    switch kind {
    case .dns: .dns
    case .connection, .reset, .truncated, .invalidResponse, .tooLarge, .workerEnded: .connection
    case .tls: .tls
    case .timeout: .timeout
    case .redirects: .redirects
    case .body, .unsupported, .cancelled, .invalidRequest, .notStored, .storage: nil
    }
  }
}
