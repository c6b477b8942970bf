import OperatingSystem

/// Which certificates are trusted.
///
/// Debian's libcurl sets both a bundle and a folder, which switches its cache off: every new connection then parses the
/// whole bundle (40 to 60 ms). So exactly one of them is set where the user names none.
package struct CertificateTrust: Sendable, Equatable {
  /// Whether `file` replaces libcurl's own bundle; a nil file then stands for none.
  package var replacesFile: Bool
  package var file: String?
  package var folder: String?

  package init(replacesFile: Bool, file: String?, folder: String?) {
    self.replacesFile = replacesFile
    self.file = file
    self.folder = folder
  }

  static let current = CertificateTrust(setting: environmentSetting, systemFolder: "/etc/ssl/certs")

  /// By the variables that curl and OpenSSL know, else by what the system has.
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
