internal import CLibZ

/// The container of compressed bytes.
package enum CompressionFormat: Sendable, Hashable, CaseIterable {
  /// RFC 1952: HTTP's `gzip`.
  case gzip
  /// RFC 1950: HTTP's `deflate` (RFC 9110, section 8.4.1.2).
  case zlib
  /// RFC 1951, without a container: as in zip archives.
  case deflate

  /// zlib's parameter for a window of 32 KiB.
  var windowBits: Int32 {
    switch self {
    case .gzip: 15 + 16
    case .zlib: 15
    case .deflate: -15
    }
  }
}

/// Compresses bytes that arrive in pieces, with zlib. The same bytes in the same pieces always have the same result.
package struct Compressor: ~Copyable {
  private let stream: ZStream
  private var output: [UInt8]
  private var isFinished = false

  /// - Parameter windowBits: the logarithm of the size of the window in bytes, from 9 to 15, for ``deflate``.
  fileprivate init(windowBits: Int) { self.init(zlibBits: -Int32(windowBits)) }

  package init(_ format: CompressionFormat) { self.init(zlibBits: format.windowBits) }

  private init(zlibBits: Int32) {
    stream = ZStream()
    output = [UInt8](repeating: 0, count: 64 << 10)
    let status = deflateInit2_(
      stream.pointer, Z_DEFAULT_COMPRESSION, Z_DEFLATED, zlibBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib starts unless memory is out")
  }

  /// Passes on the compressed bytes, possibly none yet; false once `take` has returned false.
  package mutating func compress(_ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    run(bytes, Z_NO_FLUSH, take)
  }

  /// Passes on the rest. Nothing may follow.
  package mutating func finish(_ take: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    run(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH, take)
  }

  fileprivate mutating func run(
    _ bytes: UnsafeRawBufferPointer, _ flush: Int32, _ take: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    var rest = bytes
    repeat {
      // zlib counts in 32 bits.
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
      rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
      stream.setInput(piece)
      var isFull = true
      while isFull {
        let count = output.withUnsafeMutableBytes { output in
          stream.setOutput(output)
          _ = deflate(stream.pointer, flush)
          return output.count - Int(stream.pointer.pointee.avail_out)
        }
        isFull = count == output.count
        let goesOn =
          count == 0 || output.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        if !goesOn { return false }
      }
    } while !rest.isEmpty
    return true
  }
}

/// The bytes compressed in one call.
package func compressed(_ bytes: [UInt8], _ format: CompressionFormat) -> [UInt8] {
  var result: [UInt8] = []
  var compressor = Compressor(format)
  func keep(_ piece: UnsafeRawBufferPointer) -> Bool {
    result.append(contentsOf: piece)
    return true
  }
  _ = bytes.withUnsafeBytes { compressor.compress($0, keep) }
  _ = compressor.finish(keep)
  return result
}

/// The bytes as deflate data that ends with an empty block at a byte, so that other data may follow.
///
/// - Parameter windowBits: the logarithm of the size of the window in bytes, from 9 to 15.
package func deflated(_ bytes: [UInt8], windowBits: Int) -> [UInt8] {
  var result: [UInt8] = []
  var compressor = Compressor(windowBits: windowBits)
  _ = bytes.withUnsafeBytes { bytes in
    compressor.run(bytes, Z_SYNC_FLUSH) {
      result.append(contentsOf: $0)
      return true
    }
  }
  return result
}
