import LibC

/// Opens a descriptor that the user passed to the program, such as `/dev/stdin`, or a regular file.
func openForReading(_ path: String) throws(SystemProblem) -> Int32 {
  if let own = ownDescriptor(path) { return try duplicate(own) }
  if path != "/dev/null" { return try openRegular(path).descriptor }
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  if descriptor < 0 { throw SystemProblem(code: errno) }
  return descriptor
}

/// Opens a regular file. Directories, pipes and devices are rejected without blocking.
func openRegular(_ path: String) throws(SystemProblem) -> (descriptor: Int32, status: stat) {
  if hasNUL(path) { throw .nulInPath }
  // Opening a pipe would block until someone opens it for writing.
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
  if descriptor < 0 {
    // The error for a socket, and for a missing device.
    throw errno == ENXIO ? .notRegular : SystemProblem(code: errno)
  }
  do throws(SystemProblem) {
    let status = try status(of: descriptor)
    switch status.st_mode & S_IFMT {
    case S_IFREG: return (descriptor, status)
    case S_IFDIR: throw SystemProblem("it is a directory")
    default: throw .notRegular
    }
  } catch {
    close(descriptor)
    throw error
  }
}

extension SystemProblem {
  fileprivate static var notRegular: SystemProblem { SystemProblem("it is a pipe or a device, not a regular file") }
  static var nulInPath: SystemProblem { SystemProblem("its path has a NUL character in it") }
}

/// Returns whether the path contains a NUL, at which the system would cut it.
package func hasNUL(_ path: String) -> Bool { path.utf8.contains(0) }

func status(of descriptor: Int32) throws(SystemProblem) -> stat {
  var result = stat()
  if fstat(descriptor, &result) != 0 { throw SystemProblem(code: errno) }
  return result
}

/// Ensures that descriptors 0 to 2 are open: otherwise the next file would become a standard stream. Must be called
/// before anything is opened.
package func openStandardStreams() {
  for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
    // The lowest free descriptor: this one.
    _ = open("/dev/null", O_RDWR)
  }
}

/// The maximum number of open files and connections.
package var descriptorLimit: Int { descriptorLimits().soft }

/// Raises that limit as far as the system allows, up to 65,536.
package func raiseDescriptorLimit() {
  let (soft, hard) = descriptorLimits()
  let wanted = min(hard, 1 << 16)
  if wanted > soft { setDescriptorLimit(wanted) }
}

/// Returns whether that many more can be open at a time.
package func canOpenDescriptors(_ count: Int) -> Bool {
  let copies = (0..<count).map { _ in fcntl(0, F_DUPFD_CLOEXEC, 3) }
  for copy in copies where copy >= 0 { close(copy) }
  return copies.allSatisfy { $0 >= 0 }
}

/// Indicates whether no more can be opened now.
package var isOutOfDescriptors: Bool {
  let copy = fcntl(0, F_DUPFD_CLOEXEC, 3)
  if copy >= 0 { close(copy) }
  return copy < 0 && (errno == EMFILE || errno == ENFILE)
}

/// The descriptor that a path such as `/dev/stdin` or `/dev/fd/3` names.
func ownDescriptor(_ path: String) -> Int32? {
  guard path.hasPrefix("/dev/") || path.hasPrefix("/proc/") else { return nil }
  switch path {
  case "/dev/stdin": return 0
  case "/dev/stdout": return 1
  case "/dev/stderr": return 2
  default: break
  }
  for folder in ["/dev/fd/", "/proc/self/fd/", "/proc/\(getpid())/fd/"] where path.hasPrefix(folder) {
    let digits = path.dropFirst(folder.count)
    guard digits.utf8.allSatisfy({ ($0 &- 0x30) < 10 }) else { return nil }
    return Int32(digits)
  }
  return nil
}

func duplicate(_ descriptor: Int32) throws(SystemProblem) -> Int32 {
  let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
  if copy < 0 { throw SystemProblem(code: errno) }
  return copy
}

func unlockFile(_ descriptor: Int32) {
  _ = flock(descriptor, LOCK_UN)
}

func fileSize(_ descriptor: Int32) -> Int64? {
  var status = stat()
  return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : nil
}

func cutFile(_ descriptor: Int32, to size: Int64) throws(SystemProblem) {
  if ftruncate(descriptor, off_t(size)) != 0 { throw SystemProblem(code: errno) }
}

func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) throws(SystemProblem) {
  var done = 0
  while done < bytes.count {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
    let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + Int64(done)))
    if count < 0 {
      if errno == EINTR { continue }
      throw SystemProblem(code: errno)
    }
    done += count
  }
}

/// Up to that many bytes from an offset of a file, or from the current position; none at its end.
func readPiece(_ descriptor: Int32, upTo count: Int, at offset: Int64? = nil) throws(SystemProblem) -> [UInt8] {
  var got = 0
  let piece = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
    got = readBytes(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    initialized = max(0, got)
  }
  if got < 0 { throw SystemProblem(code: errno) }
  return piece
}

/// The number of bytes read, 0 at the end, negative on an error, for which `errno` is set.
func readBytes(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64?) -> Int {
  while true {
    let got =
      offset.map { pread(descriptor, buffer.baseAddress, buffer.count, off_t($0)) }
      ?? read(descriptor, buffer.baseAddress, buffer.count)
    if got >= 0 { return got }
    if errno == EAGAIN, offset == nil, wait(for: POLLIN, at: descriptor, milliseconds: -1) { continue }
    if errno != EINTR { return got }
  }
}

/// Writes all bytes; false on an error.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var rest = bytes
  while !rest.isEmpty {
    let count = write(descriptor, rest.baseAddress, rest.count)
    if count < 0 {
      if errno == EINTR { continue }
      // The reader of a pipe may be slow.
      if errno == EAGAIN, wait(for: POLLOUT, at: descriptor, milliseconds: 30_000) { continue }
      return false
    }
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
  }
  return true
}

/// Empties a file and returns to its start.
func truncate(_ descriptor: Int32) {
  _ = ftruncate(descriptor, 0)
  _ = lseek(descriptor, 0, SEEK_SET)
}

func closeDescriptor(_ descriptor: Int32) {
  close(descriptor)
}

/// Waits until a descriptor is readable or writable; false if the time is up before.
private func wait(for event: Int32, at descriptor: Int32, milliseconds: Int32) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
  while true {
    let count = poll(&entry, 1, milliseconds)
    if count >= 0 || errno != EINTR { return count > 0 }
  }
}
