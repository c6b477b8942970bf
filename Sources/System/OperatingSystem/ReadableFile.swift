import LibC

/// The identity of a file and its version.
package struct FileVersion: Sendable, Hashable {
  package let size: Int64
  /// The time of the last change, since 1970.
  package let seconds: Int64
  package let nanoseconds: Int64
  package let device: UInt64
  package let inode: UInt64

  package init(size: Int64, seconds: Int64, nanoseconds: Int64, device: UInt64, inode: UInt64) {
    self.size = size
    self.seconds = seconds
    self.nanoseconds = nanoseconds
    self.device = device
    self.inode = inode
  }

  fileprivate init(_ status: stat) {
    let written = status.writeTime
    self.init(
      size: Int64(status.st_size), seconds: Int64(written.tv_sec), nanoseconds: Int64(written.tv_nsec),
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
  }
}

/// A regular file opened for reading; closed at the end of the value's lifetime.
package struct ReadableFile: ~Copyable {
  /// The descriptor, for libraries that read by themselves.
  package let descriptor: Int32
  /// The file's version when it was opened.
  package let version: FileVersion

  /// Directories, pipes and devices are rejected without blocking.
  package init(path: String) throws(SystemProblem) {
    let (descriptor, status) = try openRegular(path)
    self.descriptor = descriptor
    version = FileVersion(status)
  }

  deinit { close(descriptor) }

  /// Keeps a ``GrowingFile`` from emptying the file as long as it is open, if the file system has locks.
  package func lockForReading() { _ = flock(descriptor, LOCK_SH | LOCK_NB) }

  /// The file's version now.
  package var currentVersion: FileVersion {
    get throws(SystemProblem) { FileVersion(try status(of: descriptor)) }
  }

  /// The number of bytes read; 0 at the end.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(SystemProblem) -> Int {
    let count = readBytes(descriptor, into: buffer, at: offset)
    if count < 0 { throw SystemProblem(code: errno) }
    return count
  }
}
