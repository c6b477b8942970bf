import LibC

func openForReading(_ path: String) throws(SystemProblem) -> Int32 {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  if descriptor < 0 { throw SystemProblem(code: errno) }
  return descriptor
}

/// - Parameter isNew: whether nothing may be there yet, be it a link to elsewhere.
func openForWriting(_ path: String, isPrivate: Bool = false, isNew: Bool = false) throws(SystemProblem) -> Int32 {
  let descriptor = open(
    path, O_WRONLY | O_CREAT | (isNew ? O_EXCL : O_TRUNC) | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
  if descriptor < 0 { throw SystemProblem(code: errno) }
  return descriptor
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

/// Writes all bytes to a place in a file.
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

/// Up to so many bytes from a place in a file, or from where reading stands; none at its end.
func readPiece(_ descriptor: Int32, upTo count: Int, at offset: Int64? = nil) throws(SystemProblem) -> [UInt8] {
  var got = 0
  let piece = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
    got = readBytes(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    initialized = max(0, got)
  }
  if got < 0 { throw SystemProblem(code: errno) }
  return piece
}

/// The number of bytes read, 0 at the end, negative on an error, which `errno` then tells.
func readBytes(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64?) -> Int {
  while true {
    let got =
      offset.map { pread(descriptor, buffer.baseAddress, buffer.count, off_t($0)) }
      ?? read(descriptor, buffer.baseAddress, buffer.count)
    if got >= 0 || errno != EINTR { return got }
  }
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
