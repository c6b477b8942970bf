import LibC

/// Tells a file from every other, and from itself once it was changed.
package struct FileVersion: Sendable, Hashable {
  package let size: Int64
  /// When it was written last, since 1970.
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

/// A regular file opened for reading; closed when the value goes.
package struct ReadableFile: ~Copyable {
  /// For libraries that read by themselves; closed with the value.
  package let descriptor: Int32
  /// What the file was when it was opened.
  package let version: FileVersion

  /// Directories, pipes and devices are refused, and never waited for.
  package init(path: String) throws(SystemProblem) {
    let (descriptor, status) = try openRegular(path)
    self.descriptor = descriptor
    version = FileVersion(status)
  }

  deinit { close(descriptor) }

  /// What the file is now.
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
