/// A decoder for EUC-JP and ISO-2022-JP, for which iconv differs from the standard (WHATWG Encoding Standard, sections
/// 12.1 and 12.2).
///
/// Their pairs of bytes are converted to Shift_JIS, whose table in iconv is the standard's.
struct JapaneseDecoder: ~Copyable {
  private let bytes: ArraySlice<UInt8>
  private let replacing: Bool
  private var shiftJIS: SystemConverter
  private var result: [UInt8] = []
  /// Shift_JIS that isn't decoded yet, byte for byte the input from `runStart` on.
  private var run: [UInt8] = []
  private var runStart = 0
  private var index: Int

  init(_ bytes: ArraySlice<UInt8>, shiftJIS: consuming SystemConverter, replacing: Bool) {
    self.bytes = bytes
    self.shiftJIS = shiftJIS
    self.replacing = replacing
    index = bytes.startIndex
  }

  mutating func decodedEUC() throws(TextDecodingError) -> [UInt8] {
    while let byte = peek(0) {
      switch byte {
      case ..<0x80: take([byte], of: 1)
      case 0x8E where isHigh(peek(1)) && peek(1) ?? 0 <= 0xDF:
        try take(scalar: 0xFF61 + UInt32(peek(1) ?? 0) - 0xA1, of: 2)
      case 0x8F where isHigh(peek(1)) && isHigh(peek(2)): try takeSupplement()
      case 0xA1...0xFE where isHigh(peek(1)): take(shiftJISPair(byte - 0xA1, (peek(1) ?? 0) - 0xA1), of: 2)
      case 0x8E, 0x8F, 0xA1...0xFE:
        let length = byte == 0x8F && isHigh(peek(1)) ? 3 : 2
        try refuse(isTruncated: index + length > bytes.endIndex, count: isASCII(peek(length - 1)) ? length - 1 : length)
      default: try refuse(isTruncated: false, count: 1)
      }
    }
    try flush()
    return result
  }

  private enum State { case ascii, roman, katakana, pairs }

  mutating func decodedISO2022() throws(TextDecodingError) -> [UInt8] {
    var state = State.ascii
    while let byte = peek(0) {
      if byte == 0x1B {
        guard let next = escapedState else {
          try refuse(isTruncated: bytes.endIndex - index < 3, count: 1)
          continue
        }
        state = next
        try flush()
        index += 3
        continue
      }
      switch (state, byte) {
      case (.roman, 0x5C): try take(scalar: 0xA5, of: 1)
      case (.roman, 0x7E): try take(scalar: 0x203E, of: 1)
      case (.ascii, ..<0x80), (.roman, ..<0x80):
        // Shifts belong to other members of the family.
        if byte == 0x0E || byte == 0x0F { try refuse(isTruncated: false, count: 1) } else { take([byte], of: 1) }
      case (.katakana, 0x21...0x5F): try take(scalar: 0xFF61 + UInt32(byte) - 0x21, of: 1)
      case (.pairs, 0x21...0x7E):
        if let trail = peek(1), (0x21...0x7E).contains(trail) {
          take(shiftJISPair(byte - 0x21, trail - 0x21), of: 2)
        } else {
          try refuse(isTruncated: peek(1) == nil, count: 1)
        }
      default: try refuse(isTruncated: false, count: 1)
      }
    }
    try flush()
    return result
  }

  private var escapedState: State? {
    switch (peek(1), peek(2)) {
    case (0x28, 0x42): .ascii
    case (0x28, 0x4A): .roman
    case (0x28, 0x49): .katakana
    case (0x24, 0x40), (0x24, 0x42): .pairs
    default: nil
    }
  }

  private func peek(_ offset: Int) -> UInt8? { index + offset < bytes.endIndex ? bytes[index + offset] : nil }
  private func isHigh(_ byte: UInt8?) -> Bool { byte.map { (0xA1...0xFE).contains($0) } ?? false }
  private func isASCII(_ byte: UInt8?) -> Bool { byte.map { $0 < 0x80 } ?? false }

  /// The bytes of Shift_JIS for a row and a cell of JIS X 0208, both from 0.
  private func shiftJISPair(_ row: UInt8, _ cell: UInt8) -> [UInt8] {
    let lead = row / 2
    let trail = cell + (row % 2 == 0 ? 0 : 94)
    return [lead + (lead < 0x1F ? 0x81 : 0xC1), trail + (trail < 0x3F ? 0x40 : 0x41)]
  }

  private mutating func take(_ shiftJIS: [UInt8], of count: Int) {
    if run.isEmpty { runStart = index }
    run += shiftJIS
    index += count
  }

  private mutating func take(scalar: UInt32, of count: Int) throws(TextDecodingError) {
    try flush()
    result += Unicode.Scalar(scalar).flatMap { UTF8.encode($0) }.map { Array($0) } ?? []
    index += count
  }

  /// A character of JIS X 0212, in three bytes.
  private mutating func takeSupplement() throws(TextDecodingError) {
    try flush()
    let code = bytes[index..<index + 3]
    if code.elementsEqual([0x8F, 0xA2, 0xC3]) { return try take(scalar: 0xA6, of: 3) }
    guard var converter = SystemConverter(from: ["EUC-JP-MS", "EUC-JP"]) else { throw .unsupported }
    result += try converter.convert(code, offset: index, replacing: replacing)
    index += 3
  }

  private mutating func refuse(isTruncated: Bool, count: Int) throws(TextDecodingError) {
    try flush()
    guard replacing else { throw isTruncated ? .truncated(offset: index) : .invalid(offset: index) }
    result += Array(UTF8.encodedReplacementCharacter)
    index = min(index + count, bytes.endIndex)
  }

  private mutating func flush() throws(TextDecodingError) {
    guard !run.isEmpty else { return }
    result += try shiftJIS.convert(run[...], offset: runStart, replacing: replacing)
    run.removeAll(keepingCapacity: true)
  }
}
