import OperatingSystem

extension SharedLibrary {
  #if canImport(Darwin)
    private static let publicSuffixNames = [
      "libpsl.5.dylib", "/opt/homebrew/lib/libpsl.5.dylib", "/usr/local/lib/libpsl.5.dylib",
    ]
  #else
    private static let publicSuffixNames = ["libpsl.so.5"]
  #endif

  /// The libpsl library; nil if it isn't installed.
  static var publicSuffixes: SharedLibrary? { SharedLibrary(publicSuffixNames) }
}
