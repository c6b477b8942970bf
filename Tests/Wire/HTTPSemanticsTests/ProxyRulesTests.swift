import HTTPSemantics
import Testing
import Values

@Suite("Which proxy a URL is sent through")
struct ProxyRulesTests {
  struct Exception: Sendable, CustomTestStringConvertible {
    let list: String
    let url: String
    let isMatch: Bool
    var testDescription: String { "\(list) and \(url)" }
  }

  static let exceptions: [Exception] = [
    .init(list: "example.com", url: "http://example.com/", isMatch: true),
    .init(list: "example.com", url: "http://EXAMPLE.com./", isMatch: true),
    .init(list: "example.com", url: "http://www.example.com/", isMatch: true),
    .init(list: "example.com", url: "http://notexample.com/", isMatch: false),
    .init(list: ".example.com", url: "http://a.example.com/", isMatch: true),
    .init(list: ".example.com", url: "http://example.com/", isMatch: true),
    .init(list: "*.example.com", url: "http://a.example.com/", isMatch: true),
    .init(list: "a.com, b.com", url: "http://b.com/", isMatch: true),
    .init(list: "a.com b.com", url: "http://b.com/", isMatch: true),
    .init(list: "bücher.de", url: "http://xn--bcher-kva.de/", isMatch: true),
    .init(list: "*", url: "https://anything/", isMatch: true),
    .init(list: "", url: "https://anything/", isMatch: false),
    .init(list: "h:8080", url: "http://h:8080/", isMatch: true),
    .init(list: "h:8080", url: "http://h/", isMatch: false),
    .init(list: "h:443", url: "https://h/", isMatch: true),
    .init(list: "10.1.2.3", url: "http://10.1.2.3/", isMatch: true),
    .init(list: "2.3", url: "http://10.1.2.3/", isMatch: false),
    .init(list: "10.0.0.0/8", url: "http://10.1.2.3/", isMatch: true),
    .init(list: "10.0.0.0/8", url: "http://11.1.2.3/", isMatch: false),
    .init(list: "192.168.0.0/22", url: "http://192.168.3.1/", isMatch: true),
    .init(list: "192.168.0.0/22", url: "http://192.168.4.1/", isMatch: false),
    .init(list: "0.0.0.0/0", url: "http://8.8.8.8/", isMatch: true),
    .init(list: "10.0.0.0/8", url: "http://ten.example.com/", isMatch: false),
    .init(list: "fe80::/10", url: "http://[febf::1]/", isMatch: true),
    .init(list: "fe80::/10", url: "http://[fec0::1]/", isMatch: false),
    .init(list: "0:0::1", url: "http://[::1]/", isMatch: true),
    .init(list: "[::1]:80", url: "http://[::1]/", isMatch: true),
    .init(list: "[::1]:81", url: "http://[::1]/", isMatch: false),
    .init(list: "10.0.0.1", url: "http://[::ffff:10.0.0.1]/", isMatch: true),
    .init(list: "10.0.0.0/99, h/x", url: "http://h/", isMatch: false),
  ]

  @Test("no_proxy", arguments: exceptions)
  func noProxy(_ test: Exception) throws {
    let proxy = Proxy(kind: .http, host: "p", port: 1)
    let rules = ProxyRules(proxy, exceptions: ProxyExceptions(test.list))
    #expect((rules.proxy(for: try HTTPURL(parsing: test.url)) == nil) == test.isMatch)
  }

  struct Environment: Sendable, CustomTestStringConvertible {
    let name: String
    let variables: [String: String]
    let url: String
    /// Nil goes there directly.
    let proxy: String?
    var testDescription: String { name }
  }

  static let environments: [Environment] = [
    .init(name: "none", variables: [:], url: "http://h/", proxy: nil),
    .init(name: "http", variables: ["http_proxy": "p:3128"], url: "http://h/", proxy: "http://p:3128"),
    .init(name: "http is not for https", variables: ["http_proxy": "p:3128"], url: "https://h/", proxy: nil),
    .init(name: "a request's header", variables: ["HTTP_PROXY": "p:3128"], url: "http://h/", proxy: nil),
    .init(name: "https", variables: ["https_proxy": "https://p"], url: "https://h/", proxy: "https://p:443"),
    .init(name: "HTTPS", variables: ["HTTPS_PROXY": "p"], url: "https://h/", proxy: "http://p:1080"),
    .init(
      name: "small letters win", variables: ["HTTPS_PROXY": "a", "https_proxy": "b"], url: "https://h/",
      proxy: "http://b:1080"),
    .init(name: "all", variables: ["all_proxy": "socks5://p"], url: "http://h/", proxy: "socks5://p:1080"),
    .init(name: "ALL", variables: ["ALL_PROXY": "socks5h://p"], url: "https://h/", proxy: "socks5h://p:1080"),
    .init(
      name: "the scheme's own wins", variables: ["all_proxy": "a", "http_proxy": "b"], url: "http://h/",
      proxy: "http://b:1080"),
    .init(
      name: "empty is unset", variables: ["http_proxy": "", "all_proxy": "a"], url: "http://h/", proxy: "http://a:1080"),
    .init(name: "no_proxy", variables: ["http_proxy": "p", "no_proxy": "h"], url: "http://h/", proxy: nil),
    .init(name: "NO_PROXY", variables: ["http_proxy": "p", "NO_PROXY": "h"], url: "http://h/", proxy: nil),
    .init(name: "localhost", variables: ["http_proxy": "p"], url: "http://localhost/", proxy: nil),
    .init(name: "below localhost", variables: ["http_proxy": "p"], url: "http://a.localhost/", proxy: nil),
    .init(name: "loopback", variables: ["http_proxy": "p"], url: "http://127.9.9.9/", proxy: nil),
    .init(name: "IPv6's loopback", variables: ["http_proxy": "p"], url: "http://[::1]/", proxy: nil),
    .init(
      name: "a name like an address", variables: ["http_proxy": "p"], url: "http://127.example.com/",
      proxy: "http://p:1080"),
  ]

  @Test("The environment", arguments: environments)
  func environment(_ test: Environment) throws {
    let rules = try ProxyRules.environment { test.variables[$0] }
    #expect(rules?.proxy(for: try HTTPURL(parsing: test.url))?.description == test.proxy)
  }

  @Test("A variable that names no proxy is an error without its value")
  func wrongVariable() throws {
    #expect {
      _ = try ProxyRules.environment { $0 == "all_proxy" ? "http://ann:hunter2@h h" : nil }
    } throws: { error in
      let problem = error as? ProxyVariableProblem
      return problem?.variable == "all_proxy" && problem?.problem.message == "a space can't stand in a host name"
    }
  }

  @Test("A proxy of the request's own is used for the loopback too")
  func ownProxy() throws {
    let rules = ProxyRules(Proxy(kind: .http, host: "p", port: 1))
    #expect(rules.proxy(for: try HTTPURL(parsing: "http://127.0.0.1/"))?.host == "p")
  }
}
