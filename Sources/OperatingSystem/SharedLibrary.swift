import LibC

/// A library that is loaded when it is needed, and stays.
//
// Unchecked: a handle only names the library, and any thread may ask it.
package struct SharedLibrary: @unchecked Sendable {
  package let handle: UnsafeMutableRawPointer

  /// The first of the libraries that the system has; nil where it has none of them.
  package init?(_ names: [String]) {
    guard let handle = names.lazy.compactMap({ openLibrary($0) }).first else { return nil }
    self.handle = handle
  }

  private init(handle: UnsafeMutableRawPointer) {
    self.handle = handle
  }

  /// What the program is linked with.
  package static var process: SharedLibrary? { openLibrary(nil).map { SharedLibrary(handle: $0) } }

  /// A C function by its name, which the caller knows the type of.
  package func function<Function>(_ name: String) -> Function? {
    address(of: name, in: handle).map { unsafeBitCast($0, to: Function.self) }
  }
}

/// Of the process itself for a nil name.
private func openLibrary(_ name: String?) -> UnsafeMutableRawPointer? { dlopen(name, RTLD_NOW | RTLD_LOCAL) }

private func address(of symbol: String, in library: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  dlsym(library, symbol)
}
