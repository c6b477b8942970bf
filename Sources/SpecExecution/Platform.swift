#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The absolute path without symbolic links; nil if there is nothing there.
func canonicalPath(_ path: String) -> String? {
  guard let pointer = realpath(path, nil) else { return nil }
  defer { free(pointer) }
  return String(cString: pointer)
}

/// All bytes of a regular file; nil if it cannot be read.
func readWholeFile(_ path: String) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var result: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    if count < 0 {
      if errno == EINTR { continue }
      return nil
    }
    if count == 0 { return result }
    result.append(contentsOf: buffer[..<count])
  }
}

/// A file without a name, gone when it is closed; -1 if there is no room for one.
func openUnlinkedFile() -> Int32 {
  let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  var template = Array("\(directory)/reqrun-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  guard descriptor >= 0 else { return -1 }
  unlink(template)
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  return descriptor
}

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

func readAll(from descriptor: Int32, count: Int) -> [UInt8]? {
  guard lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
  var isComplete = true
  let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
    while initialized < count {
      let got = read(descriptor, buffer.baseAddress.map { $0 + initialized }, count - initialized)
      if got < 0, errno == EINTR { continue }
      guard got > 0 else {
        isComplete = false
        return
      }
      initialized += got
    }
  }
  return isComplete ? bytes : nil
}

func closeDescriptor(_ descriptor: Int32) {
  close(descriptor)
}

func environmentValue(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// The system's clock.
func currentTimestamp() -> (seconds: Int64, nanoseconds: Int32) {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return (Int64(time.tv_sec), Int32(time.tv_nsec))
}
