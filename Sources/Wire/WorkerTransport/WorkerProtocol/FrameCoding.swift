/// Writes frames: each starts with its length (4 bytes); integers are little-endian, texts and byte strings are
/// preceded by their length.
package struct FrameEncoder: Sendable {
  private(set) var bytes: [UInt8] = []

  package init() {}

  package var count: Int { bytes.count }

  /// Returns the frames so far, and clears the encoder.
  package mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Appends frames of another encoder.
  mutating func append(encoded: [UInt8]) { bytes += encoded }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: bytes.capacity <= 256 << 10) }

  /// Writes a whole frame: its length, then what `write` adds.
  mutating func frame(_ write: (inout FrameEncoder) -> Void) {
    let start = bytes.count
    put(UInt32(0))
    write(&self)
    let length = UInt32(bytes.count - start - 4).littleEndian
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: length, toByteOffset: start, as: UInt32.self) }
  }

  mutating func put<Number: FixedWidthInteger>(_ value: Number) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ value: Bool) { put(UInt8(value ? 1 : 0)) }

  mutating func put(_ value: UnsafeRawBufferPointer) {
    put(UInt32(value.count))
    bytes.append(contentsOf: value)
  }

  mutating func put(_ value: [UInt8]) { value.withUnsafeBytes { put($0) } }

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
}

/// Reads the parts of a frame; each function returns nil for invalid bytes.
struct FrameDecoder {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// The bytes must outlive the decoder.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type = Number.self) -> Number? {
    let size = MemoryLayout<Number>.size
    guard bytes.count - position >= size else { return nil }
    defer { position += size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
  }

  mutating func bool() -> Bool? { number(UInt8.self).map { $0 != 0 } }

  private mutating func part() -> UnsafeRawBufferPointer? {
    guard let count = number(UInt32.self).map(Int.init), bytes.count - position >= count else { return nil }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  mutating func byteString() -> [UInt8]? { part().map { Array($0) } }

  mutating func text() -> String? {
    part().map { String(decoding: $0, as: UTF8.self) }
  }

  mutating func duration() -> Duration? {
    guard let seconds = number(Int64.self), let attoseconds = number(Int64.self) else { return nil }
    return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }

  /// Reads an optional; the outer optional is nil for invalid bytes, the inner one for an absent value.
  mutating func optional<Value>(_ read: (inout FrameDecoder) -> Value?) -> Value?? {
    guard let isPresent = bool() else { return nil }
    guard isPresent else { return .some(nil) }
    return read(&self).map { .some($0) }
  }

  /// Reads a list, preceded by its length.
  mutating func list<Element>(_ read: (inout FrameDecoder) -> Element?) -> [Element]? {
    guard let count = number(UInt32.self) else { return nil }
    var elements: [Element] = []
    for _ in 0..<count {
      guard let element = read(&self) else { return nil }
      elements.append(element)
    }
    return elements
  }
}
