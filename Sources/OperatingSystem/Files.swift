import Synchronization

/// All bytes of a file, or why they cannot be read; more than the limit is refused.
package func readFile(_ path: String, limit: Int = .max) -> Result<[UInt8], SystemProblem> {
  do throws(SystemProblem) {
    let descriptor = try openForReading(path)
    defer { closeDescriptor(descriptor) }
    var result: [UInt8] = []
    while true {
      let piece = try readPiece(descriptor, upTo: 65_536)
      if piece.isEmpty { return .success(result) }
      result += piece
      if result.count > limit { throw SystemProblem("it is larger than \(limit >> 20) MiB") }
    }
  } catch {
    return .failure(error)
  }
}

/// Hands out a part of a file, piece by piece, until the body answers false; less than that if the file ends before.
package func readFile(
  _ path: String, offset: Int64, length: Int64, _ body: ([UInt8]) -> Bool
) throws(SystemProblem) {
  let descriptor = try openForReading(path)
  defer { closeDescriptor(descriptor) }
  var position = offset
  while position < offset + length {
    let piece = try readPiece(descriptor, upTo: Int(min(65_536, offset + length - position)), at: position)
    if piece.isEmpty || !body(piece) { return }
    position += Int64(piece.count)
  }
}

/// A file that is written beside the one it replaces, and takes its place once it is whole.
///
/// A device or a pipe is written to as it is.
package final class ReplacementFile {
  private let path: String
  /// Nil where the path itself is written to.
  private let temporary: String?
  private let descriptor: Int32
  private var isIncomplete = false
  private var isInPlace = false

  /// - Parameter isPrivate: whether only its owner may read it.
  package init(of path: String, isPrivate: Bool = false) throws(SystemProblem) {
    self.path = path
    temporary = isSpecialFile(path) ? nil : "\(path).\(processIdentifier).part"
    // One that a process of the same number left, or a link that someone put there.
    if let temporary { removeFile(temporary) }
    descriptor = try openForWriting(temporary ?? path, isPrivate: isPrivate, isNew: temporary != nil)
  }

  /// What a file was to be called that has the name of one not yet whole.
  package static func finalName(of name: String) -> Substring? {
    guard name.hasSuffix(".part") else { return nil }
    let rest = name.dropLast(5)
    guard let dot = rest.lastIndex(of: "."), Int32(rest[rest.index(after: dot)...]) != nil else { return nil }
    return rest[..<dot]
  }

  deinit {
    closeDescriptor(descriptor)
    if let temporary, !isInPlace { removeFile(temporary) }
  }

  package func write(_ bytes: [UInt8]) {
    if !bytes.withUnsafeBytes({ writeAll($0, to: descriptor) }) { isIncomplete = true }
  }

  /// Takes the place of the old file, unless something could not be written.
  package func commit() throws(SystemProblem) {
    if isIncomplete { throw SystemProblem("the disk takes no more") }
    if let temporary { try moveFile(temporary, to: path) }
    isInPlace = true
  }
}

/// A file without a name, gone when it is let go.
package final class UnnamedFile: Sendable {
  private let descriptor: Int32
  private let size = Atomic<Int64>(0)

  /// Nil if there is no room for one.
  package init?() {
    guard let descriptor = openUnnamed() else { return nil }
    self.descriptor = descriptor
  }

  deinit {
    closeDescriptor(descriptor)
  }

  package var count: Int64 { size.load(ordering: .relaxed) }

  /// False if the disk takes no more.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard writeAll(bytes, to: descriptor) else { return false }
    size.add(Int64(bytes.count), ordering: .relaxed)
    return true
  }

  package func append(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Hands out a range of the file, piece by piece; false if it cannot be read.
  package func read(_ range: Range<Int64>, _ body: ([UInt8]) -> Void) -> Bool {
    var position = range.lowerBound
    while position < range.upperBound {
      let wanted = Int(min(65_536, range.upperBound - position))
      guard let piece = try? readPiece(descriptor, upTo: wanted, at: position), !piece.isEmpty else { return false }
      body(piece)
      position += Int64(piece.count)
    }
    return true
  }

  /// Fills the buffer from a place in the file; false if that cannot be read.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = readBytes(descriptor, into: rest, at: offset + Int64(done))
      if count <= 0 { return false }
      done += count
    }
    return true
  }

  /// Forgets all that was written.
  package func removeAll() {
    truncate(descriptor)
    size.store(0, ordering: .relaxed)
  }
}
