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
#else
  private let openFiles = RLIMIT_NOFILE
#endif

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
