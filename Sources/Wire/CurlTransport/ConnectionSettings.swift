import CLibCurl
import HTTPSemantics
import Values

extension CurlOptions {
  mutating func setConnection(_ request: WireRequest) {
    let options = request.options
    setVersion(options)
    if let proxy = options.proxy { setProxy(proxy) }
    set(list: CURLOPT_RESOLVE, options.addressOverrides.map(\.curlText))
    set(list: CURLOPT_CONNECT_TO, options.connectTo.map(\.curlText))
    if let path = options.unixSocket {
      if path.hasPrefix("@") {
        set(CURLOPT_ABSTRACT_UNIX_SOCKET, String(path.dropFirst()))
      } else {
        set(CURLOPT_UNIX_SOCKET_PATH, path)
      }
    }
    if let interface = options.interface { set(CURLOPT_INTERFACE, interface) }
    switch options.addressFamily {
    case .any: break
    case .ipv4: set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
    case .ipv6: set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
    }
    if let rate = options.maxReceiveRate {
      // ``ReceiveRate`` enforces the rate: a buffer is what it lets through at once. With small buffers libcurl 7.88
      // doesn't see the end of an HTTP/2 stream after a pause.
      if !request.maySpeakHTTP2 { set(CURLOPT_BUFFERSIZE, Int(min(16_384, max(1024, rate / 16)))) }
    }
    if let rate = options.maxSendRate { set(offset: CURLOPT_MAX_SEND_SPEED_LARGE, rate) }
    switch options.connectionAuthentication {
    case .ntlm(let username, let password):
      set(CURLOPT_HTTPAUTH, reqrun_auth_ntlm)
      set(CURLOPT_USERNAME, username)
      set(CURLOPT_PASSWORD, password)
    case .negotiate:
      set(CURLOPT_HTTPAUTH, reqrun_auth_negotiate)
      // libcurl authenticates only if there is a name; GSS-API has its own.
      set(CURLOPT_USERNAME, "")
    case nil: break
    }
  }

  private mutating func setVersion(_ options: ConnectionOptions) {
    var version =
      switch options.httpVersion {
      case .automatic: Int(CURL_HTTP_VERSION_2TLS)
      case .http10: Int(CURL_HTTP_VERSION_1_0)
      case .http11: Int(CURL_HTTP_VERSION_1_1)
      case .http2: Int(CURL_HTTP_VERSION_2_0)
      case .http2PriorKnowledge: Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
      case .http3: Int(CURL_HTTP_VERSION_3)
      case .http3Only: Int(CURL_HTTP_VERSION_3ONLY)
      }
    // NTLM can't be used with HTTP/2, where a connection carries everyone's requests.
    if case .ntlm? = options.connectionAuthentication, options.httpVersion == .automatic {
      version = Int(CURL_HTTP_VERSION_1_1)
    }
    if options.httpVersion != .automatic || options.connectionAuthentication != nil {
      set(CURLOPT_HTTP_VERSION, version)
    }
    // Before 8.0, libcurl starts HTTP/2 again on a reused connection, and fails.
    if options.httpVersion == .http2PriorKnowledge, let version = Libcurl.version,
      version.version_num < 0x080000
    {
      set(CURLOPT_FRESH_CONNECT, 1)
      set(CURLOPT_FORBID_REUSE, 1)
    }
  }

  private mutating func setProxy(_ proxy: Proxy) {
    set(CURLOPT_PROXY, bracketed(proxy.host))
    set(CURLOPT_PROXYPORT, proxy.port)
    // The decision for a proxy was made before: `no_proxy` of the environment doesn't matter.
    set(CURLOPT_NOPROXY, "")
    let kind =
      switch proxy.kind {
      case .http: reqrun_proxy_http
      case .https: reqrun_proxy_https
      case .socks4: reqrun_proxy_socks4
      case .socks4a: reqrun_proxy_socks4a
      case .socks5: reqrun_proxy_socks5
      case .socks5h: reqrun_proxy_socks5_hostname
      }
    set(CURLOPT_PROXYTYPE, kind)
    if proxy.tunnels { set(CURLOPT_HTTPPROXYTUNNEL, 1) }
    let authentication =
      switch proxy.authentication {
      case .basic: reqrun_auth_basic
      case .digest: reqrun_auth_digest
      case .ntlm: reqrun_auth_ntlm
      case .negotiate: reqrun_auth_negotiate
      }
    set(CURLOPT_PROXYAUTH, authentication)
    if proxy.kind.isSOCKS {
      set(CURLOPT_SOCKS5_AUTH, proxy.authentication == .negotiate ? reqrun_auth_negotiate : reqrun_auth_basic)
    }
    let username = proxy.username ?? (proxy.authentication == .negotiate ? "" : nil)
    if let username {
      set(CURLOPT_PROXYUSERNAME, username)
      set(CURLOPT_PROXYPASSWORD, proxy.password ?? "")
    }
  }

  // MARK: TLS

