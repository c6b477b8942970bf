import CLibCurl
import HTTPMessages

/// The library, loaded on first access.
enum Libcurl {
  /// Indicates whether it is installed and usable.
  static let isReady = reqrun_load_libcurl() && reqrun_global_init() == CURLE_OK

  static let absence = TransportError(
    .connection, "libcurl, which sends requests, is not installed here",
    help: "install libcurl 4 (Debian: libcurl4)")

  /// The version information of the library in use; nil if there is none.
  static var version: curl_version_info_data? { isReady ? reqrun_version_info().pointee : nil }
}
