#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A library that is used only where the system has it.
struct SharedLibrary {
  private let handle: UnsafeMutableRawPointer

  #if canImport(Darwin)
    private static let publicSuffixNames = [
      "libpsl.5.dylib", "/opt/homebrew/lib/libpsl.5.dylib", "/usr/local/lib/libpsl.5.dylib",
    ]
  #else
    private static let publicSuffixNames = ["libpsl.so.5"]
  #endif

  /// libpsl; nil where it isn't installed.
  static var publicSuffixes: SharedLibrary? {
    for name in publicSuffixNames {
      if let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) { return SharedLibrary(handle: handle) }
    }
    return nil
  }

  /// A C function by its name, which the caller knows the type of.
  func function<Function>(_ name: String) -> Function? {
    dlsym(handle, name).map { unsafeBitCast($0, to: Function.self) }
  }
}
