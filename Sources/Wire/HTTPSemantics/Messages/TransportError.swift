/// A failure of an exchange that produced no response, or not all of it.
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
    /// The connection was reset or closed before the response was complete.
    case reset
    /// The response ended before its announced length.
    case truncated
    /// The response is not HTTP, or its coding is broken.
    case invalidResponse
    /// The response exceeds a limit.
    case tooLarge
    /// Redirects exceed their limit, or one must not be followed.
    case redirects
    /// The request's own body could not be read.
    case body
    /// The transport, in its state here, doesn't support this.
    case unsupported(TransportFeature)
    /// The worker process that ran the exchange ended.
    case workerEnded
    case cancelled
    /// The request cannot be sent as it is.
    case invalidRequest
    /// Only a stored response was allowed, and there is none.
    case notStored
    /// The response could not be stored at its destination.
    case storage
  }

  package var kind: Kind
  /// The failure in one sentence without a final period.
  package var message: String
  /// Advice on how to fix it.
  package var help: String?
  /// The progress of the exchange; nil if the transport doesn't report it.
  package var summary: ExchangeSummary?
  /// The cause of the failure, if it isn't the server.
  package var culprit: Culprit?
  /// Indicates whether sending the request again can't help: what is wrong is a setting, here or there.
  package var isLasting = false

  /// A part of the connection that is at fault, and has a place of its own in a spec.
  package enum Culprit: Sendable, Hashable {
    case proxy, clientCertificate, authorities
  }

  package init(_ kind: Kind, _ message: String, help: String? = nil) {
    self.kind = kind
    self.message = message
    self.help = help
  }

  /// This error with the summary of its exchange.
  package func with(_ summary: ExchangeSummary?) -> TransportError {
    var error = self
    error.summary = summary
    return error
  }

  /// This error as one that lasts.
  package var lasting: TransportError {
    var error = self
    error.isLasting = true
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
  /// The kind as `expect: {error: …}` names it; nil for failures on our side.
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
