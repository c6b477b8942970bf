import OperatingSystem

/// Bytes that wait: up to 256 KiB in memory, more in a file without a name.
struct SpillBuffer {
  private static let limit = 256 << 10
  private var bytes: [UInt8] = []
  private var file: TemporaryFile?
  /// Whether something could not be kept, for want of room on disk.
  private(set) var isIncomplete = false

  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    guard bytes.count > SpillBuffer.limit else { return }
    if file == nil { file = TemporaryFile() }
    // Without a file to spill to, memory is better than losing a report.
    guard let file else { return }
    if !file.append(bytes) { isIncomplete = true }
    bytes = []
  }

  /// Hands out all that was appended, in order.
  mutating func copy(to body: ([UInt8]) -> Void) {
    if let file, !file.read(0..<file.count, body) { isIncomplete = true }
    if !bytes.isEmpty { body(bytes) }
  }
}
