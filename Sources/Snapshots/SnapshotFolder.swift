import OperatingSystem

/// The folder with the snapshots of one spec: `__snapshots__/users.yaml` beside `users.yaml`.
package struct SnapshotFolder: Sendable {
  /// Beside the spec.
  package static let collection = "__snapshots__"

  /// Absolute, without symbolic links.
  package let path: String
  /// As messages name it.
  package let shownPath: String

  /// - Parameter spec: the path of the spec, as the user wrote it.
  package init(path: String, spec: String) {
    self.path = path
    let slash = spec.lastIndex(of: "/").map(spec.index(after:)) ?? spec.startIndex
    shownPath = spec[..<slash] + SnapshotFolder.relativePath(of: spec)
  }

  /// Whether a folder among others of the kind can be that of a spec; other tools keep theirs there, too.
  package static func isOfSpec(_ name: String) -> Bool { name.hasSuffix(".yaml") || name.hasSuffix(".yml") }

  /// The folder's path, relative to its spec's directory.
  package static func relativePath(of spec: String) -> String {
    let slash = spec.lastIndex(of: "/").map(spec.index(after:)) ?? spec.startIndex
    return "\(collection)/\(spec[slash...])"
  }

  /// The file of a name, whatever its kind; nil where there is none.
  func kind(of name: SnapshotName) -> SnapshotKind? {
    SnapshotKind.allCases.first { isThere(path(of: name, $0)) }
  }

  func path(of name: SnapshotName, _ kind: SnapshotKind) -> String { "\(path)/\(name).\(kind.rawValue)" }
  func shownPath(of name: SnapshotName, _ kind: SnapshotKind) -> String { "\(shownPath)/\(name).\(kind.rawValue)" }

  /// The snapshots that are none of these names, by their files; other files are not ours.
  package func files(except names: Set<SnapshotName>) -> [String] {
    directoryEntries(path).filter { file in
      guard let dot = file.lastIndex(of: "."), SnapshotKind(rawValue: String(file[file.index(after: dot)...])) != nil,
        let name = SnapshotName(String(file[..<dot])), name.description == file[..<dot],
        isRegularFile("\(path)/\(file)")
      else { return false }
      return !names.contains(name)
    }
  }

  /// Removes files of the folder, and the folders that are then empty.
  package func remove(_ files: [String]) {
    for file in files { removeFile("\(path)/\(file)") }
    removeDirectoryIfEmpty(path)
    if let slash = path.lastIndex(of: "/") { removeDirectoryIfEmpty(String(path[..<slash])) }
  }

  private func isThere(_ path: String) -> Bool { pathKind(path) == .file || isSymbolicLink(path) }
}
