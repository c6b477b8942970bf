/// Splits a stream into lines, whatever its chunks.
struct LineReader {
  /// The line terminators.
  enum Ending {
    /// LF, or CR and LF.
    case lineFeed
    /// LF, CR, or CR and LF.
    case any
  }

  private let ending: Ending
  /// The limit in bytes.
  private let limit: Int
  /// The beginning of an unfinished line.
  private var pending: [UInt8] = []
  private var isAtStart = true
  /// Indicates whether the last byte was a CR: an LF after it belongs to the same terminator.
  private var followsReturn = false

  init(ending: Ending, limit: Int) {
    self.ending = ending
    self.limit = limit
  }

  /// Starts over with a new stream.
  mutating func restart() {
    pending = []
    isAtStart = true
    followsReturn = false
  }

  /// Passes on complete lines, without their terminators and without a byte order mark before the first; ends early,
  /// and drops the rest, once `body` returns false.
  mutating func read(
    _ chunk: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(EventStreamError) -> Bool
  ) throws(EventStreamError) -> Bool {
    var start = 0
    if followsReturn, let first = chunk.first {
      followsReturn = false
      if first == lineFeed { start = 1 }
    }
    while start < chunk.count {
      let rest = UnsafeRawBufferPointer(rebasing: chunk[start...])
      guard let length = rest.firstIndex(where: isEnd) else {
        if pending.count + rest.count > limit { throw .tooLarge(limit: limit) }
        pending.append(contentsOf: rest)
        return true
      }
      start += length + 1
      if rest[length] == carriageReturn {
        if start == chunk.count { followsReturn = true } else if chunk[start] == lineFeed { start += 1 }
      }
      if pending.count + length > limit { throw .tooLarge(limit: limit) }
      let line = UnsafeRawBufferPointer(rebasing: rest[..<length])
      if pending.isEmpty {
        guard try hand(line, body) else { return false }
      } else {
        pending.append(contentsOf: line)
        guard try handPending(body) else { return false }
      }
    }
    return true
  }

  /// Passes on the last line, if the stream ends without terminating it.
  mutating func finish(
    _ body: (UnsafeRawBufferPointer) throws(EventStreamError) -> Bool
  ) throws(EventStreamError) {
    if !pending.isEmpty { _ = try handPending(body) }
  }

  private mutating func handPending(
    _ body: (UnsafeRawBufferPointer) throws(EventStreamError) -> Bool
  ) throws(EventStreamError) -> Bool {
    let whole = pending
    pending.removeAll(keepingCapacity: whole.count <= 64 << 10)
    var result = Result<Bool, EventStreamError>.success(true)
    whole.withUnsafeBytes { line in
      do throws(EventStreamError) {
        result = .success(try hand(line, body))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }

  private mutating func hand(
    _ line: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(EventStreamError) -> Bool
  ) throws(EventStreamError) -> Bool {
    var line = line
    if isAtStart {
      isAtStart = false
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = UnsafeRawBufferPointer(rebasing: line.dropFirst(3)) }
    }
    if ending == .lineFeed, line.last == carriageReturn { line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
    return try body(line)
  }

  private func isEnd(_ byte: UInt8) -> Bool {
    byte == lineFeed || byte == carriageReturn && ending == .any
  }
}

private let lineFeed: UInt8 = 0x0A
private let carriageReturn: UInt8 = 0x0D
