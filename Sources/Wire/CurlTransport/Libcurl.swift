import CLibCurl
import HTTPSemantics

/// The library, loaded on first access.
enum Libcurl {
  /// Indicates whether it is installed and usable.
  static let isReady = reqrun_load_libcurl() && reqrun_global_init() == CURLE_OK

  /// Indicates whether the ends of HTTP/2 streams are known beside libcurl's result.
  static var hearsFrames: Bool { isReady && reqrun_hears_frames() }

  static var absence: TransportError {
    let help = "install libcurl 4 (Debian: libcurl4)"
    // A library that it needs may be missing.
    if !isReady, let reason = reqrun_libcurl_problem().map({ String(cString: $0) }),
      !reason.hasPrefix("libcurl.so.4:")
    {
      return TransportError(
        .connection, "libcurl, which sends requests, cannot be loaded: \(reason)",
        help: "install it with all that it needs (Debian: libcurl4)")
    }
    return TransportError(.connection, "libcurl, which sends requests, is not installed here", help: help)
  }

  /// The version information of the library in use; nil if there is none.
  static var version: curl_version_info_data? { isReady ? reqrun_version_info().pointee : nil }
}
