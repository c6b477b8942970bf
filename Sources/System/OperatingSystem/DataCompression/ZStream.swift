internal import CLibZ

/// zlib's state while it compresses. It points to itself, so its address must not change.
final class ZStream {
  let pointer: UnsafeMutablePointer<z_stream>

  init() {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: z_stream())
  }

  deinit {
    deflateEnd(pointer)
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
}
