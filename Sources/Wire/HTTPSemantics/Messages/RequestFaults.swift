import Values

extension WireRequest {
  /// The error for a request that would break the framing of the message (RFC 9112); nil for a valid one.
  ///
  /// Transports check this before they send: neither libcurl nor URLSession rejects a line break in a header.
  package var framingFault: TransportError? {
    for field in headers.fields {
      guard isToken(field.name) else {
        return TransportError(
          .invalidRequest, "\"\(escaped(field.name))\" is not a header name",
          help: "a name has only letters, digits and !#$%&'*+-.^_`|~")
      }
      guard !field.value.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) else {
        return TransportError(
          .invalidRequest, "the value of the header \"\(field.name)\" has a line break or NUL in it",
          help: "remove it from the value")
      }
    }
    guard url.scheme == "http" || url.scheme == "https" else {
      return TransportError(
        .invalidRequest, "the scheme \"\(escaped(url.scheme))\" is not supported", help: "use http or https")
    }
    let isTargetClean = requestTarget.map(isVisible) ?? (isVisible(url.path) && isVisible(url.query ?? ""))
    guard isVisible(url.host), isTargetClean else {
      let text = isVisible(url.host) ? requestTarget ?? url.originForm : url.host
      return TransportError(
        .invalidRequest, "\"\(escaped(text))\" has a space or control character in it",
        help: "percent-encode it")
    }
    return nil
  }
}

/// Returns whether the text contains nothing that ends a part of the request line.
private func isVisible(_ text: String) -> Bool { text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } }

private func escaped(_ text: String) -> String {
  text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? $0.escaped(asASCII: true) : String($0) }.joined()
}
