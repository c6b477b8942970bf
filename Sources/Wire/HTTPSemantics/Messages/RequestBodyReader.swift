import OperatingSystem

/// The result of reading from a body.
package enum BodyReading: Sendable, Hashable {
  /// The number of bytes read, at least one.
  case bytes(Int)
  case end
  /// Nothing yet: `onReadable` will be called.
  case nothingYet
}

/// Reads a request body piece by piece, and again from any offset; a stream only from its start.
///
/// A file that has changed since the request was made, or changes meanwhile, is an error before its last byte is read.
package struct RequestBodyReader: ~Copyable {
  private let body: RequestBody
  private let pieces: [BodyPiece]
  private var index = 0
  /// The offset within the piece.
  private var position: Int64 = 0
  private var file: OpenRange?
  private var stream: BodyPump?
  /// Called on any thread when reading can continue after it returned nothing.
  package var onReadable: (@Sendable () -> Void)?

  /// Opens the first file, and checks that the others exist.
  package init(_ body: RequestBody) throws(TransportError) {
    self.body = body
    pieces = if case .pieces(let pieces) = body { pieces } else { [] }
    file = nil
    for case .file(let range) in pieces {
      if file == nil { file = try OpenRange.open(range) } else { _ = try OpenRange.open(range) }
    }
  }

  deinit { stream?.cancel() }

  package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> BodyReading {
    guard !buffer.isEmpty else { return .bytes(0) }
    switch body {
    case .none: return .end
    case .bytes(let bytes): return copy(bytes, into: buffer)
    case .pieces: return try readPieces(into: buffer)
    case .stream(let source):
      let pump = if let stream { stream } else { BodyPump(source, onReadable: onReadable) }
      stream = pump
      return try pump.read(into: buffer)
    case .upgrade(let connection): return connection.read(into: buffer, onReadable)
    }
  }

  /// Moves to an offset; false if the body can't be read from there.
  package mutating func seek(to offset: Int64) -> Bool {
    stream?.cancel()
    stream = nil
    (index, position) = (0, 0)
    file = nil
    guard offset > 0 else { return offset == 0 }
    guard let length = body.length, offset <= length else { return false }
    position = offset
    while index < pieces.count, position >= pieces[index].length {
      position -= pieces[index].length
      index += 1
    }
    return true
  }

  /// Reads the rest of the body until `take` returns false; blocks when it has to wait.
  package mutating func readAll(_ take: (UnsafeRawBufferPointer) -> Bool) throws(TransportError) {
    switch body {
    case .none, .upgrade: return
    case .bytes(let bytes): _ = bytes.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[Int(position)...])) }
    case .stream(let source): try source.produce(take)
    case .pieces:
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
      defer { buffer.deallocate() }
      while case .bytes(let count) = try read(into: buffer) {
        if !take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { return }
      }
    }
  }

  // MARK: Bytes and files

  private mutating func copy(_ bytes: [UInt8], into buffer: UnsafeMutableRawBufferPointer) -> BodyReading {
    let start = Int(position)
    let count = min(buffer.count, bytes.count - start)
    guard count > 0 else { return .end }
    bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count])) }
    position += Int64(count)
    return .bytes(count)
  }

  /// Fills the buffer from as many pieces as it holds, so that short ones aren't sent separately.
  private mutating func readPieces(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> BodyReading {
    var filled = 0
    while filled < buffer.count, index < pieces.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count: Int
      switch pieces[index] {
      case .bytes(let bytes): count = if case .bytes(let count) = copy(bytes, into: rest) { count } else { 0 }
      case .file(let range): count = try read(range, into: rest)
      }
      filled += count
      if position >= pieces[index].length {
        (index, position) = (index + 1, 0)
        file = nil
      }
    }
    return filled == 0 ? .end : .bytes(filled)
  }

  private mutating func read(
    _ range: FileRange, into buffer: UnsafeMutableRawBufferPointer
  ) throws(TransportError) -> Int {
    if file == nil || file?.range != range { file = try OpenRange.open(range) }
    let count = try file?.read(into: buffer, at: position) ?? 0
    position += Int64(count)
    return count
  }
}

private struct OpenRange: ~Copyable {
  let range: FileRange
  private let file: ReadableFile

  private init(_ range: FileRange, _ file: consuming ReadableFile) {
    self.range = range
    self.file = file
  }

  static func open(_ range: FileRange) throws(TransportError) -> OpenRange {
    let file = try openFile(range.path)
    if let expected = range.version, expected != file.version {
      throw TransportError(
        .body, "the body file \"\(range.path)\" has changed since the request was made",
        help: "do not change the file during the run")
    }
    return OpenRange(range, file)
  }

  private static func openFile(_ path: String) throws(TransportError) -> ReadableFile {
    do throws(SystemProblem) {
      return try ReadableFile(path: path)
    } catch {
      throw .unreadableBody(path, error)
    }
  }

  /// - Parameter position: within the range.
  func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(TransportError) -> Int {
    let wanted = Int(min(Int64(buffer.count), range.length - position))
    guard wanted > 0 else { return 0 }
    var count = 0
    let version = file.version
    var now = version
    do throws(SystemProblem) {
      count = try file.read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: range.offset + position)
      if count == 0 || position + Int64(count) == range.length { now = try file.currentVersion }
    } catch {
      throw .unreadableBody(range.path, error)
    }
    if now.size < version.size || count == 0 { throw .changedBody(range.path, "became shorter") }
    if now.size > version.size { throw .changedBody(range.path, "grew") }
    if now != version { throw .changedBody(range.path, "changed") }
    return count
  }
}
