import OperatingSystem

/// The folder with the snapshots of one spec: `__snapshots__/users.yaml` beside `users.yaml`.
package struct SnapshotFolder: Sendable {
  /// The folder beside the spec.
  package static let collection = "__snapshots__"

  /// The absolute path without symbolic links.
  package let path: String
  /// The path for messages.
  package let shownPath: String

  /// - Parameter spec: the path of the spec, as the user wrote it.
  package init(path: String, spec: String) {
    self.path = path
    let slash = spec.lastIndex(of: "/").map(spec.index(after:)) ?? spec.startIndex
    shownPath = spec[..<slash] + SnapshotFolder.relativePath(of: spec)
  }

  /// Returns whether a folder in the collection can be that of a spec; other tools store theirs there, too.
  package static func isOfSpec(_ name: String) -> Bool { name.hasSuffix(".yaml") || name.hasSuffix(".yml") }

  /// The folder's path, relative to its spec's directory.
  package static func relativePath(of spec: String) -> String {
    let slash = spec.lastIndex(of: "/").map(spec.index(after:)) ?? spec.startIndex
    return "\(collection)/\(spec[slash...])"
  }

  /// The kind of the file with a name; nil if there is none.
  func kind(of name: SnapshotName) -> SnapshotKind? {
    SnapshotKind.allCases.first { isThere(path(of: name, $0)) }
  }

  /// The content of the snapshot with a name; nil if there is none that can be read.
  package func content(of name: SnapshotName) -> (kind: SnapshotKind, content: SnapshotContent)? {
    guard let kind = kind(of: name),
      case .success(let bytes) = readFile(path(of: name, kind), limit: SnapshotBody.limit),
      let content = try? SnapshotContent(stored: bytes, as: kind, ignoring: [])
    else { return nil }
    return (kind, content)
  }

  func path(of name: SnapshotName, _ kind: SnapshotKind) -> String { "\(path)/\(name).\(kind.rawValue)" }
  func shownPath(of name: SnapshotName, _ kind: SnapshotKind) -> String { "\(shownPath)/\(name).\(kind.rawValue)" }

  /// The files of snapshots with other names than these; files of other kinds aren't ours.
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
