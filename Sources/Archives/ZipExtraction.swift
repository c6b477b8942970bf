import OperatingSystem

/// What was extracted.
package struct ExtractedFiles: Sendable, Equatable {
  /// Without the directories.
  package let count: Int
  package let bytes: Int64
}

/// Extracts a zip archive, as a whole or not at all, and nowhere but into the directory.
///
/// A directory that isn't there is made, in one that is; to one that is there the archive's files are added, under no
/// link. Files are the user's to read and write, and everyone's to run if they are so in the archive.
///
/// - Parameters:
///   - overwrite: whether files that are there are replaced.
///   - isCancelled: asked before each piece.
package func extractZip(
  at path: String, into directory: String, overwrite: Bool = true, limits: ExtractionLimits = ExtractionLimits(),
  isCancelled: () -> Bool = { false }
) throws(ArchiveError) -> ExtractedFiles {
  let file = try ArchiveFile(path: path)
  let archive = try ZipDirectory(file, limits: limits)
  let staging = try StagingDirectory(for: directory)
  let reader = EntryReader()
  var count = 0
  for (index, entry) in archive.entries.enumerated() {
    if entry.name.isDirectory {
      try staging.makeDirectory(entry.name.components)
      continue
    }
    let end = index + 1 < archive.entries.count ? archive.entries[index + 1].headerOffset : archive.offset
    let new = try staging.makeFile(entry.name.components, isExecutable: entry.isExecutable)
    func describe(_ problem: SystemProblem) -> ArchiveError {
      ArchiveError(problem, "\(shownName(entry.name.path)) cannot be written")
    }
    try reader.read(entry, of: file, end: end) { piece throws(ArchiveError) in
      if isCancelled() { throw ArchiveError(.cancelled, "it was cancelled") }
      do throws(SystemProblem) { try new.write(piece) } catch { throw describe(error) }
    }
    do throws(SystemProblem) { try new.finish() } catch { throw describe(error) }
    count += 1
  }
  try staging.commit(overwrite: overwrite)
  return ExtractedFiles(count: count, bytes: archive.size)
}
