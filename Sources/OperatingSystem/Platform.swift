import LibC

/// Starts a thread; nil if that cannot be.
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

/// Tells the running thread from all others; never 0.
package func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

extension stat {
  /// When the file was written last.
  var writeTime: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}
