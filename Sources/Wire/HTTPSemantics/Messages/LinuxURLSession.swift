/// Limitations of URLSession in swift-corelibs-foundation: listed here so that `reqrun` need not link it.
package enum LinuxURLSession {
  /// Set to nil once Foundation is fixed: there is a test for each of these.
  package static let unsoundness: String? =
    "Foundation on Linux ends the process that reads a response with trailers, or one that is cut off in its headers"

  package static let unsupported: [TransportFeature: String] = [
    .bodyOnGet: "URLSession refuses it on GET and drops it on HEAD",
    .methodCase: "URLSession writes it in capitals",
    .repeatedHeaders: "URLSession joins the values in one line",
    .requestTarget: "URLSession makes it from the URL",
    .ipv6Literal: "Foundation on Linux refuses such URLs",
    .rawBody: "URLSession always decodes",
    .connectTimeout: "URLSession has no such clock",
    .largeBody: "URLSession on Linux holds the body in memory",
    .transportHeaders: "URLSession sets them itself",
    .responseDetails: "URLSession on Linux does not provide them",
    .headerLines: "URLSession joins them",
    .trailers: "URLSession does not show them",
    .serverTrust: "URLSession on Linux always checks against the system's certificates",
    .tlsVersions: "URLSession on Linux does not offer it",
    .clientCertificate: "URLSession on Linux has no identities",
    .proxy: "URLSession on Linux ignores the proxies of a session",
    .httpVersion: "URLSession chooses it",
    .addressOverrides: "URLSession asks the name service",
    .unixSocket: "URLSession connects to hosts only",
    .interface: "URLSession chooses it",
    .rateLimits: "URLSession has none",
    .connectionAuthentication: "Foundation on Linux ends or hangs in such challenges",
    .certificates: "URLSession on Linux does not provide them",
    .upgrade: "it is spoken over libcurl; write `transport: curl`",
  ]
}
