import Values

/// A URL as it is typed: `:8080/x`, `example.org/x`, `/x`, `http+unix://%2Frun%2Fx.sock/x`.
struct SendURL: Sendable {
  /// The URL of the request; without a scheme it goes after the project's `base_url`.
  let text: String
  /// The path of the socket of an `http+unix` URL.
  private(set) var socket: String?
  /// The URL of the server alone; nil if the project has it, or a template.
  private(set) var server: HTTPURL?
  /// The user and the password in front of the host; nil if there are none.
  private(set) var userinfo: (user: String, password: String)?

  init(_ typed: String) throws(SendProblem) {
    let whole = try Self.expanded(typed)
    socket = whole.socket
    guard let scheme = whole.text.firstRange(of: "://"), !whole.text.hasPrefix("${{") else {
      text = whole.text
      return
    }
    var authority = whole.text[scheme.upperBound...].prefix { !"/?#".contains($0) }
    if let at = authority.lastIndex(of: "@"), !authority.contains("${{") {
      let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      userinfo = (percentDecoded(parts[0]), parts.count > 1 ? percentDecoded(parts[1]) : "")
      authority = authority[authority.index(after: at)...]
    }
    let origin = whole.text[..<scheme.upperBound] + authority
    text = String(origin + whole.text[authority.endIndex...])
    let address = httpForm(ofWebSocket: String(origin)) ?? String(origin)
    server = authority.contains("${{") ? nil : try? HTTPURL(parsing: address)
  }

  /// Adds what may be left out.
  private static func expanded(_ typed: String) throws(SendProblem) -> (text: String, socket: String?) {
    if typed.isEmpty { throw SendProblem("the URL is empty", help: "write a host, :PORT/path or /path") }
    if let separator = typed.firstRange(of: "://"), separator.lowerBound > typed.startIndex,
      typed[..<separator.lowerBound].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
    {
      let scheme = typed[..<separator.lowerBound].lowercased()
      guard scheme.hasSuffix("+unix") else {
        return (typed, nil)
      }
      let rest = typed[separator.upperBound...]
      let path = rest.prefix { !"/?#".contains($0) }
      guard !path.isEmpty else {
        throw SendProblem(
          "\"\(typed)\" has no path of a socket", help: "write http+unix://%2Frun%2Fservice.sock/path")
      }
      return ("\(scheme.dropLast(5))://localhost\(rest[path.endIndex...])", percentDecoded(path))
    }
    if typed.hasPrefix("://") {
      return (withScheme(String(typed.dropFirst(3))), nil)
    }
    if typed.first == ":", !typed.hasPrefix("::") {
      let port = typed.dropFirst().prefix { $0.isASCII && $0.isNumber }
      let rest = typed.dropFirst(1 + port.count)
      return ("http://localhost" + (port.isEmpty ? "" : ":\(port)") + rest, nil)
    }
    return typed.first.map("/?#".contains) ?? true || typed.hasPrefix("${{") ? (typed, nil) : (withScheme(typed), nil)
  }

  /// Adds the scheme: https, but http for hosts on the loopback.
  private static func withScheme(_ text: String) -> String {
    let authority = text.prefix { !"/?#".contains($0) }
    let server = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    let host: Substring
    if server.first == "[" {
      host = server.dropFirst().prefix { $0 != "]" }
    } else {
      host = server.prefix { $0 != ":" }
    }
    let name = host.lowercased()
    let isLocal =
      name == "localhost" || name.hasSuffix(".localhost") || name == "0.0.0.0" || IPAddress(name)?.isLoopback == true
    return (isLocal ? "http://" : "https://") + text
  }
}

extension SendArguments {
  /// Indicates whether the request opens a WebSocket.
  package var opensWebSocket: Bool { httpForm(ofWebSocket: url.text) != nil }

  /// The server of a request.
  package struct Server: Sendable {
    package let host: String
    /// The host, with the port unless that is the scheme's.
    package let authority: String
    package let isSecure: Bool
    /// The name of the origin, which no other one has: `https+example.org`, `http+localhost+8080`.
    package let origin: String
  }

  /// Nil if the project has it, or a template.
  package var server: Server? {
    url.server.map { server in
      let port = server.effectivePort == (server.isSecure ? 443 : 80) ? [] : [String(server.effectivePort)]
      let parts = url.socket.map { ["\(server.scheme)+unix", $0] } ?? [server.scheme, server.host] + port
      return Server(
        host: server.host, authority: server.authority, isSecure: server.isSecure,
        origin: parts.map { percentEncoded($0, allowed: .unreserved) }.joined(separator: "+"))
    }
  }

  /// The proxy for the URL: of values for one scheme, such as `https:http://proxy:3128`, the last that fits.
  package func proxy(among values: [String]) -> String? {
    let scheme = url.text.firstRange(of: "://").map { url.text[..<$0.lowerBound].lowercased() }
    var general: String?
    var special: String?
    for value in values {
      let prefix = ["http", "https", "all"].first { value.lowercased().hasPrefix("\($0):") }
      let rest = value.dropFirst((prefix ?? "").count + 1)
      guard let prefix, !rest.hasPrefix("//"), !rest.allSatisfy(\.isNumber) else {
        general = value
        continue
      }
      if prefix == "all" { general = String(rest) } else if prefix == scheme ?? prefix { special = String(rest) }
    }
    return special ?? general
  }
}
