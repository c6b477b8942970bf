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

  /// What an `errno` value stands for; its reason begins in lower case.
  package init(code: Int32) {
    let text = String(cString: strerror(code))
    reason = text.prefix(1).lowercased() + text.dropFirst()
  }
}

// MARK: environment and clock

package func environmentValue(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// A variable by which programs are set up: an empty one is as good as none.
package func environmentSetting(_ name: String) -> String? {
  environmentValue(name).flatMap { $0.isEmpty ? nil : $0 }
}

/// The time of the system's clock, since 1970.
package func currentTime() -> (seconds: Int64, nanoseconds: Int32) {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return (Int64(time.tv_sec), Int32(time.tv_nsec))
}

package var processIdentifier: Int32 { getpid() }

// MARK: libraries

/// Of the process itself for a nil name.
func openLibrary(_ name: String?) -> UnsafeMutableRawPointer? { dlopen(name, RTLD_NOW | RTLD_LOCAL) }

func address(of symbol: String, in library: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  dlsym(library, symbol)
}

// MARK: threads

/// Runs the work on a detached thread of its own; false if none could be started.
package func startThread(_ work: @escaping @Sendable () -> Void) -> Bool {
  // Runs of files have their place on such a thread too; of itself macOS gives 512 KiB, musl 128.
  guard let thread = makeThread(stackSize: 2 << 20, work) else { return false }
  pthread_detach(thread)
  return true
}

/// Runs work on a thread that is waited for.
struct JoinableThread: ~Copyable {
  private let thread: pthread_t

  /// Nil if no thread could be started.
  init?(_ work: @escaping @Sendable () -> Void) {
    guard let thread = makeThread(stackSize: 2 << 20, work) else { return nil }
    self.thread = thread
  }

  consuming func join() {
    pthread_join(thread, nil)
  }
}

package var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

/// Runs the work on a thread with so large a stack, in bytes, and waits for it; false if none could be started.
package func runOnStack(of size: Int, _ work: @escaping @Sendable () -> Void) -> Bool {
  guard let thread = makeThread(stackSize: size, work) else { return false }
  pthread_join(thread, nil)
  return true
}

private func makeThread(stackSize: Int, _ work: @escaping @Sendable () -> Void) -> pthread_t? {
  let box = Unmanaged.passRetained(ThreadWork(run: work))
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setstacksize(&attributes, stackSize)
  #if canImport(Darwin)
    var thread: pthread_t?
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
  #else
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
  #endif
  if status == 0 { return thread }
  box.release()
  return nil
}

/// A state that threads guard and wait for changes of.
///
/// `@unchecked`: all access to the state is under the lock.
package final class WatchedState<State: Sendable>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var state: State

  package init(_ state: State) {
    lock = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    self.state = state
    pthread_mutex_init(lock, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    pthread_cond_destroy(changed)
    lock.deallocate()
    changed.deallocate()
  }

  /// Reads or changes the state; those who wait look at it again.
  package func update<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(lock)
    }
    return body(&state)
  }

  /// Waits until the body answers something.
  package func wait<Result>(for body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(lock)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(lock)
    }
    while true {
      if let result = body(&state) { return result }
      pthread_cond_wait(changed, lock)
    }
  }
}

private final class ThreadWork: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}

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

/// What an entry of a directory is itself, without following a link.
package enum EntryKind: Sendable {
  case file, directory, link, other, nothing
}

package func entryKind(_ path: String) -> EntryKind {
  var status = stat()
  guard lstat(path, &status) == 0 else { return .nothing }
  switch status.st_mode & S_IFMT {
  case S_IFREG: return .file
  case S_IFDIR: return .directory
  case S_IFLNK: return .link
  default: return .other
  }
}

/// The length of a plain file in bytes; nil for all else.
package func fileSize(of path: String) -> Int64? {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
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
  #if canImport(Darwin)
    let written = status.st_mtimespec
  #else
    let written = status.st_mtim
  #endif
  return currentTime().seconds - Int64(written.tv_sec)
}

/// Whether a path leads to a device or a pipe, such as `/dev/stdout`, which nothing may take the place of.
package func isSpecialFile(_ path: String) -> Bool {
  var status = stat()
  guard stat(path, &status) == 0 else { return false }
  return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
}

