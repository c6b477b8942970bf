/// The bytes as a gzip file (RFC 1952) of stored blocks: encoded, but not smaller.
func gzipStored(_ bytes: [UInt8]) -> [UInt8] {
  [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + storedBlocks(bytes) + littleEndian(crc32(bytes))
    + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
}

/// The bytes in the zlib format (RFC 1950), which HTTP calls deflate, of stored blocks.
func zlibStored(_ bytes: [UInt8]) -> [UInt8] {
  [0x78, 0x01] + storedBlocks(bytes) + littleEndian(adler32(bytes)).reversed()
}

/// RFC 1951, section 3.2.4.
private func storedBlocks(_ bytes: [UInt8]) -> [UInt8] {
  var result: [UInt8] = []
  var rest = bytes[...]
  repeat {
    let block = rest.prefix(0xFFFF)
    rest = rest.dropFirst(block.count)
    let length = UInt16(block.count)
    result.append(rest.isEmpty ? 1 : 0)
    result += [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
    result += block
  } while !rest.isEmpty
  return result
}

private func littleEndian(_ value: UInt32) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

private func crc32(_ bytes: [UInt8]) -> UInt32 {
  var remainder = UInt32.max
  for byte in bytes {
    remainder ^= UInt32(byte)
    for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
  }
  return ~remainder
}

private func adler32(_ bytes: [UInt8]) -> UInt32 {
  var (a, b): (UInt32, UInt32) = (1, 0)
  for byte in bytes {
    a = (a + UInt32(byte)) % 65_521
    b = (b + a) % 65_521
  }
  return b << 16 | a
}
