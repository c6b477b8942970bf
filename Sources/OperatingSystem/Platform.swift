#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the system refused, in its own words.
package struct SystemProblem: Error, Sendable {
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }

  init() {
    reason = String(cString: strerror(errno))
  }
}

// MARK: environment and clock

package func environmentValue(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// The time of the system's clock, since 1970.
package func currentTime() -> (seconds: Int64, nanoseconds: Int32) {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return (Int64(time.tv_sec), Int32(time.tv_nsec))
}

package var processIdentifier: Int32 { getpid() }

// MARK: paths

/// What stands at a path.
package enum PathKind: Sendable {
  case file, directory, nothing
}

package func pathKind(_ path: String) -> PathKind {
  var status = stat()
  guard stat(path, &status) == 0 else { return .nothing }
  return status.st_mode & S_IFMT == S_IFDIR ? .directory : .file
}

/// Whether a path leads to a device or a pipe, such as `/dev/stdout`, which nothing may take the place of.
package func isSpecialFile(_ path: String) -> Bool {
  var status = stat()
  guard stat(path, &status) == 0 else { return false }
  return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
}

/// The absolute path without symbolic links; nil if there is nothing there.
package func canonicalPath(_ path: String) -> String? {
  guard let pointer = realpath(path, nil) else { return nil }
  defer { free(pointer) }
  return String(cString: pointer)
}

/// The names in a directory, sorted.
package func directoryEntries(_ path: String) -> [String] {
  guard let directory = opendir(path) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// Puts a file in the place of another, at once.
package func moveFile(_ from: String, to path: String) throws(SystemProblem) {
  if rename(from, path) != 0 { throw SystemProblem() }
}

package func removeFile(_ path: String) {
  unlink(path)
}

/// Makes a directory that only its owner may enter, unless there is one.
package func makePrivateDirectory(_ path: String) throws(SystemProblem) {
  if mkdir(path, 0o700) != 0, pathKind(path) != .directory { throw SystemProblem() }
}

// MARK: descriptors

func openForReading(_ path: String) throws(SystemProblem) -> Int32 {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  if descriptor < 0 { throw SystemProblem() }
  return descriptor
}

func openForWriting(_ path: String, isPrivate: Bool = false) throws(SystemProblem) -> Int32 {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
  if descriptor < 0 { throw SystemProblem() }
  return descriptor
}

/// A file whose name is gone already; nil if there is no room for one.
func openUnnamed() -> Int32? {
  let directory = environmentValue("TMPDIR") ?? "/tmp"
  var template = Array("\(directory)/reqrun-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  guard descriptor >= 0 else { return nil }
  unlink(template)
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  return descriptor
}

/// Up to so many bytes from a place in a file, or from where reading stands; none at its end.
func readPiece(_ descriptor: Int32, upTo count: Int, at offset: Int64? = nil) throws(SystemProblem) -> [UInt8] {
  var failed = false
  let piece = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
    while true {
      let got =
        offset.map { pread(descriptor, buffer.baseAddress, count, off_t($0)) }
        ?? read(descriptor, buffer.baseAddress, count)
      if got < 0, errno == EINTR { continue }
      failed = got < 0
      initialized = max(0, got)
      return
    }
  }
  if failed { throw SystemProblem() }
  return piece
}

/// Writes all bytes; false if the descriptor takes no more.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var rest = bytes
  while !rest.isEmpty {
    let count = write(descriptor, rest.baseAddress, rest.count)
    if count < 0 {
      if errno == EINTR { continue }
      return false
    }
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
  }
  return true
}

/// Empties a file and goes back to its start.
func truncate(_ descriptor: Int32) {
  _ = ftruncate(descriptor, 0)
  _ = lseek(descriptor, 0, SEEK_SET)
}

func closeDescriptor(_ descriptor: Int32) {
  close(descriptor)
}
