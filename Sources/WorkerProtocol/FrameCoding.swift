/// Writes the parts of a frame: integers little endian, texts and byte strings behind their length.
struct FrameEncoder {
  private(set) var bytes: [UInt8] = []

  mutating func put<Number: FixedWidthInteger>(_ value: Number) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ value: Bool) { put(UInt8(value ? 1 : 0)) }

  mutating func put(_ value: [UInt8]) {
    put(UInt32(value.count))
    bytes.append(contentsOf: value)
  }

  mutating func put(_ value: String) {
    put(UInt32(value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }

  mutating func put(_ value: Duration) {
    put(value.components.seconds)
    put(value.components.attoseconds)
  }

  mutating func put<Value>(_ value: Value?, _ write: (inout FrameEncoder, Value) -> Void) {
    put(value != nil)
    if let value { write(&self, value) }
  }

  /// Writes the number of bytes after the first four into those four.
  mutating func patchLength() {
    let length = UInt32(bytes.count - 4).littleEndian
    withUnsafeBytes(of: length) { bytes.replaceSubrange(0..<4, with: $0) }
  }
}

/// Reads the parts of a frame; each reader gives nil where the bytes don't have it.
struct FrameDecoder {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
    let size = MemoryLayout<Number>.size
    guard bytes.count - position >= size else { return nil }
    var value = Number.zero
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes[position..<position + size]) }
    position += size
    return Number(littleEndian: value)
  }

  mutating func bool() -> Bool? { number(UInt8.self).map { $0 != 0 } }

  mutating func byteString() -> [UInt8]? {
    guard let count = number(UInt32.self).map(Int.init), bytes.count - position >= count else { return nil }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  mutating func text() -> String? {
    byteString().map { String(decoding: $0, as: UTF8.self) }
  }

  mutating func duration() -> Duration? {
    guard let seconds = number(Int64.self), let attoseconds = number(Int64.self) else { return nil }
    return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }

  /// The outer optional is nil where the bytes don't fit, the inner where the value is absent.
  mutating func optional<Value>(_ read: (inout FrameDecoder) -> Value?) -> Value?? {
    guard let isPresent = bool() else { return nil }
    guard isPresent else { return .some(nil) }
    return read(&self).map { .some($0) }
  }
}
