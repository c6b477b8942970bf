import LibC

/// What stands at a path.
package enum PathKind: Sendable {
  /// A file is a regular one; pipes, sockets and devices are others.
  case file, directory, other, nothing
}

package func pathKind(_ path: String) -> PathKind {
  var status = stat()
  guard !hasNUL(path), stat(path, &status) == 0 else { return .nothing }
  switch status.st_mode & S_IFMT {
  case S_IFREG: return .file
  case S_IFDIR: return .directory
  default: return .other
  }
}

/// What an entry of a directory is itself, without following a link.
package enum EntryKind: Sendable {
  case file, directory, link, other, nothing

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .directory
    case S_IFLNK: self = .link
    default: self = .other
    }
  }
}

package func entryKind(_ path: String) -> EntryKind {
  var status = stat()
  return lstat(path, &status) == 0 ? EntryKind(status) : .nothing
}

/// The length of a plain file in bytes; nil for all else.
package func fileSize(of path: String) -> Int64? {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
}

/// How many bytes the user may still write to the disk of a directory; nil where the system doesn't say.
package func freeSpace(at path: String) -> Int64? {
  var status = statvfs()
  guard statvfs(path, &status) == 0 else { return nil }
  let (bytes, isTooMuch) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
  return isTooMuch ? nil : Int64(exactly: bytes)
}

/// Whether others than the file's owner may read it.
package func isReadableByOthers(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & (S_IRGRP | S_IROTH) != 0
}

/// How many seconds ago a regular file of the user's own was written last; nil for all else, links too.
package func ageOfOwnFile(_ path: String) -> Int64? {
  var status = stat()
  guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { return nil }
  return currentTime().seconds - Int64(status.writeTime.tv_sec)
}

/// Whether a path leads to bytes that have an end, unlike a pipe or a device; false if there is nothing.
package func isRegularFile(_ path: String) -> Bool { pathKind(path) == .file }

/// Whether the path itself is a symbolic link, wherever it leads.
package func isSymbolicLink(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}

/// The absolute path without symbolic links; nil if there is nothing there.
package func canonicalPath(_ path: String) -> String? {
  guard !hasNUL(path), let pointer = realpath(path, nil) else { return nil }
  defer { free(pointer) }
  return String(cString: pointer)
}

/// What a symbolic link says; nil if there is none.
func linkTarget(_ path: String) -> String? {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = readlink(path, &buffer, buffer.count)
  return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
}
