import Values

/// The hosts that are reached without a proxy (curl's `no_proxy`).
package struct ProxyExceptions: Sendable, Hashable {
  package enum Entry: Sendable, Hashable {
    /// `*`
    case all
    /// A host, and all below it; with a port, only that port.
    case host(String, port: Int?)
    case address(IPAddress, port: Int?)
    /// `10.0.0.0/8`, `fe80::/10`
    case network(IPAddress, bits: Int)

    /// Reads a host, `.host`, `host:port`, an address or a network; nil if the text isn't one.
    package init?(_ text: some StringProtocol) {
      if text == "*" {
        self = .all
      } else if let mark = text.firstIndex(of: "/") {
        guard let address = IPAddress(text[..<mark]), let bits = Int(text[text.index(after: mark)...]),
          (0...address.octets.count * 8).contains(bits)
        else { return nil }
        self = .network(address, bits: bits)
      } else if let address = IPAddress(text) {
        self = .address(address, port: nil)
      } else {
        let name = text.hasPrefix("*.") ? text.dropFirst(2) : text.drop { $0 == "." }
        guard let url = try? HTTPURL(parsing: "http://\(name)"), url.userinfo == nil, url.originForm == "/",
          url.fragment == nil
        else { return nil }
        self = IPAddress(url.host).map { .address($0, port: url.port) } ?? .host(url.hostWithoutDot, port: url.port)
      }
    }

    fileprivate func matches(_ url: HTTPURL, _ address: IPAddress?) -> Bool {
      switch self {
      case .all: return true
      case .host(let host, let port):
        guard address == nil, port == nil || port == url.effectivePort else { return false }
        return url.hostWithoutDot == host || url.hostWithoutDot.hasSuffix("." + host)
      case .address(let own, let port): return address == own && (port == nil || port == url.effectivePort)
      case .network(let network, let bits): return address?.sharesPrefix(of: bits, with: network) ?? false
      }
    }
  }

  package var entries: [Entry]

  package init(_ entries: [Entry] = []) {
    self.entries = entries
  }

  /// A list separated by commas or spaces; invalid entries match nothing, as in curl.
  package init(_ list: String) {
    entries = Self.split(list).compactMap { Entry($0) }
  }

  /// The parts of a list.
  package static func split(_ list: String) -> [Substring] {
    list.split { $0 == "," || $0 == " " || $0 == "\t" }
  }

  package func contain(_ url: HTTPURL) -> Bool {
    guard !entries.isEmpty else { return false }
    let address = IPAddress(url.host)
    return entries.contains { $0.matches(url, address) }
  }
}

extension HTTPURL {
  /// Indicates whether the host is a loopback name or address.
  package var isLoopback: Bool {
    hostWithoutDot == "localhost" || hostWithoutDot.hasSuffix(".localhost") || IPAddress(host)?.isLoopback == true
  }

  /// The host without the final dot of a fully qualified name.
  fileprivate var hostWithoutDot: String { host.hasSuffix(".") ? String(host.dropLast()) : host }
}
