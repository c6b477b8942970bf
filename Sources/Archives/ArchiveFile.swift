import OperatingSystem

/// An archive, opened for reading.
struct ArchiveFile: ~Copyable {
  private let file: ReadableFile
  /// In bytes, when it was opened.
  let size: Int64

  init(path: String) throws(ArchiveError) {
    file = try ArchiveFile.opened(path)
    size = file.version.size
  }

  private static func opened(_ path: String) throws(ArchiveError) -> ReadableFile {
    do throws(SystemProblem) { return try ReadableFile(path: path) } catch { throw unreadable(error) }
  }

  private static func unreadable(_ problem: SystemProblem) -> ArchiveError {
    ArchiveError(problem, "the archive cannot be read")
  }

  func bytes(at offset: Int64, count: Int) throws(ArchiveError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var problem: ArchiveError?
    bytes.withUnsafeMutableBytes { buffer in
      do throws(ArchiveError) { try fill(buffer, at: offset) } catch { problem = error }
    }
    if let problem { throw problem }
    return bytes
  }

  /// Fills the buffer, or throws.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ArchiveError) {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count: Int
      do throws(SystemProblem) {
        count = try file.read(into: rest, at: offset + Int64(done))
      } catch {
        throw ArchiveFile.unreadable(error)
      }
      if count == 0 { throw .damaged("it ends too early") }
      done += count
    }
  }
}
