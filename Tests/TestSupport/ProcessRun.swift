import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A program to be run in a test: where, with what, and for how long at most.
package struct ProcessRun: Sendable {
  package var executable: String
  package var arguments: [String]
  /// All of its environment.
  package var environment: [String: String] = [:]
  package var directory: String
  /// Longer than a program takes on a busy machine: only one that hangs is killed.
  package var timeLimit: Duration = .seconds(300)
  package var limits = ProcessLimits()

  package init(_ executable: String, _ arguments: [String] = [], in directory: String) {
    self.executable = executable
    self.arguments = arguments
    self.directory = directory
  }

  /// What the program wrote and how it ended.
  package struct Result: Sendable {
    package let output: [UInt8]
    package let errorOutput: [UInt8]
    package let ending: Ending
  }

  package enum Ending: Sendable, Equatable, CustomStringConvertible {
    case exited(Int)
    case signalled(Int)
    /// It ran longer than its time limit and was killed, with all processes it had started.
    case killed(after: Duration)
    /// It ended, but had held more memory than it may.
    case tookMemory(megabytes: Int)

    package var description: String {
      switch self {
      case .exited(let code): "\(code)"
      case .signalled(let signal): "signal \(signal)"
      case .killed(let limit): "killed after \(limit)"
      case .tookMemory(let megabytes): "took \(megabytes) megabytes of memory"
      }
    }
  }

  /// Runs the program with nothing to read; its output goes through files, so that none can fill a pipe.
  package func run() async throws -> Result {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let output = folder.path + "/stdout"
    let errorOutput = folder.path + "/stderr"
    let process = try start(output: output, errorOutput: errorOutput)
    let ending = try await wait(for: process)
    return Result(
      output: try Array(Data(contentsOf: URL(fileURLWithPath: output))),
      errorOutput: try Array(Data(contentsOf: URL(fileURLWithPath: errorOutput))), ending: ending)
  }

  private func start(output: String, errorOutput: String) throws -> pid_t {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errorOutput, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let changed = try ProcessRun.addChangeOfDirectory(&actions, directory)
    guard changed == 0 else { throw HarnessError("\(directory) can't be the working folder") }
    // A process group of its own can be killed as a whole; signals start as a shell would have them.
    var defaults = sigset_t()
    sigfillset(&defaults)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var unblocked = sigset_t()
    sigemptyset(&unblocked)
    posix_spawnattr_setsigmask(&attributes, &unblocked)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    let words = limits.wrapped(executable, arguments)
    let argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let envp: [UnsafeMutablePointer<CChar>?] =
      environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, words[0], &actions, &attributes, argv, envp)
    guard code == 0 else { throw HarnessError("\(executable) can't be started: \(String(cString: strerror(code)))") }
    return process
  }

  /// `posix_spawn_file_actions_addchdir_np`, which glibc has but its module for Swift does not show.
  private static func addChangeOfDirectory(
    _ actions: UnsafeMutableRawPointer, _ directory: String
  ) throws -> Int32 {
    typealias Function = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>) -> Int32
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "posix_spawn_file_actions_addchdir_np") else {
      throw HarnessError("posix_spawn can't change the working folder here")
    }
    return unsafeBitCast(symbol, to: Function.self)(actions, directory)
  }

  private func wait(for process: pid_t) async throws -> Ending {
    let deadline = ContinuousClock.now + timeLimit
    var status: Int32 = 0
    var usage = rusage()
    var peak: Int?
    while true {
      if limits.memoryMegabytes != nil { peak = ProcessRun.peakMegabytes(of: process) ?? peak }
      let reaped = wait4(process, &status, WNOHANG, &usage)
      if reaped == process { break }
      guard reaped == 0 || errno == EINTR else {
        throw HarnessError("how \(executable) ended can't be known: \(String(cString: strerror(errno)))")
      }
      if ContinuousClock.now > deadline {
        kill(-process, SIGKILL)
        waitpid(process, &status, 0)
        return .killed(after: timeLimit)
      }
      // A cancelled sleep returns at once; polling then goes on a little faster.
      try? await Task.sleep(for: .milliseconds(4))
    }
    // What it left running would hold on to ports and files.
    kill(-process, SIGKILL)
    #if canImport(Glibc)
      // Linux counts what the process that started it held at that moment, this one, as the program's own.
      let megabytes = min(usage.ru_maxrss / 1024, peak ?? .max)
    #else
      let megabytes = usage.ru_maxrss / 1024 / 1024
    #endif
    if let limit = limits.memoryMegabytes, megabytes > limit { return .tookMemory(megabytes: megabytes) }
    let signal = status & 0x7F
    return signal == 0 ? .exited(Int(status >> 8 & 0xFF)) : .signalled(Int(signal))
  }

  /// The most that a running program has held in memory so far; nil where the system doesn't say.
  private static func peakMegabytes(of process: pid_t) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return nil }
    return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 / 1024 }
  }
}

/// What a program may use; nil is without limit.
package struct ProcessLimits: Sendable, Equatable {
  package var cpuSeconds: Int?
  package var memoryMegabytes: Int?
  /// Of every thread, the main one too.
  package var stackKilobytes: Int?
  /// Of each file that it writes.
  package var fileMegabytes: Int?

  package init() {}

  /// Reads lines such as `cpu 5` (seconds), `memory 512` (megabytes in memory at the peak), `stack 512` (kilobytes) and
  /// `file 20` (megabytes).
  package init(parsing text: String) throws {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let amount = Int(words[1]) else { throw HarnessError("no limit: \(line)") }
      switch words[0] {
      case "cpu": cpuSeconds = amount
      case "memory": memoryMegabytes = amount
      case "stack": stackKilobytes = amount
      case "file": fileMegabytes = amount
      default:
        throw HarnessError(
          "a limit is `cpu SECONDS`, `memory MEGABYTES`, `stack KILOBYTES` or `file MEGABYTES`, not \(line)")
      }
    }
  }

  /// The command line, in a shell that limits CPU time, stacks and the size of files first.
  ///
  /// Memory is measured instead: under a limit on address space, glibc gives a new thread no heap of its own, and each
  /// allocation becomes a system call.
  fileprivate func wrapped(_ executable: String, _ arguments: [String]) -> [String] {
    // Files are counted in blocks of 512 bytes.
    let limits = [
      cpuSeconds.map { "ulimit -t \($0); " }, stackKilobytes.map { "ulimit -s \($0); " },
      fileMegabytes.map { "ulimit -f \($0 * 2048); " },
    ].compactMap { $0 }
    guard !limits.isEmpty else { return [executable] + arguments }
    return ["/bin/sh", "-c", limits.joined() + "exec \"$0\" \"$@\"", executable] + arguments
  }
}
