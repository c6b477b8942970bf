internal import CLibZ

/// zlib's state. It points to itself, so its address must not change.
final class ZStream {
  enum Kind { case deflating, inflating }

  let pointer: UnsafeMutablePointer<z_stream>
  private let kind: Kind

  init(kind: Kind) {
    self.kind = kind
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: z_stream())
  }

  deinit {
    switch kind {
    case .deflating: deflateEnd(pointer)
    case .inflating: inflateEnd(pointer)
    }
    pointer.deallocate()
  }

  func setInput(_ bytes: UnsafeRawBufferPointer) {
    // zlib only reads from it.
    pointer.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
    pointer.pointee.avail_in = UInt32(bytes.count)
  }

  func setOutput(_ bytes: UnsafeMutableRawBufferPointer) {
    pointer.pointee.next_out = bytes.bindMemory(to: UInt8.self).baseAddress
    pointer.pointee.avail_out = UInt32(bytes.count)
  }

  var message: String { pointer.pointee.msg.map { String(cString: $0) } ?? "it ends in the middle" }
}

/// The checksum of gzip files and zip archives, for bytes that arrive in pieces.
package struct CRC32: Sendable, Hashable {
  package private(set) var value: UInt32 = 0

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    value = UInt32(crc32_z(UInt(value), bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count))
  }
}
