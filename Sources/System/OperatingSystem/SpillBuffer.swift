/// Bytes in order of arrival: up to a limit in memory, more in a temporary file.
///
/// If the file can't be created or written, bytes stay in memory: that is better than losing them.
package struct SpillBuffer: Sendable {
  private let memoryLimit: Int
  private var file: TemporaryFile?
  /// The ranges of the file that precede the bytes in memory. Other buffers may use the file too.
  private var spilled: [Range<Int64>] = []
  private var bytes: [UInt8] = []
  /// The number of ``bytes`` that were removed.
  private var removed = 0
  /// Indicates whether bytes were lost, since the file can't be read.
  package private(set) var isIncomplete = false

  /// - Parameters:
  ///   - memoryLimit: the limit above which the buffer spills by itself.
  ///   - file: a file that several buffers share.
  package init(memoryLimit: Int = .max, file: TemporaryFile? = nil) {
    self.memoryLimit = memoryLimit
    self.file = file
  }

  package var isSpilled: Bool { !spilled.isEmpty }
  package var memoryCount: Int { bytes.count - removed }
  package var count: Int { spilled.reduce(memoryCount) { $0 + $1.count } }

  package mutating func append(_ more: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: more)
    if memoryCount > memoryLimit { spill() }
  }

  package mutating func append(_ more: [UInt8]) {
    more.withUnsafeBytes { append($0) }
  }

  /// Moves the bytes in memory to the file; false if it takes no more.
  @discardableResult
  package mutating func spill() -> Bool {
    guard memoryCount > 0 else { return true }
    let file = file ?? TemporaryFile()
    self.file = file
    let range = bytes.withUnsafeBytes { file.append(UnsafeRawBufferPointer(rebasing: $0[removed...])) }
    guard let range else { return false }
    if let last = spilled.last, last.upperBound == range.lowerBound {
      spilled[spilled.count - 1] = last.lowerBound..<range.upperBound
    } else {
      spilled.append(range)
    }
    (bytes, removed) = ([], 0)
    return true
  }

  /// Fills the target with the first bytes; false if there are too few, or they can't be read.
  package func read(into target: UnsafeMutableRawBufferPointer) -> Bool {
    var filled = 0
    for range in spilled where filled < target.count {
      let part = target[filled..<min(target.count, filled + range.count)]
      guard let file, file.read(into: UnsafeMutableRawBufferPointer(rebasing: part), at: range.lowerBound) else {
        return false
      }
      filled += part.count
    }
    let rest = bytes[removed...].prefix(target.count - filled)
    UnsafeMutableRawBufferPointer(rebasing: target[filled...]).copyBytes(from: rest)
    return filled + rest.count == target.count
  }

  /// The first bytes, or all; nil if they can't be read.
  package func prefix(_ limit: Int = .max) -> [UInt8]? {
    if spilled.isEmpty, removed == 0, limit >= bytes.count { return bytes }
    let length = min(limit, count)
    var isRead = false
    let result = [UInt8](unsafeUninitializedCapacity: length) { buffer, initialized in
      isRead = read(into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<length]))
      initialized = isRead ? length : 0
    }
    return isRead ? result : nil
  }

  /// Removes and returns the next bytes, those in the file piece by piece; nil if there are none.
  package mutating func next(upTo limit: Int = .max) -> [UInt8]? {
    guard let piece = prefix(isSpilled ? min(limit, 65_536) : limit) else {
      (spilled, bytes, removed, isIncomplete) = ([], [], 0, true)
      return nil
    }
    var rest = Int64(piece.count)
    while rest > 0, let range = spilled.first {
      let end = min(range.upperBound, range.lowerBound + rest)
      rest -= end - range.lowerBound
      if end == range.upperBound { spilled.removeFirst() } else { spilled[0] = end..<range.upperBound }
    }
    removed += Int(rest)
    if removed > bytes.count / 2 { (bytes, removed) = (Array(bytes[removed...]), 0) }
    return piece.isEmpty ? nil : piece
  }
}
