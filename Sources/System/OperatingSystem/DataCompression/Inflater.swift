internal import CLibZ

/// Decompresses deflate data without a container (RFC 1951) that arrives in pieces, with zlib.
///
/// It belongs to one reader, which is used by one thread at a time.
// Unchecked: as the state of its reader, it is in the region or behind the lock of that.
package final class Inflater: @unchecked Sendable {
  /// The data is not deflate data.
  package struct Malformed: Error {}

  // It points to itself, so its address must not change.
  private let stream: UnsafeMutablePointer<z_stream>
  private var output = [UInt8](repeating: 0, count: 32 << 10)

  package init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = inflateInit2_(
      stream, CompressionFormat.deflate.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib starts unless memory is out")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Indicates whether the last byte was the end of a block.
  package var isBetweenBlocks: Bool { stream.pointee.data_type & 0x80 != 0 }

  /// Passes on the decompressed bytes; false once `take` has returned false. Other data may follow a last block.
  package func inflate(
    _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool
  ) throws(Malformed) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      // zlib counts in 32 bits, and only reads from it.
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
      rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
      stream.pointee.next_in = UnsafeMutablePointer(mutating: piece.bindMemory(to: UInt8.self).baseAddress)
      stream.pointee.avail_in = UInt32(piece.count)
      var goesOn = true
      while goesOn {
        let (status, count) = inflateMore()
        let isWanted = count == 0 || output.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        if !isWanted { return false }
        switch status {
        case Z_OK: goesOn = count == output.count || stream.pointee.avail_in > 0
        // There is nothing more to do.
        case Z_BUF_ERROR: goesOn = false
        case Z_STREAM_END:
          inflateReset(stream)
          goesOn = stream.pointee.avail_in > 0
        default: throw Malformed()
        }
      }
    }
    return true
  }

  private func inflateMore() -> (status: Int32, count: Int) {
    output.withUnsafeMutableBytes { output in
      stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
      stream.pointee.avail_out = UInt32(output.count)
      let status = CLibZ.inflate(stream, Z_SYNC_FLUSH)
      return (status, output.count - Int(stream.pointee.avail_out))
    }
  }
}
