import CFNetwork
import Foundation
import HTTPSemantics
import Security

/// The capabilities of Apple's URLSession, and its configuration.
enum AppleURLSession {
  static let unsupported: [TransportFeature: String] = [
    .bodyOnGet: "URLSession refuses it",
    .methodCase: "URLSession writes it in capitals",
    .repeatedHeaders: "URLSession joins the values in one line",
    .requestTarget: "URLSession makes it from the URL",
    .rawBody: "URLSession always decodes",
    .connectTimeout: "URLSession has no such clock",
    .responseDetails: "URLSession provides the HTTP version only once the response is over",
    .headerLines: "URLSession joins them",
    .trailers: "URLSession does not show them",
    .largeBody: "URLSession is given the body as a whole",
    .transportHeaders: "URLSession sets them itself",
    .httpVersion: "URLSession chooses it",
    .http3: "URLSession chooses the version",
    .httpsProxy: "URLSession speaks to its proxies without TLS",
    .addressOverrides: "URLSession asks the name service",
    .unixSocket: "URLSession connects to hosts only",
    .interface: "URLSession chooses it",
    .upgrade: "it is spoken over libcurl; write `transport: curl`",
    .rateLimits: "URLSession has none",
  ]

  static func refusal(of options: ConnectionOptions) -> TransportError? {
    if let client = options.tls.client, client.format != .p12 {
      return .unsupported(.clientCertificate, "URLSession takes certificate and key as PKCS#12 only, not as PEM or DER")
    }
    if let proxy = options.proxy {
      // A SOCKS5 proxy is given names, never addresses.
      guard [.http, .socks5h].contains(proxy.kind) else {
        return .unsupported(.proxy, "URLSession goes through http and socks5h proxies only, not \(proxy.kind.rawValue)")
      }
      if proxy.tunnels {
        return .unsupported(.proxy, "URLSession makes a tunnel for https only")
      }
    }
    return nil
  }

  /// The errno of a failed connection, from the error or what underlies it.
  static func connectionError(_ error: NSError) -> Int32? {
    // The keys of CFStream's errors, which Foundation has no names for; domain 1 is that of errno.
    var current: NSError? = error
    for _ in 0..<4 {
      guard let error = current else { return nil }
      if error.domain == NSPOSIXErrorDomain { return Int32(exactly: error.code) }
      if error.userInfo["_kCFStreamErrorDomainKey"] as? Int == 1,
        let code = error.userInfo["_kCFStreamErrorCodeKey"] as? Int
      {
        return Int32(exactly: code)
      }
      current = error.userInfo[NSUnderlyingErrorKey] as? NSError
    }
    return nil
  }

  static func configure(_ configuration: URLSessionConfiguration, _ options: SessionOptions) {
    configuration.connectionProxyDictionary = options.proxy.map(proxyDictionary) ?? [:]
    if let version = options.tls.minVersion {
      configuration.tlsMinimumSupportedProtocolVersion = version.protocolVersion
    }
    if let version = options.tls.maxVersion {
      configuration.tlsMaximumSupportedProtocolVersion = version.protocolVersion
    }
    configuration.waitsForConnectivity = false
    configuration.httpShouldUsePipelining = false
  }

  private static func proxyDictionary(_ proxy: Proxy) -> [AnyHashable: Any] {
    var dictionary: [String: Any] = [:]
    func set(_ key: CFString, _ value: Any) { dictionary[key as String] = value }
    switch proxy.kind {
    case .http, .https:
      set(kCFNetworkProxiesHTTPEnable, 1)
      set(kCFNetworkProxiesHTTPProxy, proxy.host)
      set(kCFNetworkProxiesHTTPPort, proxy.port)
      set(kCFNetworkProxiesHTTPSEnable, 1)
      set(kCFNetworkProxiesHTTPSProxy, proxy.host)
      set(kCFNetworkProxiesHTTPSPort, proxy.port)
    case .socks4, .socks4a, .socks5, .socks5h:
      set(kCFNetworkProxiesSOCKSEnable, 1)
      set(kCFNetworkProxiesSOCKSProxy, proxy.host)
      set(kCFNetworkProxiesSOCKSPort, proxy.port)
      set(kCFStreamPropertySOCKSVersion, kCFStreamSocketSOCKSVersion5)
      // Its handshake has no challenge.
      if let username = proxy.username {
        set(kCFStreamPropertySOCKSUser, username)
        set(kCFStreamPropertySOCKSPassword, proxy.password ?? "")
      }
    }
    return dictionary
  }
}

extension TLSVersion {
  fileprivate var protocolVersion: tls_protocol_version_t {
    // By number: the names of the old versions are deprecated.
    switch self {
    case .tls10: tls_protocol_version_t(rawValue: 0x0301) ?? .TLSv12
    case .tls11: tls_protocol_version_t(rawValue: 0x0302) ?? .TLSv12
    case .tls12: .TLSv12
    case .tls13: .TLSv13
    }
  }
}
