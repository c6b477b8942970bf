import OperatingSystem
import Values

/// The contents of an archive, checked before anything is extracted.
struct ZipContents {
  let entries: [ZipEntry]

  /// The maximum size of all names together, since they are held in memory.
  private static let maxNameBytes = 64 << 20

  init(_ file: borrowing ReadableFile, limits: ExtractionLimits, allowsSpecs: Bool) throws(ArchiveError) {
    let reader = try ZipReader(file, limits: limits)
    var entries: [ZipEntry] = []
    var nameBytes = 0
    while let entry = try reader.next() {
      entries.append(entry)
      nameBytes += entry.name.path.utf8.count
      if nameBytes > ZipContents.maxNameBytes { throw ArchiveError(.unsafe, "the names in the archive are too long") }
    }
    var total: Int64 = 0
    for entry in entries {
      total = total.addingClamped(entry.size)
      if !allowsSpecs, !entry.name.isDirectory, let name = entry.name.components.last, isSpecName(name) {
        throw ArchiveError(
          .unsafe,
          "the archive's entry \(shownName(entry.name.path)) could be taken for a spec by a later run; unpack it into a "
            + "directory whose name begins with `_`, which runs pass over")
      }
    }
    try limits.check(total, of: file.version.size)
    try ZipContents.checkNames(entries)
    self.entries = entries
  }

  /// Names that differ in case alone are the same to some file systems.
  private static func checkNames(_ entries: [ZipEntry]) throws(ArchiveError) {
    // The value is false for files.
    var known: [[String]: Bool] = [:]
    known.reserveCapacity(entries.count)
    func folded(_ components: some Collection<String>) -> [String] { components.map { $0.lowercased() } }
    for entry in entries where !entry.name.components.isEmpty {
      if known.updateValue(entry.name.isDirectory, forKey: folded(entry.name.components)) != nil {
        throw ArchiveError(.unsafe, "the archive has two entries \(shownName(entry.name.path))")
      }
    }
    for entry in entries where entry.name.components.count > 1 {
      var parent = entry.name.components.dropLast()
      while !parent.isEmpty {
        if known[folded(parent)] == false {
          throw ArchiveError(
            .unsafe, "the archive's entry \(shownName(parent.joined(separator: "/"))) is a file and a directory")
        }
        parent = parent.dropLast()
      }
    }
  }
}

extension ExtractionLimits {
  /// Throws if an archive may not expand to that many bytes.
  func check(_ total: Int64, of archiveSize: Int64) throws(ArchiveError) {
    if total > size {
      throw ArchiveError(
        .unsafe, "the archive expands to more than \(size) bytes; --max-download allows more if that is right")
    }
    let ratio = total / max(1, archiveSize)
    if total > ExtractionLimits.harmlessSize, ratio > self.ratio {
      throw ArchiveError(
        .unsafe, "the archive expands to more than \(self.ratio) times its size, as no honest one does")
    }
  }
}
