import LibC

/// A file of the user's own that one process at a time has open and appends to.
///
/// Links are not followed, and files of other owners are rejected. The system releases the lock when the process ends,
/// however it ends.
package final class LockedFile: Sendable {
  private let descriptor: Int32

  /// - Parameter isMade: whether a missing file is created.
  /// - Returns: nil if there is none, or if another process or another part of this one has it open.
  package init?(path: String, isMade: Bool) throws(SystemProblem) {
    guard let descriptor = try openLocked(path, isMade: isMade) else { return nil }
    self.descriptor = descriptor
  }

  deinit { closeDescriptor(descriptor) }

  /// Its content, up to a limit.
  package func contents(limit: Int) throws(SystemProblem) -> [UInt8] {
    var result: [UInt8] = []
    while result.count < limit {
      let piece = try readPiece(descriptor, upTo: min(65_536, limit - result.count), at: Int64(result.count))
      if piece.isEmpty { break }
      result += piece
    }
    return result
  }

  /// False if writing fails.
  package func append(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
  }

  package func removeAll() {
    truncate(descriptor)
  }
}

/// Opens a file for reading and appending, and locks it; nil if there is none, or someone else has the lock.
private func openLocked(_ path: String, isMade: Bool) throws(SystemProblem) -> Int32? {
  // The owner of the lock may have removed the file meanwhile.
  for _ in 0..<3 {
    let descriptor = open(
      path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (isMade ? O_CREAT : 0), 0o600)
    guard descriptor >= 0 else {
      if errno == ENOENT, !isMade { return nil }
      throw SystemProblem(code: errno)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
      close(descriptor)
      throw SystemProblem("there is something else in its place")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      if code == EWOULDBLOCK { return nil }
      throw SystemProblem(code: code)
    }
    if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return descriptor }
    close(descriptor)
  }
  return nil
}
