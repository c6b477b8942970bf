/// Parses absolute URLs.
///
/// Path and query stay as written: `%2F`, `[]`, dot segments and a bare `%` are kept. Characters that a request line
/// can't contain (spaces, control characters, non-ASCII and ``"<>\^`{|}``) are percent-encoded in UTF-8. Tab, CR, LF
/// and NUL are rejected, as is a backslash in the authority, since URL parsers differ on where the host then ends.
extension HTTPURL {
  package init(parsing text: String) throws(URLProblem) {
    let bytes = Array(text.utf8)
    try refuseUnsendable(bytes)
    guard let first = bytes.first else {
      throw URLProblem("the URL is empty", at: 0..<0, help: "write a URL such as http://127.0.0.1:8080/path")
    }
    guard first != UInt8(ascii: " ") else { throw URLProblem("the URL begins with a space", at: 0..<1) }
    let schemeEnd = try httpSchemeEnd(bytes)
    self = try HTTPURL(bytes, schemeEnd: schemeEnd)
  }

  /// Reads the rest of a URL whose http or https scheme ends before `schemeEnd`.
  init(_ bytes: [UInt8], schemeEnd: Int) throws(URLProblem) {
    let start = schemeEnd + 3
    guard bytes.count >= start, bytes[schemeEnd + 1] == slash, bytes[schemeEnd + 2] == slash else {
      throw URLProblem(
        "the scheme is not followed by \"//\"", at: 0..<schemeEnd + 1, help: "write http://host/path")
    }
    let scheme = String(decoding: bytes[..<schemeEnd].map { lowercasedASCII($0) }, as: UTF8.self)
    self = try HTTPURL(scheme: scheme, afterSlashes: bytes[start...])
  }

  /// Reads `authority path ?query #fragment`; the slice's indices are the offsets of problems.
  init(scheme: String, afterSlashes bytes: ArraySlice<UInt8>) throws(URLProblem) {
    let authorityEnd = bytes.firstIndex { $0 == slash || $0 == questionMark || $0 == numberSign } ?? bytes.endIndex
    let authority = bytes[..<authorityEnd]
    if let backslash = authority.firstIndex(of: UInt8(ascii: "\\")) {
      throw URLProblem(
        "a backslash can't stand before the path of a URL", at: backslash..<backslash + 1, help: "write / instead of \\"
      )
    }
    var hostAndPort = authority
    var userinfo: String?
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      hostAndPort = authority[(at + 1)...]
      if at > authority.startIndex { userinfo = percentEncoded(authority[..<at], also: "@[]") }
    }
    let (host, port) = try parseHostAndPort(hostAndPort)
    let rest = HTTPURL.PathQueryFragment(bytes[authorityEnd...])
    self.init(
      scheme: scheme, userinfo: userinfo, host: host, port: port, path: rest.path, query: rest.query,
      fragment: rest.fragment)
  }

  struct PathQueryFragment {
    var path: String
    var query: String?
    var fragment: String?

    init(_ bytes: ArraySlice<UInt8>) {
      var rest = bytes
      if let hash = rest.firstIndex(of: numberSign) {
        fragment = percentEncoded(rest[(hash + 1)...])
        rest = rest[..<hash]
      }
      if let question = rest.firstIndex(of: questionMark) {
        query = percentEncoded(rest[(question + 1)...])
        rest = rest[..<question]
      }
      path = percentEncoded(rest)
    }
  }
}

/// Shows the URL as it is sent: never its userinfo, not by reflection either.
extension HTTPURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { string }
  package var debugDescription: String { string }
  package var customMirror: Mirror { Mirror(self, children: ["string": string]) }
}

package let slash = UInt8(ascii: "/")
package let questionMark = UInt8(ascii: "?")
package let numberSign = UInt8(ascii: "#")

package func refuseUnsendable(_ bytes: [UInt8]) throws(URLProblem) {
  guard let index = bytes.firstIndex(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == 0 }) else { return }
  let name =
    switch bytes[index] {
    case 0x09: "a tab"
    case 0: "a NUL character"
    default: "a line break"
    }
  throw URLProblem("a URL can't contain \(name)", at: index..<index + 1)
}

/// The end of the scheme, that is, the offset of its colon; nil without one (RFC 3986, section 3.1).
func schemeEnd(_ bytes: some RandomAccessCollection<UInt8>) -> Int? {
  for (offset, byte) in bytes.enumerated() {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): continue
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      if offset == 0 { return nil }
    case UInt8(ascii: ":"): return offset == 0 ? nil : offset
    default: return nil
    }
  }
  return nil
}

/// The end of a scheme that is http or https.
func httpSchemeEnd(_ bytes: [UInt8]) throws(URLProblem) -> Int {
  let help = "write http:// or https:// before the host"
  guard let end = schemeEnd(bytes) else {
    throw URLProblem("the URL has no scheme", at: 0..<min(bytes.count, 1), help: help)
  }
  let scheme = String(decoding: bytes[..<end], as: UTF8.self)
  if equalsIgnoringCase(scheme, "http") || equalsIgnoringCase(scheme, "https") { return end }
  // `localhost:8080` and `example.com:80` look like a scheme.
  let next = end + 1 < bytes.count ? bytes[end + 1] : 0
  if scheme.contains(".") || equalsIgnoringCase(scheme, "localhost") || isDigit(next) {
    throw URLProblem("the URL has no scheme", at: 0..<end, help: help)
  }
  if equalsIgnoringCase(scheme, "ws") || equalsIgnoringCase(scheme, "wss") {
    throw URLProblem(
      "the scheme \"\(scheme)\" is that of a WebSocket", at: 0..<end,
      help: "add `stream: {format: websocket}` to the request, or write http:// or https://")
  }
  throw URLProblem("the scheme \"\(scheme)\" is not http or https", at: 0..<end, help: "write http:// or https://")
}

/// The URL of a WebSocket with the scheme of the requests that open it (RFC 6455, section 4.1); nil for any other URL.
package func httpForm(ofWebSocket url: String) -> String? {
  guard let first = url.utf8.first, first | 0x20 == UInt8(ascii: "w"),
    let end = url.utf8.firstIndex(of: UInt8(ascii: ":"))
  else { return nil }
  let scheme = String(url[..<end])
  guard equalsIgnoringCase(scheme, "ws") || equalsIgnoringCase(scheme, "wss") else { return nil }
  return "http" + url.dropFirst(2)
}

/// The URL of a WebSocket for that of the request that opens it.
package func webSocketForm(ofHTTP url: String) -> String { "ws" + url.dropFirst(4) }
