import Values

extension Proxy {
  /// The port of a proxy whose address has none.
  package static let defaultPort = 1080

  /// Reads `scheme://user:password@host:port` as curl does: the default scheme is `http`, the default port 443 for
  /// `https` and 1080 for all others.
  ///
  /// No message shows the userinfo.
  package init(parsing text: String) throws(URLProblem) {
    let bytes = Array(text.utf8)
    try refuseUnsendable(bytes)
    guard !bytes.isEmpty else {
      throw URLProblem("the proxy's URL is empty", at: 0..<0, help: "write `none` for no proxy")
    }
    var kind = Kind.http
    if let end = text.firstRange(of: "://") {
      let count = text.utf8.distance(from: text.startIndex, to: end.lowerBound)
      guard let known = Kind(rawValue: text[..<end.lowerBound].lowercased()) else {
        throw URLProblem(
          "a proxy's scheme is one of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))", at: 0..<count)
      }
      kind = known
    }
    let authority = bytes[Self.authority(of: text)]
    let path = bytes[authority.endIndex...]
    guard path.isEmpty || (path.count == 1 && path.first == slash) else {
      throw URLProblem("a proxy's URL ends with its host and port", at: path.indices)
    }
    var hostAndPort = authority
    var username: String?
    var password: String?
    if let userinfo = Self.userinfo(of: text) {
      hostAndPort = authority[(userinfo.upperBound + 1)...]
      let parts = String(decoding: bytes[userinfo], as: UTF8.self).split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      username = percentDecoded(parts[0])
      password = parts.count > 1 ? percentDecoded(parts[1]) : nil
    }
    guard let first = hostAndPort.first, first != UInt8(ascii: ":") else {
      throw URLProblem("the proxy's URL has no host", at: hostAndPort.indices, help: "write http://host:port")
    }
    let (host, port) = try parseHostAndPort(hostAndPort)
    self.init(
      kind: kind, host: host, port: port ?? (kind == .https ? 443 : Proxy.defaultPort), username: username,
      password: password)
  }

  /// The UTF-8 range of the userinfo in the text of a proxy's URL, without its `@`; nil if there is none.
  package static func userinfo(of text: String) -> Range<Int>? {
    let bytes = Array(text.utf8)
    let range = authority(of: text)
    return bytes[range].lastIndex(of: UInt8(ascii: "@")).map { range.lowerBound..<$0 }
  }

  private static func authority(of text: String) -> Range<Int> {
    let bytes = Array(text.utf8)
    let start = text.firstRange(of: "://").map { text.utf8.distance(from: text.startIndex, to: $0.upperBound) } ?? 0
    let end = bytes[start...].firstIndex { $0 == slash || $0 == questionMark || $0 == numberSign } ?? bytes.endIndex
    return start..<end
  }
}
