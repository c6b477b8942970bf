import LibC
import OperatingSystem

/// A process that was started with one end of a socket pair as its descriptor 3.
struct SpawnedProcess: Sendable {
  let id: Int32
  /// Our end of the pair.
  let socket: Int32
  /// The pipe of its standard error; it never blocks the process, excess output is dropped.
  let standardError: Int32
}

enum ProcessEnd: Sendable, Equatable {
  case exit(Int32)
  case signal(Int32)
  case unknown
}

#if canImport(Glibc)
  /// Starts the program with `posix_spawn`, with descriptors 0 to 3; it closes the others itself.
  ///
  /// It gets its own process group: Ctrl-C is for `reqrun`, which still finishes the exchanges in flight.
  func spawnProcess(_ path: String, environment: [String]) -> Result<SpawnedProcess, SystemProblem> {
    var pair: [Int32] = [-1, -1]
    var errors: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
      return .failure(SystemProblem(code: errno))
    }
    guard pipe(&errors) == 0 else {
      defer { pair.forEach { close($0) } }
      return .failure(SystemProblem(code: errno))
    }
    for descriptor in errors {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    // Moved out of the range 0 to 3, which the steps below assign.
    let childSocket = fcntl(pair[1], F_DUPFD_CLOEXEC, 10)
    let childErrors = fcntl(errors[1], F_DUPFD_CLOEXEC, 10)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
      for descriptor in [pair[1], errors[1], childSocket, childErrors] where descriptor >= 0 { close(descriptor) }
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, childErrors, 2)
    posix_spawn_file_actions_adddup2(&actions, childSocket, 3)
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    var defaults = sigset_t()
    sigfillset(&defaults)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    var arguments = [strdup(path), nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer {
      arguments.forEach { free($0) }
      variables.forEach { free($0) }
    }
    var id: pid_t = 0
    let status = posix_spawn(&id, path, &actions, &attributes, &arguments, &variables)
    guard status == 0 else {
      close(pair[0])
      close(errors[0])
      return .failure(SystemProblem(code: status))
    }
    return .success(SpawnedProcess(id: id, socket: pair[0], standardError: errors[0]))
  }
#else
  /// URLSession is safe here and runs in-process: there is no worker.
  func spawnProcess(_ path: String, environment: [String]) -> Result<SpawnedProcess, SystemProblem> {
    .failure(SystemProblem(code: ENOTSUP))
  }
#endif

/// Kills the process if it still runs, and returns how it ended.
func reapProcess(_ id: Int32) -> ProcessEnd {
  kill(id, SIGKILL)
  var status: Int32 = 0
  while waitpid(id, &status, 0) < 0 {
    if errno != EINTR { return .unknown }
  }
  let signal = status & 0x7F
  return signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)
}

/// Reads the rest of a non-blocking pipe, up to 64 KiB, and closes it.
func drainPipe(_ descriptor: Int32) -> String {
  defer { close(descriptor) }
  var buffer = [UInt8](repeating: 0, count: 65536)
  let count = read(descriptor, &buffer, buffer.count)
  return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : ""
}
