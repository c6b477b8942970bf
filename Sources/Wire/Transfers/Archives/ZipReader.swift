import CLibArchive
import OperatingSystem

/// Reads the entries of a zip archive in the order of its central directory, with libarchive.
final class ZipReader {
  private let library: reqrun_libarchive
  private let archive: OpaquePointer
  private let localeBefore: UnsafeMutableRawPointer?
  private let limits: ExtractionLimits
  private var count = 0

  /// The size of reads from the file.
  private static let blockSize = 65_536

  /// - Parameter file: must stay open as long as this.
  init(_ file: borrowing ReadableFile, limits: ExtractionLimits) throws(ArchiveError) {
    guard let library = libarchive, let archive = library.archive_read_new() else {
      throw ArchiveError(.unsupported, archiveProblem()?.message ?? "there is no memory for the archive")
    }
    self.library = library
    self.archive = archive
    self.limits = limits
    localeBefore = reqrun_enter_utf8()
    guard library.archive_read_support_format_zip_seekable(archive) == ARCHIVE_OK,
      library.archive_read_open_fd(archive, file.descriptor, ZipReader.blockSize) == ARCHIVE_OK
    else { throw try ZipReader.unreadable(file) }
  }

  deinit {
    _ = library.archive_read_free(archive)
    reqrun_leave_utf8(localeBefore)
  }

  /// The error for a file that libarchive rejects: one that isn't an archive has no end record.
  private static func unreadable(_ file: borrowing ReadableFile) throws(ArchiveError) -> ArchiveError {
    var start: [UInt8] = [0, 0, 0, 0]
    let count = try? start.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    return switch count == 4 ? start : [] {
    case [0x50, 0x4B, 3, 4]: .damaged("its list of entries is missing")
    case [0x50, 0x4B, 5, 6]: ArchiveError(.damaged, "the archive holds nothing")
    default: ArchiveError(.damaged, "it is not a zip archive")
    }
  }

  private func problem() -> ArchiveError {
    guard let reason = library.archive_error_string(archive) else { return .damaged("it ends too early") }
    let text = String(cString: reason)
    return .damaged(text.hasSuffix(".") ? String(text.dropLast()) : text)
  }

  /// The next entry; nil after the last.
  func next() throws(ArchiveError) -> ZipEntry? {
    var entry: OpaquePointer?
    switch library.archive_read_next_header(archive, &entry) {
    case ARCHIVE_EOF: return nil
    case ARCHIVE_OK: break
    default: throw problem()
    }
    guard let entry else { return nil }
    count += 1
    if count > limits.entries {
      throw ArchiveError(.unsafe, "the archive has more than \(limits.entries) entries")
    }
    guard let bytes = library.archive_entry_pathname(entry) else { throw .damaged("an entry has no name") }
    let text = unmarkedName(
      Array(UnsafeBufferPointer(start: bytes, count: lengthOfText(bytes))).map { UInt8(bitPattern: $0) }[...])
    func refuse(_ why: String) -> ArchiveError {
      ArchiveError(.unsupported, "the archive's entry \(shownName(text)) \(why)")
    }
    var name = try EntryName(text)
    if library.archive_entry_is_encrypted(entry) != 0 {
      throw refuse("is encrypted; only archives without a password can be extracted")
    }
    if library.archive_entry_hardlink(entry) != nil { throw refuse("is a link; none are made") }
    switch UInt32(library.archive_entry_filetype(entry)) {
    case 0, 0o100000: break
    case 0o040000: name = name.asDirectory
    case 0o120000: throw refuse("is a symbolic link; none are made, for one can lead anywhere")
    default: throw refuse("is neither a file nor a directory")
    }
    if name.components.isEmpty, !name.isDirectory { throw refuse("is a file without a name") }
    let size = library.archive_entry_size_is_set(entry) != 0 ? library.archive_entry_size(entry) : 0
    guard size >= 0 else { throw .damaged("the size of \(shownName(text)) is negative") }
    return ZipEntry(
      name: name, size: size, isExecutable: UInt32(library.archive_entry_perm(entry)) & 0o100 != 0)
  }

  /// Reads the next bytes of the entry's content; returns their number, 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
    let count = library.archive_read_data(archive, buffer.baseAddress, buffer.count)
    if count < 0 { throw problem() }
    return count
  }
}

private func lengthOfText(_ text: UnsafePointer<CChar>) -> Int {
  var count = 0
  while text[count] != 0 { count += 1 }
  return count
}

/// One entry of an archive.
struct ZipEntry: Hashable {
  let name: EntryName
  /// The declared size; 0 if there is none.
  let size: Int64
  let isExecutable: Bool
}
