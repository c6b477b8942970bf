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
