internal import CLibZ

/// The error in compressed bytes, in zlib's words.
package struct DecompressionError: Error, Sendable, Hashable {
  package let reason: String
}

/// Decompresses bytes that arrive in pieces, with zlib.
package struct Decompressor: ~Copyable {
  private let stream: ZStream
  private var output: [UInt8]
  /// Indicates whether the end of the compressed bytes was reached, with a valid checksum if the format has one.
  package private(set) var isFinished = false

  package init(_ format: CompressionFormat) {
    stream = ZStream(kind: .inflating)
    output = [UInt8](repeating: 0, count: 64 << 10)
    let status = inflateInit2_(
      stream.pointer, format.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib starts unless memory is out")
  }

  /// Passes on the decompressed bytes in pieces of up to 64 KiB, until `take` returns false.
  ///
  /// - Returns: the number of bytes used: fewer than given if the end is among them, or if `take` returned false.
  package mutating func decompress(
    _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool
  ) throws(DecompressionError) -> Int {
    var used = 0
    while used < bytes.count, !isFinished {
      // zlib counts in 32 bits.
      let piece = UnsafeRawBufferPointer(rebasing: bytes[used...].prefix(1 << 30))
      stream.setInput(piece)
      var isFull = true
      while isFull, !isFinished {
        let (status, count) = output.withUnsafeMutableBytes { output in
          stream.setOutput(output)
          let status = inflate(stream.pointer, Z_NO_FLUSH)
          return (status, output.count - Int(stream.pointer.pointee.avail_out))
        }
        // Z_BUF_ERROR: there was nothing left to do.
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
          throw DecompressionError(reason: stream.message)
        }
        isFinished = status == Z_STREAM_END
        isFull = count == output.count
        let goesOn = count == 0 || output.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        if !goesOn { return used + piece.count - Int(stream.pointer.pointee.avail_in) }
      }
      used += piece.count - Int(stream.pointer.pointee.avail_in)
    }
    return used
  }
}