/// Whether a path leads to bytes that have an end, unlike a pipe or a device; false if there is nothing.
package func isRegularFile(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// Whether the path itself is a symbolic link, wherever it leads.
package func isSymbolicLink(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
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
  if rename(from, path) != 0 { throw SystemProblem(code: errno) }
}

/// Gives a file another name; false if that one is taken.
func moveFile(_ from: String, toUnused path: String) throws(SystemProblem) -> Bool {
  if link(from, path) == 0 {
    unlink(from)
    return true
  }
  if errno == EEXIST { return false }
  // Not all file systems have links.
  var status = stat()
  if lstat(path, &status) == 0 { return false }
  try moveFile(from, to: path)
  return true
}

package func removeFile(_ path: String) {
  unlink(path)
}

package func removeDirectoryIfEmpty(_ path: String) {
  rmdir(path)
}

/// Makes a directory, unless there is one.
///
/// - Parameter isPrivate: whether only its owner may enter it.
package func makeDirectory(_ path: String, isPrivate: Bool) throws(SystemProblem) {
  guard mkdir(path, isPrivate ? 0o700 : 0o777) != 0 else { return }
  let code = errno
  if pathKind(path) != .directory { throw SystemProblem(code: code) }
}

// MARK: descriptors

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

/// Opens or makes a file that only this opening of it may write to. No link is followed, and what is no plain file of the
/// user's own is put aside.
func openPart(_ path: String) throws(PartFile.Refusal) -> Int32 {
  let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
  // Who had the lock may have moved the file meanwhile.
  for _ in 0..<3 {
    var descriptor = open(path, flags)
    var status = stat()
    if descriptor >= 0 {
      let isOwn =
        fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
        && status.st_nlink == 1
      if !isOwn {
        close(descriptor)
        descriptor = -1
        if unlink(path) != 0 { throw .system(SystemProblem(code: errno)) }
      }
    } else if errno != ENOENT, unlink(path) != 0 {
      throw .system(SystemProblem(code: errno))
    }
    if descriptor < 0 { descriptor = open(path, flags | O_CREAT | O_EXCL, 0o666) }
    if descriptor < 0 {
      if errno == EEXIST { continue }
      throw .system(SystemProblem(code: errno))
    }
    // Goes with the descriptor, and so with the process.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      throw code == EWOULDBLOCK ? .isBusy : .system(SystemProblem(code: code))
    }
    var named = stat()
    if fstat(descriptor, &status) == 0, lstat(path, &named) == 0, status.st_ino == named.st_ino,
      status.st_dev == named.st_dev
    {
      return descriptor
    }
    close(descriptor)
  }
  throw .isBusy
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

/// Opens a file to read and add to, with a lock on it; nil if there is none, or someone else has the lock.
func openLocked(_ path: String, isMade: Bool) throws(SystemProblem) -> Int32? {
  // Who had the lock may have removed the file meanwhile.
  for _ in 0..<3 {
    let descriptor = open(
      path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (isMade ? O_CREAT : 0), 0o600)
    guard descriptor >= 0 else {
      if errno == ENOENT, !isMade { return nil }
      throw SystemProblem(code: errno)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
      close(descriptor)
      throw SystemProblem("there is something else in its place")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      if code == EWOULDBLOCK { return nil }
      throw SystemProblem(code: code)
    }
    if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return descriptor }
    close(descriptor)
  }
  return nil
}

/// A file whose name is gone already; nil if there is no room for one.
func openUnnamed() -> Int32? {
  let directory = environmentSetting("TMPDIR") ?? "/tmp"
  var template = Array("\(directory)/reqrun-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  guard descriptor >= 0 else { return nil }
  unlink(template)
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  return descriptor
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
    #if canImport(Darwin)
      let written = status.st_mtimespec
    #else
      let written = status.st_mtim
    #endif
    self.init(
      size: Int64(status.st_size), seconds: Int64(written.tv_sec), nanoseconds: Int64(written.tv_nsec),
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
  }
}

/// A regular file opened for reading; closed when the value goes.
package struct ReadableFile: ~Copyable {
  private let descriptor: Int32
  /// What the file was when it was opened.
  package let version: FileVersion

  /// Directories, pipes and devices are refused, and never waited for.
  package init(path: String) throws(SystemProblem) {
    let file = try openRegular(path)
    descriptor = file.descriptor
    version = file.version
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

private func status(of descriptor: Int32) throws(SystemProblem) -> stat {
  var result = stat()
  if fstat(descriptor, &result) != 0 { throw SystemProblem(code: errno) }
  return result
}

private func openRegular(_ path: String) throws(SystemProblem) -> (descriptor: Int32, version: FileVersion) {
  // Opening a pipe would wait for someone who writes into it.
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
  if descriptor < 0 { throw SystemProblem(code: errno) }
  do throws(SystemProblem) {
    let status = try status(of: descriptor)
    switch status.st_mode & S_IFMT {
    case S_IFREG: return (descriptor, FileVersion(status))
    case S_IFDIR: throw SystemProblem("it is a directory")
    default: throw SystemProblem("it is a pipe or a device, not a regular file")
    }
  } catch {
    close(descriptor)
    throw error
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
