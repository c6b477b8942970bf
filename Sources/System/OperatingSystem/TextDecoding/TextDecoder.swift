/// The reason why bytes aren't text in an encoding.
package enum TextDecodingError: Error, Sendable, Hashable {
  /// The byte at that offset isn't part of any character.
  case invalid(offset: Int)
  /// The bytes end inside the character that begins at that offset.
  case truncated(offset: Int)
  /// The system's iconv doesn't support the encoding.
  case unsupported
}

extension TextEncoding {
  /// Bytes as UTF-8, without a byte order mark.
  package func decode(_ bytes: [UInt8]) throws(TextDecodingError) -> [UInt8] {
    try decode(bytes, replacing: false)
  }

  /// Bytes as text, with U+FFFD for invalid ones.
  package func decodeReplacing(_ bytes: [UInt8]) -> String {
    if self == .utf8 { return String(decoding: withoutMark(bytes), as: UTF8.self) }
    return String(decoding: (try? decode(bytes, replacing: true)) ?? bytes, as: UTF8.self)
  }

  private func decode(_ bytes: [UInt8], replacing: Bool) throws(TextDecodingError) -> [UInt8] {
    let content = withoutMark(bytes)
    let offset = content.startIndex
    if self == .utf8 {
      if let end = endOfValidUTF8(content) {
        throw isTruncated(content[end...]) ? .truncated(offset: end) : .invalid(offset: end)
      }
      return offset == 0 ? bytes : Array(content)
    }
    if self == .windows1252 { return decodeWindows1252(content) }
    if name == "x-user-defined" { return try SingleByteTable.userDefined.decode(content, replacing: replacing) }
    guard var converter = SystemConverter(from: systemNames) else { throw .unsupported }
    if isSingleByte {
      return try SingleByteTable(of: self, by: &converter).decode(content, replacing: replacing)
    }
    if name == "euc-jp" || name == "iso-2022-jp" {
      var decoder = JapaneseDecoder(content, shiftJIS: converter, replacing: replacing)
      return try name == "euc-jp" ? decoder.decodedEUC() : decoder.decodedISO2022()
    }
    return try converter.convert(content, offset: offset, replacing: replacing, refused: exceptions)
  }

  /// The bytes after a byte order mark of this encoding.
  private func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard let mark = TextEncoding.byteOrderMark(of: bytes), mark.encoding == self else { return bytes[...] }
    return bytes[mark.length...]
  }
}

/// The offset at which the bytes stop being UTF-8; nil if they don't.
private func endOfValidUTF8(_ bytes: ArraySlice<UInt8>) -> Int? {
  if bytes.withUnsafeBufferPointer({ String(validating: $0, as: UTF8.self) != nil }) { return nil }
  var decoder = UTF8()
  var iterator = bytes.makeIterator()
  var offset = bytes.startIndex
  while true {
    switch decoder.decode(&iterator) {
    case .scalarValue(let scalar): offset += UTF8.width(scalar)
    case .emptyInput: return nil
    case .error: return offset
    }
  }
}

/// Returns whether the bytes are the incomplete beginning of a UTF-8 character.
private func isTruncated(_ bytes: ArraySlice<UInt8>) -> Bool {
  guard let lead = bytes.first, lead >= 0xC2, lead <= 0xF4 else { return false }
  let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
  return bytes.count < length && bytes.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
}

/// The standard's characters of the bytes from 0x80 to 0x9F; all others are their own code point.
private let windows1252Upper: [UInt32] = [
  0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D, 0x8F,
  0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E,
  0x178,
]

private func decodeWindows1252(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(bytes.count + bytes.count / 8)
  for byte in bytes {
    if byte < 0x80 {
      result.append(byte)
    } else {
      let value = byte < 0xA0 ? windows1252Upper[Int(byte) - 0x80] : UInt32(byte)
      if value >= 0x800 {
        result.append(UInt8(0xE0 | value >> 12))
        result.append(UInt8(0x80 | value >> 6 & 0x3F))
      } else {
        result.append(UInt8(0xC0 | value >> 6))
      }
      result.append(UInt8(0x80 | value & 0x3F))
    }
  }
  return result
}
