#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs the work on a detached thread of its own.
func startThread(_ work: @escaping @Sendable () -> Void) {
  let box = Unmanaged.passRetained(ThreadWork(run: work))
  #if canImport(Darwin)
    var thread: pthread_t?
    let status = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    precondition(status == 0, "no thread could be started")
    if let thread { pthread_detach(thread) }
  #else
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    precondition(status == 0, "no thread could be started")
    pthread_detach(thread)
  #endif
}

/// Tells the running thread from all others; never 0.
func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

private final class ThreadWork: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}

/// A file opened for reading; closed when the value goes.
struct ReadableFile: ~Copyable {
  private let descriptor: Int32

  /// Nil if the file can't be opened; the reason is then in ``lastSystemError()``.
  init?(path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// - Returns: the number of bytes read, 0 at the end, negative on an error.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 || errno != EINTR { return count }
    }
  }
}

/// The text of an `errno` value, beginning in lower case.
func systemErrorText(_ code: Int32) -> String {
  let text = String(cString: strerror(code))
  return text.prefix(1).lowercased() + text.dropFirst()
}

func lastSystemError() -> String { systemErrorText(errno) }

/// A variable of the environment; nil where it is missing or empty.
func environmentVariable(_ name: String) -> String? {
  guard let value = getenv(name) else { return nil }
  let text = String(cString: value)
  return text.isEmpty ? nil : text
}

/// Whether the folder holds certificates under the hashes of their subjects, as `c_rehash` makes them.
func isHashedCertificateFolder(_ path: String) -> Bool {
  guard let folder = opendir(path) else { return false }
  defer { closedir(folder) }
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
      tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
        String(cString: $0)
      }
    }
    if name.utf8.count == 10, name.hasSuffix(".0") { return true }
  }
  return false
}
