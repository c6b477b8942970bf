import OperatingSystem

/// The result of an extraction.
package struct ExtractedFiles: Sendable, Equatable {
  /// The number of files, without directories.
  package let count: Int
  package let bytes: Int64
}

/// Extracts a zip archive, completely or not at all, and only into the directory.
///
/// A missing directory is created in an existing one; to an existing one the archive's files are added, never through a
/// link. The user may read and write the files, and everyone may execute those that are executable in the archive. The
/// Finder's own files are left out.
///
/// - Parameters:
///   - overwrite: whether existing files are replaced, except specs; identical files are always allowed.
///   - allowsSpecs: whether there may be files that a run would take for specs.
///   - isCancelled: called before each piece.
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
      // Declared sizes may be wrong, and entries may share their bytes.
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
