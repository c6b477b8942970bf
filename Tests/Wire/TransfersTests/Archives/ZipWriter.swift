import OperatingSystem
import TestSupport

/// An entry of an archive to be written, as right or as wrong as the test wants it.
struct TestEntry {
  var name: [UInt8]
  var content: [UInt8] = []
  var isDeflated = false
  var isMarkedUTF8 = true
  /// What stands in the list of entries instead of the truth.
  var listedSize: UInt32?
  var listedCRC: UInt32?
  var listedMethod: UInt16?
  var listedFlags: UInt16 = 0
  /// The mode of Unix, in the upper half.
  var attributes: UInt32 = 0o100644 << 16
  var system: UInt8 = 3
  var hasDescriptor = false
  var isZip64 = false
  /// In both lists.
  var extra: [UInt8] = []
  /// Where the list says that it begins, instead of where it does.
  var listedOffset: UInt32?

  init(_ name: String, _ content: String = "", deflated: Bool = false) {
    self.name = Array(name.utf8)
    self.content = Array(content.utf8)
    isDeflated = deflated
  }
}

/// Writes an archive.
///
/// - Parameters:
///   - prefix: what stands before it.
///   - zip64: whether the record at its end has the larger form too.
func zipArchive(
  _ entries: [TestEntry], prefix: [UInt8] = [], comment: [UInt8] = [], zip64: Bool = false
) -> [UInt8] {
  var file: [UInt8] = []
  var list: [UInt8] = []
  for entry in entries {
    let offset = UInt32(file.count)
    let data = entry.isDeflated ? compressed(entry.content, .deflate) : entry.content
    let crc = cyclicRedundancyCheck(entry.content)
    let method: UInt16 = entry.listedMethod ?? (entry.isDeflated ? 8 : 0)
    let flags = entry.listedFlags | (entry.isMarkedUTF8 ? 0x800 : 0) | (entry.hasDescriptor ? 8 : 0)
    file += bytes(0x0403_4B50 as UInt32) + bytes(20 as UInt16) + bytes(flags) + bytes(method) + bytes(0 as UInt32)
    file +=
      entry.hasDescriptor
      ? [UInt8](repeating: 0, count: 12) : bytes(crc) + bytes(UInt32(data.count)) + bytes(UInt32(entry.content.count))
    file += bytes(UInt16(entry.name.count)) + bytes(UInt16(4 + entry.extra.count)) + entry.name
    // An extra field that no one knows.
    file += [0xFE, 0xCA, 0, 0] + entry.extra + data
    if entry.hasDescriptor {
      file += bytes(0x0807_4B50 as UInt32) + bytes(crc) + bytes(UInt32(data.count)) + bytes(UInt32(entry.content.count))
    }
    let name = entry.name
    let size = entry.listedSize ?? UInt32(entry.content.count)
    var extra = entry.extra
    if entry.isZip64 {
      extra += bytes(1 as UInt16) + bytes(24 as UInt16)
      extra += bytes(UInt64(size)) + bytes(UInt64(data.count)) + bytes(UInt64(offset))
    }
    list += bytes(0x0201_4B50 as UInt32) + [20, entry.system] + bytes(20 as UInt16) + bytes(flags) + bytes(method)
    list += bytes(0 as UInt32) + bytes(entry.listedCRC ?? crc)
    list += entry.isZip64 ? [UInt8](repeating: 0xFF, count: 8) : bytes(UInt32(data.count)) + bytes(size)
    list += bytes(UInt16(name.count)) + bytes(UInt16(extra.count)) + bytes(0 as UInt16) + bytes(0 as UInt16)
    list += bytes(0 as UInt16) + bytes(entry.attributes)
    list += bytes(entry.isZip64 ? .max : entry.listedOffset ?? offset) + name + extra
  }
  let start = UInt32(file.count)
  let count = UInt16(entries.count)
  file += list
  if zip64 {
    let position = UInt64(file.count)
    file += bytes(0x0606_4B50 as UInt32) + bytes(44 as UInt64) + bytes(45 as UInt16) + bytes(45 as UInt16)
    file += bytes(0 as UInt32) + bytes(0 as UInt32) + bytes(UInt64(count)) + bytes(UInt64(count))
    file += bytes(UInt64(list.count)) + bytes(UInt64(start))
    file += bytes(0x0706_4B50 as UInt32) + bytes(0 as UInt32) + bytes(position) + bytes(1 as UInt32)
  }
  file += bytes(0x0605_4B50 as UInt32) + bytes(0 as UInt32)
  file +=
    zip64 ? [UInt8](repeating: 0xFF, count: 12) : bytes(count) + bytes(count) + bytes(UInt32(list.count)) + bytes(start)
  return prefix + file + bytes(UInt16(comment.count)) + comment
}

private func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}
