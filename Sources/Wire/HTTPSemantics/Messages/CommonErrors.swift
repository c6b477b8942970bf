import Values

/// Failures that all transports report in the same words.
extension TransportError {
  package static let cancelled = TransportError(.cancelled, "the exchange was cancelled")

  /// The deadline of that clock passed.
  package static func timeout(_ clock: Clock, after limit: Duration) -> TransportError {
    let text = durationText(limit)
    switch clock {
    case .connect:
      return TransportError(
        .timeout(.connect), "no connection was made within \(text)",
        help: "check that the host answers on that port, or raise timeout.connect")
    case .request:
      return TransportError(
        .timeout(.request), "the server sent nothing for \(text)",
        help: "find out what the server waits for, or raise timeout.request")
    case .resource:
      return TransportError(
        .timeout(.resource), "the response was not complete after \(text)",
        help: "find out what takes the server so long, or raise timeout.resource")
    }
  }

  package static func bodyTooLarge(limit: Int64) -> TransportError {
    TransportError(
      .tooLarge, "the body of the response is larger than \(limit) bytes",
      help: "raise the limit with --max-body if that size is right")
  }

  package static func unsupported(_ feature: TransportFeature, _ reason: String) -> TransportError {
    TransportError(
      .unsupported(feature), "this transport lacks \(feature.rawValue): \(reason)",
      help: "use `transport: curl` for this request")
  }
}

/// Faults of servers that each transport detects in its own way.
///
/// `details` are the transport's words, for the end of the message after a colon.
extension TransportError {
  package static func unknownHost(_ host: String) -> TransportError {
    TransportError(
      .dns, "the host name \"\(host)\" could not be resolved",
      help: ["http", "https"].contains(host)
        ? "the URL has two schemes, perhaps one from a variable: leave one out"
        : nearestWord(to: host, among: ["localhost"]).map { "did you mean \($0)?" }
          ?? "check the spelling of the host and the name service of this machine")
  }

  package static let outOfDescriptors = TransportError(
    .connection, "no connection could be opened: too many files and connections are open already",
    help: "fewer --jobs open fewer, or raise the limit (ulimit -n)")

  package static func emptyReply(_ url: HTTPURL?) -> TransportError {
    TransportError(
      .reset, "the server closed the connection without a response",
      help: "look into the server's log: it accepted the connection and then gave up"
        + (url?.isSecure == false ? "; if it speaks TLS on that port, write https://" : ""))
  }

  package static func connectionBroke(_ phase: String, _ details: String) -> TransportError {
    TransportError(
      .reset, "the connection broke \(phase): \(details)",
      help: "look into the log of the server, or of a proxy in between")
  }

  /// - Parameter hasHead: whether the head of the response was received.
  package static func connectionBroke(hasHead: Bool, _ details: String, _ url: HTTPURL?) -> TransportError {
    var error = connectionBroke(hasHead ? "in the middle of the body" : "before the response had come", details)
    if !hasHead, url?.isSecure == false { error.help? += "; if it speaks TLS on that port, write https://" }
    return error
  }

  package static func truncated(_ details: String) -> TransportError {
    TransportError(
      .truncated, "the connection closed before the whole body had come: \(details)",
      help: "compare the server's Content-Length or last chunk with what it sends")
  }

  package static func streamTruncated(_ details: String) -> TransportError {
    TransportError(
      .reset, "the HTTP/2 stream broke before the whole body had come: \(details)",
      help: "look into the log of the server, or of a proxy in between")
  }

  package static func streamReset(_ details: String) -> TransportError {
    TransportError(.reset, "the server reset the HTTP/2 stream: \(details)")
  }

  package static func notHTTP(_ url: HTTPURL, _ details: String) -> TransportError {
    TransportError(
      .invalidResponse, "the response is not valid HTTP: \(details)",
      help: "check that an HTTP server listens on \(url.hostAndPort)")
  }

  package static func brokenChunks(_ details: String) -> TransportError {
    TransportError(
      .invalidResponse, "the chunked body is broken: \(details)", help: "check how the server frames its body")
  }

  package static func brokenContentCoding(_ details: String) -> TransportError {
    TransportError(
      .invalidResponse, "the body does not fit its Content-Encoding: \(details)",
      help: "check the server's compression, or send `Accept-Encoding: identity`")
  }

  package static let severalMembers = TransportError(
    .invalidResponse,
    "the compressed body goes on behind its end: of several gzip members libcurl decodes only the first",
    help: "let the server send a single member, or send `Accept-Encoding: identity`")

  /// The limits of libcurl, which Foundation uses too.
  package static let headersTooLarge = TransportError(
    .tooLarge, "the response headers are larger than 300 KB", help: "send fewer or shorter headers from the server")

  /// The limit of libcurl 8.6 and newer, which counts all heads of an exchange and its trailers.
  package static func tooManyHeaders(inTrailers: Bool) -> TransportError {
    TransportError(
      .tooLarge, "the \(inTrailers ? "trailers behind the body" : "response headers") are more than 5000 lines",
      help: "send fewer or shorter \(inTrailers ? "trailers" : "headers") from the server")
  }

  package static let headerLineTooLong = TransportError(
    .tooLarge, "a line of the response headers is too long (libcurl takes about 100 KB)",
    help: "shorten the header on the server")
}

/// A library's sentence for use after a colon: one line without a final period, in lower case at its start.
///
/// An initial abbreviation, such as "SSL", stays as it is.
package func quotedReason(_ text: String) -> String {
  var line = text.prefix { !$0.isNewline }
  while line.last == "." { line.removeLast() }
  return line.dropFirst().first?.isUppercase == true ? String(line) : line.prefix(1).lowercased() + line.dropFirst()
}

/// A duration as specs write it, such as `250ms`, `1.5s` or `2m`.
package func durationText(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  let milliseconds = attoseconds / 1_000_000_000_000_000
  if seconds == 0 {
    if milliseconds == 0 { return "\(attoseconds / 1_000_000_000_000)µs" }
    return "\(milliseconds)ms"
  }
  if milliseconds != 0 {
    var fraction = String(1000 + milliseconds).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return "\(seconds).\(fraction)s"
  }
  return seconds >= 60 && seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
}
