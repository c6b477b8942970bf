import OperatingSystem

/// Which certificates are trusted.
///
/// Debian's libcurl sets both a bundle and a folder, which switches its cache off: every new connection then parses the
/// whole bundle (40 to 60 ms). So exactly one of them is set where the user names none.
struct CertificateTrust: Sendable {
  /// Whether `file` replaces libcurl's own bundle; a nil file then stands for none.
  var replacesFile: Bool
  var file: String?
  var folder: String?

  /// By the variables that curl and OpenSSL know, else by what the system has.
  static let current: CertificateTrust = {
    let file = environmentSetting("CURL_CA_BUNDLE") ?? environmentSetting("SSL_CERT_FILE")
    let folder = environmentSetting("SSL_CERT_DIR")
    if file != nil || folder != nil { return CertificateTrust(replacesFile: true, file: file, folder: folder) }
    let system = "/etc/ssl/certs"
    return isHashedCertificateFolder(system)
      ? CertificateTrust(replacesFile: true, file: nil, folder: system)
      : CertificateTrust(replacesFile: false, file: nil, folder: nil)
  }()
}
