extension ResponseHead {
  /// What makes this head none that an answer can be told by; nil where there is nothing.
  ///
  /// Transports ask this before they hand it on: libcurl takes some lines for status lines that have no status.
  package var framingFault: TransportError? {
    guard (100...999).contains(status) else {
      return TransportError(
        .invalidResponse, "the status line of the answer has no status of three digits",
        help: "mend the server: it is to begin with a line such as `HTTP/1.1 200 OK`")
    }
    return headers.lengthFault
  }
}

extension HeaderFields {
  /// A Content-Length that does not tell where the answer ends; nil where there is nothing wrong with it.
  ///
  /// One number in several lines or one list is allowed (RFC 9112, section 6.3); libcurl also takes signs, fractions
  /// and hexadecimal digits, and reads on for a number that it can't hold.
  fileprivate var lengthFault: TransportError? {
    let lines = values("Content-Length")
    if lines.count <= 1, lines.allSatisfy({ Int64(decimalDigits: $0) != nil }) { return nil }
    let lengths = lines.flatMap { value in
      value.split(separator: ",", omittingEmptySubsequences: false).map(trimmingBlanks)
    }
    if let wrong = lengths.first(where: { Int64(decimalDigits: $0) == nil }) {
      return TransportError(
        .invalidResponse, "the Content-Length \"\(wrong)\" is no number of bytes",
        help: "mend the server: it is to send decimal digits, or no Content-Length")
    }
    guard Set(lengths.map { Int64(decimalDigits: $0) }).count > 1 else { return nil }
    return TransportError(
      .invalidResponse,
      "the answer has two different Content-Length: \(Set(lengths).sorted().joined(separator: " and "))",
      help: "mend the server, or the proxy before it: one of them adds a length of its own")
  }
}

extension Int64 {
  /// Without a sign, unlike `Int64(_:)`.
  fileprivate init?(decimalDigits text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(text)
  }
}
