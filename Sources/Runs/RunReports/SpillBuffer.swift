import OperatingSystem

/// A buffer for bytes: up to 256 KiB in memory, more in a temporary file.
struct SpillBuffer {
  private static let limit = 256 << 10
  private var bytes: [UInt8] = []
  private var file: TemporaryFile?
  /// Indicates whether bytes were lost, for lack of disk space.
  private(set) var isIncomplete = false

  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    guard bytes.count > SpillBuffer.limit else { return }
    if file == nil { file = TemporaryFile() }
    // Without a temporary file, using memory is better than losing a report.
    guard let file else { return }
    if !file.append(bytes) { isIncomplete = true }
    bytes = []
  }

  /// Passes on all bytes in order.
  mutating func copy(to body: ([UInt8]) -> Void) {
    if let file, !file.read(0..<file.count, body) { isIncomplete = true }
    if !bytes.isEmpty { body(bytes) }
  }
}
