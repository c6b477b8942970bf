import Values

extension ResponseHead {
  /// The error for a head that doesn't frame a response; nil for a valid one.
  ///
  /// Transports check this before they pass it on: libcurl takes some lines without a status for status lines.
  package var framingFault: TransportError? {
    guard (100...999).contains(status) else {
      return TransportError(
        .invalidResponse, "the status line of the response has no status of three digits",
        help: "fix the server: it must begin with a line such as `HTTP/1.1 200 OK`")
    }
    return headers.lengthFault
  }
}

extension HeaderFields {
  /// The error for a Content-Length that does not determine the response's end; nil for a valid one.
  ///
  /// One number repeated in several lines or a list is allowed (RFC 9112, section 6.3). libcurl also accepts signs,
  /// fractions and hexadecimal digits, and reads to the end of the connection for a number that is too large.
  fileprivate var lengthFault: TransportError? {
    let lines = values("Content-Length")
    if lines.count <= 1, lines.allSatisfy({ Int64(decimalDigits: $0) != nil }) { return nil }
    let lengths = lines.flatMap { value in
      value.split(separator: ",", omittingEmptySubsequences: false).map(trimmingBlanks)
    }
    if let wrong = lengths.first(where: { Int64(decimalDigits: $0) == nil }) {
      return TransportError(
        .invalidResponse, "the Content-Length \"\(wrong)\" is not a number of bytes",
        help: "fix the server: it must send decimal digits, or no Content-Length")
    }
    guard Set(lengths.map { Int64(decimalDigits: $0) }).count > 1 else { return nil }
    return TransportError(
      .invalidResponse,
      "the response has two different Content-Length: \(Set(lengths).sorted().joined(separator: " and "))",
      help: "fix the server, or the proxy before it: one of them adds a length of its own")
  }
}

extension Int64 {
  /// Without a sign, unlike `Int64(_:)`.
  fileprivate init?(decimalDigits text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { return nil }
    self.init(text)
  }
}

extension TransportError {
  /// The error for received bytes that aren't HTTP: their beginning shows which protocol the peer speaks.
  package static func noStatusLine(_ beginning: UnsafeRawBufferPointer, _ url: HTTPURL) -> TransportError {
    let peer = url.hostAndPort
    let bytes = Array(beginning.prefix(Excerpt.keptLimit))
    // TLS records: an alert, or a handshake.
    if bytes.count > 2, bytes[0] == 0x15 || bytes[0] == 0x16, bytes[1] == 3 {
      return TransportError(
        .invalidResponse, "\(peer) speaks TLS, and the request was sent without it",
        help: "write https:// instead of http://")
    }
    // An HTTP/2 frame with settings.
    if bytes.count >= 9, bytes[3] == 4, bytes[5...8].allSatisfy({ $0 == 0 }) {
      return TransportError(
        .invalidResponse, "\(peer) speaks HTTP/2 from the first byte, and the request was HTTP/1.1",
        help: "write `http_version: 2_prior_knowledge`")
    }
    let text = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    let isText = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0xFFFD }
    let shown = isText && !text.isEmpty ? ": it begins with \"\(Excerpt(text, limit: 60))\"" : ""
    return TransportError(
      .invalidResponse, "the response is not HTTP (it has no status line)\(shown)",
      help: "check that an HTTP server listens on \(peer)")
  }
}
