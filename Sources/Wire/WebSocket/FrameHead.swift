/// The head of a frame (RFC 6455, section 5.2).
struct FrameHead {
  /// RSV1.
  static let mark: UInt8 = 0x40

  let opcode: Opcode
  let isFinal: Bool
  /// RSV1, by which an extension marks the first frame of a compressed message.
  let isMarked: Bool
  let length: Int
  let mask: UInt32?

  /// The number of bytes that a head with this beginning has.
  static func size(_ start: some Collection<UInt8>) -> Int {
    guard let second = start.dropFirst().first else { return 2 }
    let length =
      switch second & 0x7F {
      case 126: 2
      case 127: 8
      default: 0
      }
    return 2 + length + (second & 0x80 == 0 ? 0 : 4)
  }

  /// Reads a whole head.
  init(_ bytes: some Collection<UInt8>, reader: WebSocketRole, allowsMark: Bool) throws(WebSocketError) {
    var rest = bytes[...]
    func number(_ count: Int) -> UInt64 {
      let number = rest.prefix(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      rest = rest.dropFirst(count)
      return number
    }
    let start = UInt16(number(2))
    let first = UInt8(start >> 8)
    guard let opcode = Opcode(rawValue: first & 0xF) else { throw .reservedOpcode(first & 0xF) }
    isFinal = first & 0x80 != 0
    isMarked = first & FrameHead.mark != 0
    if first & 0x30 != 0 || isMarked && (!allowsMark || opcode.isControl || opcode == .continuation) {
      throw .reservedBits(first)
    }
    self.opcode = opcode
    let isMasked = start & 0x80 != 0
    if isMasked != (reader == .server) { throw .wrongMask(reader: reader) }
    let short = UInt64(start & 0x7F)
    if opcode.isControl {
      if !isFinal { throw .fragmentedControl(opcode) }
      if short > controlLimit { throw .longControl(opcode) }
    }
    let long = short < 126 ? short : number(short == 126 ? 2 : 8)
    guard let length = Int(exactly: long) else { throw .lengthWithSign }
    if short == 126 && long < 126 || short == 127 && long <= 0xFFFF { throw .longLengthForm }
    self.length = length
    mask = isMasked ? UInt32(number(4)) : nil
  }
}

/// Applies a mask (RFC 6455, section 5.3), which also removes it.
///
/// - Parameter position: that of the first byte within the payload.
func applyMask(_ mask: UInt32, to bytes: UnsafeMutableRawBufferPointer, from position: Int = 0) {
  let shift = UInt32(position & 3) * 8
  var key = UInt32(bigEndian: shift == 0 ? mask : mask << shift | mask >> (32 - shift))
  withUnsafeBytes(of: &key) { key in
    var index = 0
    let word = key.loadUnaligned(as: UInt32.self)
    while index + 4 <= bytes.count {
      let masked = bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self) ^ word
      bytes.storeBytes(of: masked, toByteOffset: index, as: UInt32.self)
      index += 4
    }
    while index < bytes.count {
      bytes[index] ^= key[index & 3]
      index += 1
    }
  }
}
