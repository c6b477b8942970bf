import DataCompression

/// Reads the contents of entries, one after the other, piece by piece.
struct EntryReader: ~Copyable {
  private static let pieceSize = 65_536

  private let input: UnsafeMutableRawBufferPointer

  init() {
    input = .allocate(byteCount: EntryReader.pieceSize, alignment: 16)
  }

  deinit {
    input.deallocate()
  }

  /// Hands out an entry's content; what was handed out is only right if nothing is thrown.
  ///
  /// - Parameter end: where the next entry begins.
  func read(
    _ entry: ZipEntry, of file: borrowing ArchiveFile, end: Int64,
    _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    let start = try contentOffset(of: entry, in: file, end: end)
    var crc = CRC32()
    var count: Int64 = 0
    func take(_ piece: UnsafeRawBufferPointer) throws(ArchiveError) {
      count += Int64(piece.count)
      // Never more than was declared, which the limits were held against.
      if count > entry.size { throw .damaged("\(shownName(entry.name.path)) is larger than declared") }
      crc.update(piece)
      try body(piece)
    }
    switch entry.method {
    case .stored: try copy(from: file, start..<(start + entry.compressedSize), take)
    case .deflated: try inflate(entry, from: file, start..<(start + entry.compressedSize), take)
    }
    if count != entry.size { throw .damaged("\(shownName(entry.name.path)) is smaller than declared") }
    if crc.value != entry.crc {
      throw .damaged("the checksum of \(shownName(entry.name.path)) differs")
    }
  }

  /// Where an entry's content begins, behind a header that must agree with the list of entries.
  private func contentOffset(
    of entry: ZipEntry, in file: borrowing ArchiveFile, end: Int64
  ) throws(ArchiveError) -> Int64 {
    let length = ZipEntry.localHeaderLength + entry.rawName.count
    let bytes = try file.bytes(at: entry.headerOffset, count: length)
    let header = ByteFields(bytes)
    guard header.number32(0) == 0x0403_4B50, header.number16(8) == entry.method.rawValue,
      header.number16(6) & 0x41 == 0,
      Int(header.number16(26)) == entry.rawName.count,
      header.slice(ZipEntry.localHeaderLength, count: entry.rawName.count) == entry.rawName[...]
    else { throw .damaged("the header of \(shownName(entry.name.path)) isn't what the list of entries says") }
    let offset = entry.headerOffset + Int64(length) + Int64(header.number16(28))
    guard entry.compressedSize <= end - offset else {
      throw ArchiveError(.unsafe, "the archive's entry \(shownName(entry.name.path)) overlaps what is behind it")
    }
    return offset
  }

  private func copy(
    from file: borrowing ArchiveFile, _ range: Range<Int64>,
    _ take: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var position = range.lowerBound
    while position < range.upperBound {
      let piece = piece(of: input, count: range.upperBound - position)
      try file.fill(piece, at: position)
      try take(UnsafeRawBufferPointer(piece))
      position += Int64(piece.count)
    }
  }

  private func inflate(
    _ entry: ZipEntry, from file: borrowing ArchiveFile, _ range: Range<Int64>,
    _ take: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var decompressor = Decompressor(.deflate)
    var position = range.lowerBound
    var problem: ArchiveError?
    while position < range.upperBound, !decompressor.isFinished {
      let piece = piece(of: input, count: range.upperBound - position)
      try file.fill(piece, at: position)
      do throws(DecompressionError) {
        position += Int64(
          try decompressor.decompress(UnsafeRawBufferPointer(piece)) { bytes in
            do throws(ArchiveError) { try take(bytes) } catch { problem = error }
            return problem == nil
          })
      } catch {
        throw .damaged("\(shownName(entry.name.path)) cannot be decompressed: \(error.reason)")
      }
      if let problem { throw problem }
    }
    guard decompressor.isFinished, position == range.upperBound else {
      throw .damaged("\(shownName(entry.name.path)) ends before its bytes do, or after them")
    }
  }

  private func piece(of buffer: UnsafeMutableRawBufferPointer, count: Int64) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(Int64(buffer.count), count))])
  }
}
