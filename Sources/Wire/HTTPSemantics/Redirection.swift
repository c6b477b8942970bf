import Values

extension RedirectPolicy {
  /// Returns whether a response with that head is a redirect to follow; one without a target is a response like any
  /// other.
  func follows(_ head: ResponseHead) -> Bool {
    guard mode == .follow, [301, 302, 303, 307, 308].contains(head.status) else { return false }
    return !(head.headers.first("Location") ?? "").isEmpty
  }

  /// Returns whether credentials may be forwarded to that host although the origin differs.
  package func trusts(_ url: HTTPURL) -> Bool {
    trustedHosts.contains { equalsIgnoringCase($0, url.host) || equalsIgnoringCase($0, url.bracketedHost) }
  }

  /// Returns whether a redirect with that status changes the method to GET and drops the body (RFC 9110, section 15.4).
  func becomesGet(_ method: HTTPMethod, status: Int) -> Bool {
    switch status {
    case 301, 302: method == .post && !keepsMethod
    case 303: method != .get && method != .head
    default: false
    }
  }
}

func redirectTarget(
  _ head: ResponseHead, from url: HTTPURL, allowsHTTP: Bool, isUpgrade: Bool = false
) throws(TransportError) -> HTTPURL {
  let location = head.headers.first("Location") ?? ""
  var target: HTTPURL
  do {
    // A server of WebSockets leads to ws:// or wss://.
    target = try HTTPURL.resolve((isUpgrade ? httpForm(ofWebSocket: location) : nil) ?? location, against: url)
  } catch {
    throw TransportError(
      .redirects,
      "the redirect from \(url.string) to \"\(shownLocation(location))\" can't be followed: \(error.message)")
  }
  guard target.isSecure || !url.isSecure || allowsHTTP else {
    throw leavingTLS(from: url, to: target, "the redirect", "; `redirects: none` tests the redirect itself")
  }
  if target.fragment == nil { target.fragment = url.fragment }
  return target
}

func leavingTLS(
  from url: HTTPURL, to target: HTTPURL, _ what: String = "the way", _ alternative: String = ""
) -> TransportError {
  TransportError(
    .redirects, "\(what) from \(url.string) to \(target.string) would leave TLS and is not followed",
    help: "`redirects: {allow_http: true}` follows it\(alternative)")
}

/// A `Location` for messages: without userinfo.
private func shownLocation(_ location: String) -> Excerpt {
  var text = location
  if let slashes = text.utf8.firstIndex(of: UInt8(ascii: "/")) {
    let afterSlashes = text.utf8[slashes...].drop { $0 == UInt8(ascii: "/") }
    let authority = afterSlashes.prefix { !"/?#".utf8.contains($0) }
    if let at = authority.lastIndex(of: UInt8(ascii: "@")), authority.startIndex != text.startIndex {
      text =
        String(Substring(text.utf8[..<authority.startIndex]))
        + String(Substring(text.utf8[text.utf8.index(after: at)...]))
    }
  }
  return Excerpt(text, limit: 200)
}

/// The error for too many redirects, with their chain; one that returns to its start is shown as a loop.
func tooManyRedirects(_ urls: [HTTPURL], atMost limit: Int) -> TransportError {
  let texts = urls.map(\.string)
  var positions: [String: Int] = [:]
  for (index, text) in texts.enumerated() {
    guard let first = positions.updateValue(index, forKey: text) else { continue }
    let way = index - first == 1 ? "\(text) redirects to itself" : chainText(texts[first...index])
    let before = first == 0 ? "" : " (after \(chainText(texts[0...first])))"
    return TransportError(
      .redirects, "the redirects go in a circle: \(way)\(before)",
      help: "look at what the server wants to be sent, such as a cookie or credentials; "
        + "`redirects: none` shows its first response")
  }
  return TransportError(
    .redirects, "more than \(counted(limit, "redirect")): \(chainText(texts[...]))",
    help: "`redirects: {max: …}` allows more")
}

/// A chain of URLs; only the first and the last of a long one.
private func chainText(_ urls: ArraySlice<String>) -> String {
  guard urls.count > 6 else { return urls.joined(separator: " → ") }
  return (urls.prefix(4) + ["…"] + urls.suffix(1)).joined(separator: " → ")
}

/// Headers that describe a body and are dropped with it.
private let bodyHeaders: Set<String> = [
  "content-type", "content-length", "content-encoding", "content-language", "content-location", "content-range",
  "content-disposition", "content-md5", "content-digest", "repr-digest", "digest", "transfer-encoding", "trailer",
  "expect", "x-amz-content-sha256",
]

extension HeaderFields {
  mutating func removeBodyHeaders() {
    fields.removeAll { bodyHeaders.contains($0.name.lowercased()) }
  }

  mutating func removeCredentials() {
    for name in ["Authorization", "Proxy-Authorization", "Cookie"] { removeAll(name) }
  }
}
