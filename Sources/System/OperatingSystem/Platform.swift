import LibC

/// Starts a thread; nil on failure.
func makeThread(stackSize: Int, _ work: @escaping @Sendable () -> Void) -> pthread_t? {
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

/// The identity of the running thread; never 0.
package func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

extension stat {
  /// The time of the file's last change.
  var writeTime: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}

#if canImport(Glibc)
  private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  private let addressSpace = __rlimit_resource_t(RLIMIT_AS.rawValue)
  private let processes = __rlimit_resource_t(__RLIMIT_NPROC.rawValue)
#else
  private let openFiles = RLIMIT_NOFILE
  private let addressSpace = RLIMIT_AS
  private let processes = RLIMIT_NPROC
#endif

/// The bytes of address space that the process may take.
package func addressSpaceLimit() -> Int {
  var limit = rlimit()
  return getrlimit(addressSpace, &limit) == 0 ? Int(clamping: limit.rlim_cur) : .max
}

/// The processes and threads that the user may have.
func processLimit() -> Int {
  var limit = rlimit()
  return getrlimit(processes, &limit) == 0 ? Int(clamping: limit.rlim_cur) : .max
}

/// Returns the number of descriptors that may be open at a time, and the highest number that the process may request.
func descriptorLimits() -> (soft: Int, hard: Int) {
  var limit = rlimit()
  guard getrlimit(openFiles, &limit) == 0 else { return (.max, .max) }
  var hard = Int(clamping: limit.rlim_max)
  #if canImport(Darwin)
    // A higher value is rejected, whatever the limit is: setrlimit(2).
    hard = min(hard, Int(OPEN_MAX))
  #endif
  return (Int(clamping: limit.rlim_cur), hard)
}

func setDescriptorLimit(_ count: Int) {
  var limit = rlimit()
  guard getrlimit(openFiles, &limit) == 0 else { return }
  limit.rlim_cur = rlim_t(count)
  _ = setrlimit(openFiles, &limit)
}

/// The path of the running program, without symbolic links; nil if it is unknown.
func executablePath() -> String? {
  var buffer = [CChar](repeating: 0, count: 4096)
  #if canImport(Darwin)
    let count = Int(proc_pidpath(getpid(), &buffer, UInt32(buffer.count)))
  #else
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
  #endif
  guard count > 0, count < buffer.count else { return nil }
  return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

/// Goes on as another program, with the arguments of this one; returns only the reason why it can't be started.
package func replaceProcess(by path: String) -> SystemProblem {
  // A program inherits which signals are blocked and ignored.
  var none = sigset_t()
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, nil)
  for ignored in [SIGPIPE, SIGXFSZ] { signal(ignored, SIG_DFL) }
  execv(path, CommandLine.unsafeArgv)
  return SystemProblem(code: errno)
}

/// Makes writing report that nothing reads any more, or that a file is too large, instead of ending the process.
package func reportClosedPipes() {
  for ignored in [SIGPIPE, SIGXFSZ] { signal(ignored, SIG_IGN) }
}

/// Ends the process immediately: all output is written, and libraries would clean up under threads that still use them.
package func endProcess(_ status: Int32) -> Never {
  _exit(status)
}

#if canImport(Darwin)
  /// Exchanges two entries of directories, at one moment for everyone; false if that can't be.
  func exchange(_ first: (directory: Int32, name: String), _ second: (directory: Int32, name: String)) -> Bool {
    renameatx_np(first.directory, first.name, second.directory, second.name, UInt32(RENAME_SWAP)) == 0
  }
#else
  private typealias Rename = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

  /// The function of Linux, which Swift doesn't import, and some C libraries lack.
  private let renameat2: Rename? = SharedLibrary.process?.function("renameat2")
  private let renameExchange: UInt32 = 2

  /// Exchanges two entries of directories, at one moment for everyone; false if that can't be.
  func exchange(_ first: (directory: Int32, name: String), _ second: (directory: Int32, name: String)) -> Bool {
    renameat2?(first.directory, first.name, second.directory, second.name, renameExchange) == 0
  }
#endif
