/// What URLSession of swift-corelibs-foundation cannot do: known here, so that `reqrun` need not link it to tell.
package enum LinuxURLSession {
  /// The line to set to nil, once a Foundation runs here that survives all this: a test of each kind says so.
  package static let unsoundness: String? =
    "Foundation on Linux ends the process that reads an answer with trailers, or one that is cut off in its headers"

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
    .answerDetails: "URLSession on Linux does not tell them",
    .headerLines: "URLSession joins them",
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
    .certificates: "URLSession on Linux does not tell them",
  ]
}
