import LibC

/// A library that is loaded on demand, and stays loaded.
// Unchecked: a handle only identifies the library, and any thread may use it.
package struct SharedLibrary: @unchecked Sendable {
  package let handle: UnsafeMutableRawPointer

  /// Loads the first of the libraries that is installed; nil without any.
  package init?(_ names: [String]) {
    guard let handle = names.lazy.compactMap({ openLibrary($0) }).first else { return nil }
    self.handle = handle
  }

  private init(handle: UnsafeMutableRawPointer) {
    self.handle = handle
  }

  /// The libraries that the program is linked with.
  package static var process: SharedLibrary? { openLibrary(nil).map { SharedLibrary(handle: $0) } }

  /// A C function by its name; the caller knows its type.
  package func function<Function>(_ name: String) -> Function? {
    address(of: name, in: handle).map { unsafeBitCast($0, to: Function.self) }
  }
}

/// Opens a library; nil is the process itself.
private func openLibrary(_ name: String?) -> UnsafeMutableRawPointer? { dlopen(name, RTLD_NOW | RTLD_LOCAL) }

private func address(of symbol: String, in library: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  dlsym(library, symbol)
}
