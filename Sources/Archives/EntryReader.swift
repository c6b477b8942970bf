import CLibZ

/// Reads the contents of entries, one after the other, piece by piece.
struct EntryReader: ~Copyable {
  private static let pieceSize = 65_536

  private let input: UnsafeMutableRawBufferPointer
  private let output: UnsafeMutableRawBufferPointer

  init() {
    input = .allocate(byteCount: EntryReader.pieceSize, alignment: 16)
    output = .allocate(byteCount: EntryReader.pieceSize, alignment: 16)
  }

  deinit {
    input.deallocate()
    output.deallocate()
  }

  /// Hands out an entry's content; what was handed out is only right if nothing is thrown.
  ///
  /// - Parameter end: where the next entry begins.
  func read(
    _ entry: ZipEntry, of file: borrowing ArchiveFile, end: Int64,
    _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    let start = try contentOffset(of: entry, in: file, end: end)
    var crc = crc32(0, nil, 0)
    var count: Int64 = 0
    func take(_ piece: UnsafeRawBufferPointer) throws(ArchiveError) {
      count += Int64(piece.count)
      // Never more than was declared, which the limits were held against.
      if count > entry.size { throw .damaged("\(shownName(entry.name.path)) is larger than declared") }
      crc = crc32(crc, piece.bindMemory(to: UInt8.self).baseAddress, UInt32(piece.count))
      try body(piece)
    }
    switch entry.method {
    case .stored: try copy(from: file, start..<(start + entry.compressedSize), take)
    case .deflated: try inflate(entry, from: file, start..<(start + entry.compressedSize), take)
    }
    if count != entry.size { throw .damaged("\(shownName(entry.name.path)) is smaller than declared") }
    if UInt32(truncatingIfNeeded: crc) != entry.crc {
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
    // Its address must stay as it is: zlib's state points back to it.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    // Deflated bytes alone, without the header of zlib.
    guard reqrun_inflate_init(stream, -MAX_WBITS) == Z_OK else {
      throw ArchiveError(.system, "there is no memory left")
    }
    defer { inflateEnd(stream) }
    var position = range.lowerBound
    var status = Z_OK
    while status != Z_STREAM_END {
      if stream.pointee.avail_in == 0, position < range.upperBound {
        let piece = piece(of: input, count: range.upperBound - position)
        try file.fill(piece, at: position)
        position += Int64(piece.count)
        stream.pointee.next_in = piece.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_in = UInt32(piece.count)
      }
      stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
      stream.pointee.avail_out = UInt32(output.count)
      status = CLibZ.inflate(stream, Z_NO_FLUSH)
      guard status == Z_OK || status == Z_STREAM_END else {
        throw .damaged("\(shownName(entry.name.path)) cannot be decompressed")
      }
      try take(UnsafeRawBufferPointer(rebasing: output[..<(output.count - Int(stream.pointee.avail_out))]))
    }
    guard stream.pointee.avail_in == 0, position == range.upperBound else {
      throw .damaged("\(shownName(entry.name.path)) ends before its bytes do")
    }
  }

  private func piece(of buffer: UnsafeMutableRawBufferPointer, count: Int64) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(Int64(buffer.count), count))])
  }
}