  mutating func setTLS(_ request: WireRequest, _ trust: CertificateTrust, _ certificates: CertificateRecord) {
    let tls = request.options.tls
    let trust = tls.certificateAuthorities.map { CertificateTrust(replacesFile: true, file: $0, folder: nil) } ?? trust
    if trust.replacesFile { set(CURLOPT_CAINFO, trust.file) }
    set(CURLOPT_CAPATH, trust.folder)
    if !tls.verifies {
      set(CURLOPT_SSL_VERIFYPEER, 0)
      set(CURLOPT_SSL_VERIFYHOST, 0)
    }
    let version = tls.curlVersions
    if version != 0 { set(CURLOPT_SSLVERSION, version) }
    // OpenSSL's default level rejects these versions, whatever is requested.
    if tls.allowsOldVersions { set(CURLOPT_SSL_CIPHER_LIST, "DEFAULT@SECLEVEL=0") }
    if let client = tls.client { set(client) }
    if !tls.pinnedKeys.isEmpty {
      set(CURLOPT_PINNEDPUBLICKEY, tls.pinnedKeys.map(\.asPinnedKey).joined(separator: ";"))
    }
    if request.options.proxy?.kind == .https {
      if trust.replacesFile { set(CURLOPT_PROXY_CAINFO, trust.file) }
      set(CURLOPT_PROXY_CAPATH, trust.folder)
      if version != 0 { set(CURLOPT_PROXY_SSLVERSION, version) }
    }
    if request.options.wantsCertificates {
      // A resumed session sends no certificates.
      set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    }
    guard CertificateRecord.isSupported else { return }
    accept(
      reqrun_set_tls_callback(
        easy,
        { _, context, record in
          if let context, let record {
            Unmanaged<CertificateRecord>.fromOpaque(record).takeUnretainedValue().follow(OpaquePointer(context))
          }
          return CURLE_OK
        }, Unmanaged.passUnretained(certificates).toOpaque()), CURLOPT_SSL_CTX_FUNCTION)
  }

  private mutating func set(_ client: ClientCertificate) {
    set(CURLOPT_SSLCERT, client.certificate)
    set(CURLOPT_SSLCERTTYPE, client.format.rawValue.uppercased())
    if client.format != .p12 {
      let key = client.key ?? client.certificate
      set(CURLOPT_SSLKEY, key)
      // A DER certificate may come with a PEM key, and vice versa.
      set(CURLOPT_SSLKEYTYPE, client.format == .pem || TLSFiles.isPEM(key) ? "PEM" : "DER")
    }
    if let passphrase = client.passphrase { set(CURLOPT_KEYPASSWD, passphrase) }
  }
}

extension Proxy.Kind {
  var isSOCKS: Bool { self != .http && self != .https }
}

extension TLSOptions {
  fileprivate var curlVersions: Int {
    func number(_ version: TLSVersion) -> Int {
      switch version {
      case .tls10: Int(CURL_SSLVERSION_TLSv1_0)
      case .tls11: Int(CURL_SSLVERSION_TLSv1_1)
      case .tls12: Int(CURL_SSLVERSION_TLSv1_2)
      case .tls13: Int(CURL_SSLVERSION_TLSv1_3)
      }
    }
    // libcurl would start at 1.2 if only a maximum version is given.
    let least = minVersion ?? (maxVersion.map { $0 < .tls12 } == true ? maxVersion : nil)
    return (least.map(number) ?? 0) | (maxVersion.map { number($0) << 16 } ?? 0)
  }

  fileprivate var allowsOldVersions: Bool { [minVersion, maxVersion].contains { $0.map { $0 < .tls12 } ?? false } }
}

extension String {
  /// The hash of a key in libcurl's form.
  var asPinnedKey: String { hasPrefix("sha256//") ? self : "sha256//\(self)" }
}

extension AddressOverride {
  fileprivate var curlText: String {
    "\(hostAndPort(host, port)):\(addresses.map(bracketed).joined(separator: ","))"
  }
}

extension ConnectTo {
  fileprivate var curlText: String {
    "\(bracketed(host)):\(port.map(String.init) ?? ""):\(bracketed(targetHost)):\(targetPort.map(String.init) ?? "")"
  }
}

extension WireRequest {
  /// Indicates whether the proxy opens a tunnel (`CONNECT`).
  var opensTunnel: Bool {
    options.proxy.map { !$0.kind.isSOCKS && (url.isSecure || $0.tunnels) } ?? false
  }

  /// The request target: the whole URL for a proxy that forwards the request (RFC 9112, section 3.2.2).
  var lineTarget: String {
    guard !url.isSecure, let proxy = options.proxy, !proxy.kind.isSOCKS, !proxy.tunnels else {
      return requestTarget ?? url.originForm
    }
    // `OPTIONS *` through a proxy (RFC 9112, section 3.2.4).
    return requestTarget.map { $0 == "*" ? "\(url.scheme)://\(url.authority)" : $0 } ?? url.string
  }

  fileprivate var maySpeakHTTP2: Bool {
    switch options.httpVersion {
    case .automatic: url.isSecure
    case .http10, .http11: false
    case .http2, .http2PriorKnowledge, .http3, .http3Only: true
    }
  }

  /// Returns whether libcurl may continue by itself after this head, with the next step of an authentication handshake.
  func mayBeAnswered(byTransport head: ResponseHead) -> Bool {
    head.status == 401 && options.connectionAuthentication != nil || head.status == 407 && options.proxy != nil
  }
}
