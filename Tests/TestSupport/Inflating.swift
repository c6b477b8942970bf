import CLibZ

/// The result of decompressing bytes with zlib.
package struct Inflated {
  package var bytes: [UInt8] = []
  /// The number of compressed bytes up to their end.
  package var used = 0
  /// Indicates whether their end was reached, with a valid checksum if the format has one.
  package var isFinished = false
}

/// Decompresses bytes with zlib; nil if they are invalid.
///
/// - Parameter isRaw: whether they have no container; otherwise that of gzip or zlib is detected.
package func inflated(_ compressed: [UInt8], isRaw: Bool = false) -> Inflated? {
  var stream = z_stream()
  guard inflateInit2_(&stream, isRaw ? -15 : 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
  else { return nil }
  defer { inflateEnd(&stream) }
  var result = Inflated()
  var input = compressed
  var output = [UInt8](repeating: 0, count: 64 << 10)
  return input.withUnsafeMutableBufferPointer { input in
    stream.next_in = input.baseAddress
    stream.avail_in = UInt32(input.count)
    while true {
      let (status, count) = output.withUnsafeMutableBufferPointer { output in
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        let status = inflate(&stream, Z_NO_FLUSH)
        return (status, output.count - Int(stream.avail_out))
      }
      result.bytes += output[..<count]
      result.used = input.count - Int(stream.avail_in)
      result.isFinished = status == Z_STREAM_END
      if status == Z_STREAM_END || (count == 0 && status == Z_BUF_ERROR) { return result }
      guard status == Z_OK || status == Z_BUF_ERROR else { return nil }
    }
  }
}

/// The checksum of gzip files and zip archives.
package func cyclicRedundancyCheck(_ bytes: [UInt8]) -> UInt32 {
  UInt32(crc32(0, bytes, UInt32(bytes.count)))
}
