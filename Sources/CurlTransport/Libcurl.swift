import CLibCurl
import HTTPMessages

/// The library, which is loaded on the first look at it.
enum Libcurl {
  /// Whether it is there and can be used.
  static let isReady = reqrun_load_libcurl() && reqrun_global_init() == CURLE_OK

  static let absence = TransportError(
    .connection, "libcurl, which sends requests, is not installed here",
    help: "install libcurl 4 (Debian: libcurl4)")

  /// What is known of the library that runs; nil where there is none.
  static var version: curl_version_info_data? { isReady ? reqrun_version_info().pointee : nil }
}
