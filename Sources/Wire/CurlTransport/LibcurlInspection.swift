import CLibCurl

extension LibcurlTransport {
  /// The features that a libcurl may lack, and whether the one in use has them.
  package static var features: [(name: String, isSupported: Bool)] {
    guard let info = Libcurl.version else { return [] }
    let bits: [(String, Int32)] = [
      ("HTTP/2", CURL_VERSION_HTTP2), ("HTTP/3", CURL_VERSION_HTTP3), ("TLS", CURL_VERSION_SSL),
      ("gzip", CURL_VERSION_LIBZ), ("brotli", CURL_VERSION_BROTLI), ("zstd", CURL_VERSION_ZSTD),
      ("international host names", CURL_VERSION_IDN), ("IPv6", CURL_VERSION_IPV6), ("NTLM", CURL_VERSION_NTLM),
      ("Negotiate", CURL_VERSION_SPNEGO), ("Unix sockets", CURL_VERSION_UNIX_SOCKETS),
      ("proxies over TLS", CURL_VERSION_HTTPS_PROXY),
    ]
    return bits.map { ($0.0, info.features & $0.1 != 0) } + [("ends of HTTP/2 streams", Libcurl.hearsFrames)]
  }

  /// The reason why libcurl can't be used; nil if it can.
  package static var problem: (message: String, help: String?)? {
    Libcurl.isReady ? nil : (Libcurl.absence.message, Libcurl.absence.help)
  }

  /// The files and folders of the issuers that are trusted.
  package static var issuerPaths: [String] {
    let trust = CertificateTrust.current
    if trust.replacesFile { return [trust.file, trust.folder].compactMap(\.self) }
    guard let info = Libcurl.version else { return [] }
    return [info.cainfo, info.capath].compactMap { $0.map { String(cString: $0) } }
  }
}
