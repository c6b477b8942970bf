import LibC

package enum PathKind: Sendable {
  /// A regular file, a directory, anything else such as a pipe, socket or device, or nothing.
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

/// The kind of a directory entry itself, without following links.
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

/// The length of a regular file in bytes; nil for anything else.
package func fileSize(of path: String) -> Int64? {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
}

/// Returns the number of bytes that the user may still write to the disk of a directory; nil if it is unknown.
package func freeSpace(at path: String) -> Int64? {
  var status = statvfs()
  guard statvfs(path, &status) == 0 else { return nil }
  let (bytes, isTooMuch) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
  return isTooMuch ? nil : Int64(exactly: bytes)
}

/// Returns whether users other than the owner may read the file.
package func isReadableByOthers(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & (S_IRGRP | S_IROTH) != 0
}

/// Returns the age in seconds of the last change to a regular file of the user's own; nil for anything else, links too.
package func ageOfOwnFile(_ path: String) -> Int64? {
  var status = stat()
  guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { return nil }
  return currentTime().seconds - Int64(status.writeTime.tv_sec)
}

/// Returns whether a path leads to a regular file, not to a pipe or a device; false if there is nothing.
package func isRegularFile(_ path: String) -> Bool { pathKind(path) == .file }

/// Returns whether the path itself is a symbolic link, even a broken one.
package func isSymbolicLink(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}

/// The directory part of a path; `.` for a bare name.
package func parentDirectory(of path: String) -> String {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// The absolute path without symbolic links; nil if there is nothing there.
package func canonicalPath(_ path: String) -> String? {
  guard !hasNUL(path), let pointer = realpath(path, nil) else { return nil }
  defer { free(pointer) }
  return String(cString: pointer)
}

/// The target of a symbolic link; nil if there is none.
func linkTarget(_ path: String) -> String? {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = readlink(path, &buffer, buffer.count)
  return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
}
