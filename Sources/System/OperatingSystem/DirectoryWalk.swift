/// Walks through directories, each of them once.
package struct DirectoryWalk {
  /// The directories that it went through, by canonical path.
  package private(set) var visited: Set<String> = []

  package init() {}

  /// Returns the regular files below a directory by their paths relative to it, in order of their names.
  ///
  /// - Parameter passes: true for entries that are left out, with all below them.
  package mutating func files(below directory: String, leavingOut passes: (_ name: String) -> Bool) -> [String] {
    struct Place {
      let path: String
      let name: String
      /// The canonical path of the directory that it is in; nil for the root of the walk.
      let parent: String?
    }
    var files: [String] = []
    // The places still to visit, the next last: directories may be nested deeper than the call stack.
    var pending = [Place(path: "", name: "", parent: nil)]
    while let place = pending.popLast() {
      let path = place.path.isEmpty ? directory : joined(directory, place.path)
      switch pathKind(path) {
      case .directory:
        let canonical = canonical(place.name, in: place.parent) ?? canonicalPath(path) ?? path
        // Symbolic links may lead back to the start of the walk.
        guard visited.insert(canonical).inserted else { continue }
        for name in directoryEntries(path).reversed() where !passes(name) {
          pending.append(Place(path: joined(place.path, name), name: name, parent: canonical))
        }
      case .file: files.append(place.path)
      default: break
      }
    }
    return files
  }

  /// The canonical path of an entry, without the walk from the root that would make deep trees quadratic; nil for links.
  private func canonical(_ name: String, in parent: String?) -> String? {
    guard let parent else { return nil }
    let path = joined(parent, name)
    return isSymbolicLink(path) ? nil : path
  }

  private func joined(_ directory: String, _ name: String) -> String {
    directory.isEmpty || directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
  }
}
