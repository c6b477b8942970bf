import OperatingSystem

/// The trusted certificates.
///
/// Debian's libcurl sets both a bundle and a folder, which disables its cache: every new connection then parses the
/// whole bundle (40 to 60 ms). So exactly one of them is set unless the user names one.
package struct CertificateTrust: Sendable, Equatable {
  /// Indicates whether `file` replaces libcurl's own bundle; a nil file then means none.
  package var replacesFile: Bool
  package var file: String?
  package var folder: String?

  package init(replacesFile: Bool, file: String?, folder: String?) {
    self.replacesFile = replacesFile
    self.file = file
    self.folder = folder
  }

  static let current = CertificateTrust(setting: environmentSetting, systemFolder: "/etc/ssl/certs")

  /// Reads the variables that curl and OpenSSL use, with the system's certificates as default.
  package init(setting: (_ variable: String) -> String?, systemFolder: String) {
    let file = setting("CURL_CA_BUNDLE") ?? setting("SSL_CERT_FILE")
    let folder = setting("SSL_CERT_DIR")
    if file != nil || folder != nil {
      self.init(replacesFile: true, file: file, folder: folder)
    } else if isHashedCertificateFolder(systemFolder) {
      self.init(replacesFile: true, file: nil, folder: systemFolder)
    } else {
      self.init(replacesFile: false, file: nil, folder: nil)
    }
  }
}
