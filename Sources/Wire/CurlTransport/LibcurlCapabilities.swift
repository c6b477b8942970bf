import CLibCurl
import HTTPSemantics

extension LibcurlTransport {
  /// The capabilities of the libcurl in use, whatever version it was compiled against.
  package static let capabilities = TransportCapabilities(kind: .curl, unsoundness: nil, unsupported: missing)

  private static let missing: [TransportFeature: String] = {
    guard let info = Libcurl.version else { return [:] }
    let version = info.version.map { "libcurl \(String(cString: $0))" } ?? "libcurl"
    var result: [TransportFeature: String] = [:]
    func require(_ feature: TransportFeature, _ bit: Int32) {
      if info.features & bit == 0 { result[feature] = "\(version) is built without it here" }
    }
    require(.http3, CURL_VERSION_HTTP3)
    require(.ntlm, CURL_VERSION_NTLM)
    require(.negotiate, CURL_VERSION_SPNEGO)
    require(.unixSocket, CURL_VERSION_UNIX_SOCKETS)
    require(.httpsProxy, CURL_VERSION_HTTPS_PROXY)
    if result[.ntlm] != nil, result[.negotiate] != nil {
      result[.connectionAuthentication] = "\(version) is built without them here"
    }
    if !CertificateRecord.isSupported {
      let library = info.ssl_version.map { String(cString: $0) } ?? "no TLS"
      result[.certificates] = "\(version) is built with \(library), and certificates are read through OpenSSL 3"
    }
    return result
  }()

  /// Returns the reason why this libcurl must not get the request; nil if it supports all of it.
  static func refusal(of request: WireRequest) -> TransportError? {
    if missing.isEmpty || request.options.isPlain && !request.options.wantsCertificates { return nil }
    guard var error = capabilities.refusal(of: request) else { return nil }
    error.help = "install a libcurl that has it, or leave it out; `reqrun doctor` shows which one is used"
    return error
  }
}
