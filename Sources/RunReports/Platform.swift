#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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

/// Writes all bytes; false if the descriptor takes no more.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var rest = bytes
  while !rest.isEmpty {
    let count = write(descriptor, rest.baseAddress, rest.count)
    if count < 0 {
      if errno == EINTR { continue }
      if errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, -1)
        continue
      }
      return false
    }
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
  }
  return true
}

/// Reads a file from its start, piece by piece.
func readFromStart(_ descriptor: Int32, _ body: ([UInt8]) -> Void) {
  guard lseek(descriptor, 0, SEEK_SET) == 0 else { return }
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return }
    body(Array(buffer[..<count]))
  }
}

func closeDescriptor(_ descriptor: Int32) {
  close(descriptor)
}

/// Makes a new file beside the one to be written; nil with the reason if it cannot be made.
func createFile(beside path: String) -> (descriptor: Int32, path: String, problem: String?) {
  let temporary = "\(path).\(getpid()).part"
  let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  return (descriptor, temporary, descriptor < 0 ? String(cString: strerror(errno)) : nil)
}

/// Puts the finished file in its place; the reason if that fails.
func moveFile(_ from: String, to path: String) -> String? {
  rename(from, path) == 0 ? nil : String(cString: strerror(errno))
}

func removeFile(_ path: String) {
  unlink(path)
}

/// The local date and time in UTC, as JUnit's `timestamp` has it.
func timestampNow() -> String {
  var now = time(nil)
  var parts = tm()
  gmtime_r(&now, &parts)
  var buffer = [CChar](repeating: 0, count: 32)
  let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S", &parts)
  return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
