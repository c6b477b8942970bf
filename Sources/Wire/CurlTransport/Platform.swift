import LibC

/// Returns whether the folder contains certificates named by the hashes of their subjects, as `c_rehash` makes them.
func isHashedCertificateFolder(_ path: String) -> Bool {
  guard let folder = opendir(path) else { return false }
  defer { closedir(folder) }
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
      tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
        String(cString: $0)
      }
    }
    if name.utf8.count == 10, name.hasSuffix(".0") { return true }
  }
  return false
}
