import HTTPSemantics
import Values

/// The options of a curl command for the connection.
struct CurlConnectionWords {
  let request: ResolvedRequest
  let masked: CommandMasking

  private var options: ConnectionOptions { request.outgoing.options }

  var words: [String] {
    guard let connection = request.connection else { return environmentWords }
    return trustWords(connection) + certificateWords(connection) + proxyWords(connection) + versionWords
      + addressWords(connection)
  }

  private func word(_ text: Text) -> String { masked.quoted(masked(text)) }

  private func option(_ name: String, _ text: Text?) -> [String] { text.map { [name, word($0)] } ?? [] }

  // MARK: TLS

  private func trustWords(_ connection: ResolvedConnection) -> [String] {
    let tls = options.tls
    var words = tls.verifies ? [] : ["--insecure"]
    words += option("--cacert", connection.certificateAuthorities)
    if let version = tls.minVersion { words.append("--tlsv\(version.rawValue)") }
    if let version = tls.maxVersion { words += ["--tls-max", version.rawValue] }
    if !tls.pinnedKeys.isEmpty {
      words += ["--pinnedpubkey", masked.quoted(tls.pinnedKeys.map { "sha256//\($0)" }.joined(separator: ";"))]
    }
    return words
  }

  private func certificateWords(_ connection: ResolvedConnection) -> [String] {
    guard let client = options.tls.client, let certificate = connection.certificate else { return [] }
    // A colon would start the passphrase.
    var words = ["--cert", word(certificate.mapRuns { $0.replacing("\\", with: "\\\\").replacing(":", with: "\\:") })]
    if client.format != .pem { words += ["--cert-type", client.format.rawValue.uppercased()] }
    words += option("--key", connection.key)
    if let passphrase = client.passphrase { words += ["--pass", masked.quoted(masked.secret(passphrase))] }
    return words
  }

  // MARK: proxies

  private func proxyWords(_ connection: ResolvedConnection) -> [String] {
    if connection.isProxyOff { return ["--noproxy", "'*'"] }
    guard let proxy = connection.proxy else { return environmentWords }
    var words = option("--proxy", connection.proxyURL)
    if proxy.username != nil || proxy.password != nil {
      let username = connection.proxyUsername.map { masked($0) } ?? ""
      words += ["--proxy-user", masked.quoted("\(username):\(masked.secret(proxy.password ?? ""))")]
    }
    if proxy.authentication != .basic { words.append("--proxy-\(proxy.authentication.rawValue)") }
    if proxy.tunnels { words.append("--proxytunnel") }
    // Otherwise those of the environment would apply.
    return words + ["--noproxy", connection.proxyExceptions.map(word) ?? "''"]
  }

  /// Options for the environment's proxy for the URL, which curl may choose differently, or in another environment.
  private var environmentWords: [String] {
    guard let proxies = request.outgoing.proxies else { return [] }
    guard let proxy = proxies.proxy(for: request.outgoing.url) else { return ["--noproxy", "'*'"] }
    var words = ["--proxy", masked.quoted("\(proxy.kind.rawValue)://\(proxy.authority)")]
    if proxy.username != nil || proxy.password != nil {
      words += [
        "--proxy-user", masked.quoted("\(masked.secret(proxy.username ?? "")):\(masked.secret(proxy.password ?? ""))"),
      ]
    }
    return words
  }

  // MARK: versions and addresses

  private var versionWords: [String] {
    var words: [String] =
      switch options.httpVersion {
      case .automatic: []
      case .http10: ["--http1.0"]
      case .http11: ["--http1.1"]
      case .http2: ["--http2"]
      case .http2PriorKnowledge: ["--http2-prior-knowledge"]
      case .http3: ["--http3"]
      case .http3Only: ["--http3-only"]
      }
    switch options.addressFamily {
    case .any: break
    case .ipv4: words.append("--ipv4")
    case .ipv6: words.append("--ipv6")
    }
    return words
  }

  private func addressWords(_ connection: ResolvedConnection) -> [String] {
    var words: [String] = []
    for text in connection.addressOverrides { words += option("--resolve", text) }
    for text in connection.connectTo { words += option("--connect-to", text) }
    if let socket = connection.unixSocket {
      words +=
        socket.string.hasPrefix("@")
        ? option("--abstract-unix-socket", socket.dropping(first: 1)) : option("--unix-socket", socket)
    }
    words += option("--interface", connection.interface)
    // curl has one limit for both directions.
    if let rate = [options.maxReceiveRate, options.maxSendRate].compactMap({ $0 }).min() {
      words += ["--limit-rate", String(rate)]
    }
    return words
  }
}
