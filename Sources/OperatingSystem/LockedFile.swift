/// A file of the user's own that one process at a time has open, and adds to.
///
/// Links are not followed, and what others own is refused. The system lets go of it when the process ends, however.
package final class LockedFile: Sendable {
  private let descriptor: Int32

  /// - Parameter isMade: whether there is a file afterwards in any case.
  /// - Returns: nil if there is none, or another process or part of this one has it.
  package init?(path: String, isMade: Bool) throws(SystemProblem) {
    guard let descriptor = try openLocked(path, isMade: isMade) else { return nil }
    self.descriptor = descriptor
  }

  deinit { closeDescriptor(descriptor) }

  /// All of it, up to a limit.
  package func contents(limit: Int) throws(SystemProblem) -> [UInt8] {
    var result: [UInt8] = []
    while result.count < limit {
      let piece = try readPiece(descriptor, upTo: min(65_536, limit - result.count), at: Int64(result.count))
      if piece.isEmpty { break }
      result += piece
    }
    return result
  }

  /// False if the disk takes no more.
  package func append(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
  }

  package func removeAll() {
    truncate(descriptor)
  }
}
