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
/// link. Files are the user's to read and write, and everyone's to run if they are so in the archive. What the Finder
/// adds for itself is left out.
///
/// - Parameters:
///   - overwrite: whether files that are there are replaced, but for specs; those that are the same may be there.
///   - allowsSpecs: whether there may be files that a run would take for specs.
///   - isCancelled: asked before each piece.
package func extractZip(
  at path: String, into directory: String, overwrite: Bool = false, allowsSpecs: Bool = false,
  limits: ExtractionLimits = ExtractionLimits(), isCancelled: () -> Bool = { false }
) throws(ArchiveError) -> ExtractedFiles {
  let file = try openedArchive(path)
  let contents = try ZipContents(file, limits: limits, allowsSpecs: allowsSpecs)
  let staging = try StagingDirectory(for: directory)
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
  defer { buffer.deallocate() }
  let reader = try ZipReader(file, limits: limits)
  var (count, bytes): (Int, Int64) = (0, 0)
  for known in contents.entries {
    guard let entry = try reader.next(), entry == known else { throw .damaged("it was changed meanwhile") }
    if entry.name.isOfFinder { continue }
    if entry.name.isDirectory {
      try staging.makeDirectory(entry.name.components)
      continue
    }
    let new = try staging.makeFile(entry.name.components, isExecutable: entry.isExecutable)
    func describe(_ problem: SystemProblem) -> ArchiveError {
      ArchiveError(problem, "\(shownName(entry.name.path)) cannot be written")
    }
    while true {
      if isCancelled() { throw ArchiveError(.cancelled, "it was cancelled") }
      let piece = try reader.read(into: buffer)
      if piece == 0 { break }
      // What is declared need not be true, and entries may share their bytes.
      bytes += Int64(piece)
      try limits.check(bytes, of: file.version.size)
      do throws(SystemProblem) {
        try new.write(UnsafeRawBufferPointer(rebasing: buffer[..<piece]))
      } catch { throw describe(error) }
    }
    do throws(SystemProblem) { try new.finish() } catch { throw describe(error) }
    count += 1
  }
  try staging.commit(overwrite: overwrite)
  return ExtractedFiles(count: count, bytes: bytes)
}

private func openedArchive(_ path: String) throws(ArchiveError) -> ReadableFile {
  do throws(SystemProblem) {
    return try ReadableFile(path: path)
  } catch {
    throw ArchiveError(error, "the archive cannot be read")
  }
}
