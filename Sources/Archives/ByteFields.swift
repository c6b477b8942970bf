/// The little-endian numbers and the byte strings of a record.
struct ByteFields {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  var count: Int { bytes.count }

  // Callers have checked that the record is that long; zero stands beyond its end.

  func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[bytes.startIndex + offset] : 0 }

  func number16(_ offset: Int) -> UInt16 { UInt16(byte(offset)) | UInt16(byte(offset + 1)) << 8 }

  func number32(_ offset: Int) -> UInt32 { UInt32(number16(offset)) | UInt32(number16(offset + 2)) << 16 }

  func number64(_ offset: Int) -> UInt64 { UInt64(number32(offset)) | UInt64(number32(offset + 4)) << 32 }

  /// Nil if the record ends before.
  func slice(_ offset: Int, count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, count <= bytes.count - offset else { return nil }
    return bytes[(bytes.startIndex + offset)..<(bytes.startIndex + offset + count)]
  }
}
