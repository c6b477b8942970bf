/// The characters of the bytes from 0x80 in a single-byte encoding.
struct SingleByteTable {
  private let upper: [Unicode.Scalar?]

  /// The standard's `x-user-defined`.
  static let userDefined = SingleByteTable(upper: (0xF780...0xF7FF).map { Unicode.Scalar($0 as UInt32) })

  private init(upper: [Unicode.Scalar?]) { self.upper = upper }

  /// Asks iconv for each byte separately: in some encodings it combines following ones.
  init(of encoding: TextEncoding, by converter: inout SystemConverter) {
    let exceptions = encoding.exceptions
    var upper: [Unicode.Scalar?] = []
    for byte: UInt8 in 0x80...0xFF {
      if let scalar = exceptions[byte] {
        upper.append(scalar)
      } else if let bytes = try? converter.convert([byte], offset: 0, replacing: false) {
        upper.append(String(decoding: bytes, as: UTF8.self).unicodeScalars.first)
      } else {
        // The standard maps bytes that Microsoft's encodings leave undefined to control characters.
        upper.append(byte < 0xA0 && encoding.name.hasPrefix("windows-") ? Unicode.Scalar(byte) : nil)
      }
    }
    self.upper = upper
  }

  func decode(_ bytes: ArraySlice<UInt8>, replacing: Bool) throws(TextDecodingError) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 2)
    for index in bytes.indices {
      let byte = bytes[index]
      if byte < 0x80 {
        result.append(byte)
      } else if let scalar = upper[Int(byte) - 0x80] {
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      } else if replacing {
        result.append(contentsOf: UTF8.encodedReplacementCharacter)
      } else {
        throw .invalid(offset: index)
      }
    }
    return result
  }
}
