import LibC

/// A file that grows until it is complete and is then renamed. It is locked against other programs that use this type.
package final class PartFile: Sendable {
  package enum Refusal: Error, Sendable {
    /// Another program, or another part of this one, writes to it.
    case isBusy
    case system(SystemProblem)
  }

  package let path: String
  private let descriptor: Int32

  /// Opens the file; existing contents stay if it is the user's own.
  ///
  /// - Parameter target: the file that it may replace later: if others may not read that, they may not read this one
  /// either.
  package init(at path: String, for target: String?) throws(Refusal) {
    self.path = path
    descriptor = try openPart(path)
    if let target { adoptAttributes(of: target) }
  }

  private func adoptAttributes(of target: String) {
    var old = stat()
    if lstat(target, &old) == 0, old.st_mode & S_IFMT == S_IFREG { adopt(old, descriptor) }
  }

  deinit { closeDescriptor(descriptor) }

  /// Unlocks the file for other writers.
  package func unlock() { unlockFile(descriptor) }

  package var size: Int64 { fileSize(descriptor) ?? 0 }

  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemProblem) {
    try writeAll(bytes, to: descriptor, at: offset)
  }

  /// Up to that many bytes; none at the end.
  package func read(upTo count: Int, at offset: Int64) throws(SystemProblem) -> [UInt8] {
    try readPiece(descriptor, upTo: count, at: offset)
  }

  package func cut(to size: Int64) throws(SystemProblem) { try cutFile(descriptor, to: size) }

  /// Renames the file to its target; false if there is something that it may not replace.
  package func move(to target: String, replaces: Bool) throws(SystemProblem) -> Bool {
    if replaces {
      adoptAttributes(of: target)
      try moveFile(path, to: target)
      return true
    }
    return try moveFile(path, toUnused: target)
  }

  package func remove() { removeFile(path) }
}

/// Opens or creates a file with an exclusive lock. Links are not followed, and anything but a regular file of the
/// user's own is renamed.
private func openPart(_ path: String) throws(PartFile.Refusal) -> Int32 {
  let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
  // The owner of the lock may have moved the file meanwhile.
  for _ in 0..<3 {
    var descriptor = open(path, flags)
    var status = stat()
    if descriptor >= 0 {
      let isOwn =
        fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
        && status.st_nlink == 1
      if !isOwn {
        close(descriptor)
        descriptor = -1
        if unlink(path) != 0 { throw .system(SystemProblem(code: errno)) }
      }
    } else if errno != ENOENT, unlink(path) != 0 {
      throw .system(SystemProblem(code: errno))
    }
    if descriptor < 0 { descriptor = open(path, flags | O_CREAT | O_EXCL, 0o666) }
    if descriptor < 0 {
      if errno == EEXIST { continue }
      throw .system(SystemProblem(code: errno))
    }
    // The lock is released with the descriptor, and so with the process.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      throw code == EWOULDBLOCK ? .isBusy : .system(SystemProblem(code: code))
    }
    var named = stat()
    if fstat(descriptor, &status) == 0, lstat(path, &named) == 0, status.st_ino == named.st_ino,
      status.st_dev == named.st_dev
    {
      return descriptor
    }
    close(descriptor)
  }
  throw .isBusy
}
