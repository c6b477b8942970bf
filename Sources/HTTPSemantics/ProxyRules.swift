import HTTPMessages

/// Which proxy a URL is sent through; asked anew for each hop of a chain of redirects.
package final class ProxyRules: Sendable {
  private let http: Proxy?
  private let https: Proxy?
  private let exceptions: ProxyExceptions
  /// Go's rule for proxies of the environment.
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

  /// All that may be used.
  package var proxies: [Proxy] { [http, https].compactMap { $0 } }

  /// Nil goes to the server directly.
  package func proxy(for url: HTTPURL) -> Proxy? {
    guard let proxy = url.isSecure ? https : http else { return nil }
    if sparesLoopback, url.isLoopback { return nil }
    return exceptions.contain(url) ? nil : proxy
  }
}

// MARK: the environment

/// Why a variable of the environment names no proxy; never with its value.
package struct ProxyVariableProblem: Error, Sendable {
  package let variable: String
  package let problem: URLProblem
}

extension ProxyRules {
  /// The proxies that curl's variables name; nil where there are none.
  ///
  /// An empty variable is an unset one, and `HTTP_PROXY` is not read, since a CGI server sets it from a request's
  /// header. Hosts of the loopback are spared, as by Go.
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
