import LibC

/// The names in a directory, sorted.
package func directoryEntries(_ path: String) -> [String] {
  guard let directory = opendir(path) else { return [] }
  defer { closedir(directory) }
  return entryNames { readdir(directory) }.sorted()
}

/// The names that the body reads, except `.` and `..`.
func entryNames(_ next: () -> UnsafeMutablePointer<dirent>?) -> [String] {
  var names: [String] = []
  while let entry = next() {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

/// Replaces a file by another, atomically.
package func moveFile(_ from: String, to path: String) throws(SystemProblem) {
  if rename(from, path) != 0 { throw SystemProblem(code: errno) }
}

/// Renames a file; false if the new name is taken.
func moveFile(_ from: String, toUnused path: String) throws(SystemProblem) -> Bool {
  if link(from, path) == 0 {
    unlink(from)
    return true
  }
  if errno == EEXIST { return false }
  // Not all file systems support links.
  var status = stat()
  if lstat(path, &status) == 0 { return false }
  try moveFile(from, to: path)
  return true
}

package func removeFile(_ path: String) {
  unlink(path)
}

package func removeDirectoryIfEmpty(_ path: String) {
  rmdir(path)
}

/// Creates a directory, unless there is one.
///
/// - Parameter isPrivate: whether only its owner may enter it.
package func makeDirectory(_ path: String, isPrivate: Bool) throws(SystemProblem) {
  guard mkdir(path, isPrivate ? 0o700 : 0o777) != 0 else { return }
  let code = errno
  if pathKind(path) != .directory { throw SystemProblem(code: code) }
}

/// Creates a directory and its missing parents.
func makeDirectories(_ path: String) throws(SystemProblem) {
  if hasNUL(path) { throw .nulInPath }
  var missing: [String] = []
  var existing = path[...]
  while pathKind(String(existing)) == .nothing {
    missing.append(String(existing))
    guard let slash = existing.lastIndex(of: "/"), slash != existing.startIndex else { break }
    existing = existing[..<slash]
  }
  for path in missing.reversed() where !path.isEmpty { try makeDirectory(path, isPrivate: false) }
}
