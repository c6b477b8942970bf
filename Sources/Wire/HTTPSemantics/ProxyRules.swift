import Values

/// Rules that select the proxy of a URL, for each hop of a redirect chain.
package final class ProxyRules: Sendable {
  private let http: Proxy?
  private let https: Proxy?
  private let exceptions: ProxyExceptions
  /// Indicates whether loopback hosts are excluded, as Go does for proxies from the environment.
  private let sparesLoopback: Bool

  /// One proxy for all but the exceptions.
  package convenience init(_ proxy: Proxy, exceptions: ProxyExceptions = ProxyExceptions()) {
    self.init(http: proxy, https: proxy, exceptions: exceptions, sparesLoopback: false)
  }

  private init(http: Proxy?, https: Proxy?, exceptions: ProxyExceptions, sparesLoopback: Bool) {
    self.http = http
    self.https = https
    self.exceptions = exceptions
    self.sparesLoopback = sparesLoopback
  }

  /// All proxies that may be used.
  package var proxies: [Proxy] { [http, https].compactMap { $0 } }

  /// The proxy of a URL; nil connects directly to the server.
  package func proxy(for url: HTTPURL) -> Proxy? {
    guard let proxy = url.isSecure ? https : http else { return nil }
    if sparesLoopback, url.isLoopback { return nil }
    return exceptions.contain(url) ? nil : proxy
  }
}

// MARK: the environment

/// A variable of the environment that isn't a valid proxy; the message never contains its value.
package struct ProxyVariableProblem: Error, Sendable {
  package let variable: String
  package let problem: URLProblem
}

extension ProxyRules {
  /// The proxies of the environment variables that curl reads; nil if there are none.
  ///
  /// Empty variables count as unset. `HTTP_PROXY` is not read, since a CGI server sets it from a request's header.
  /// Loopback hosts are excluded, as in Go.
  ///
  /// - Parameter exceptions: replace those of `no_proxy`.
  package static func environment(
    exceptions: ProxyExceptions? = nil, _ value: (String) -> String?
  ) throws(ProxyVariableProblem) -> ProxyRules? {
    let http = try proxy(["http_proxy", "all_proxy", "ALL_PROXY"], value)
    let https = try proxy(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"], value)
    if http == nil, https == nil { return nil }
    let list = firstSet(["no_proxy", "NO_PROXY"], value)?.text ?? ""
    return ProxyRules(
      http: http, https: https, exceptions: exceptions ?? ProxyExceptions(list), sparesLoopback: true)
  }

  private static func proxy(
    _ names: [String], _ value: (String) -> String?
  ) throws(ProxyVariableProblem) -> Proxy? {
    guard let (name, text) = firstSet(names, value) else { return nil }
    do throws(URLProblem) {
      return try Proxy(parsing: text)
    } catch {
      throw ProxyVariableProblem(variable: name, problem: error)
    }
  }

  private static func firstSet(_ names: [String], _ value: (String) -> String?) -> (name: String, text: String)? {
    for name in names {
      if let text = value(name), !text.isEmpty { return (name, text) }
    }
    return nil
  }
}
