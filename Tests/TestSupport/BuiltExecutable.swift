import Foundation

/// The path of an executable of this package, in the folder that `REQRUN_PRODUCTS` names, or else beside the tests.
///
/// - Throws: with the path where it was looked for.
package func builtExecutable(_ name: String) throws -> String {
  let path = builtProductsDirectory.appendingPathComponent(name).path
  guard FileManager.default.isExecutableFile(atPath: path) else {
    throw HarnessError("there is no \(name) to test: \(path)")
  }
  return path
}

/// The folder in which SwiftPM puts executables and tests.
private var builtProductsDirectory: URL {
  if let folder = ProcessInfo.processInfo.environment["REQRUN_PRODUCTS"] { return URL(fileURLWithPath: folder) }
  #if os(Linux)
    let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    return URL(fileURLWithPath: executable ?? CommandLine.arguments[0]).deletingLastPathComponent()
  #else
    // A helper of the toolchain loads the tests as a bundle.
    return Bundle(for: TestBundle.self).bundleURL.deletingLastPathComponent()
  #endif
}

#if !os(Linux)
  /// A class that is in the bundle of the tests.
  private final class TestBundle {}
#endif

/// Something is wrong with a test's own files or surroundings.
package struct HarnessError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
