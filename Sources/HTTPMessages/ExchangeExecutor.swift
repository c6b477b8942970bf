/// The thread that carries exchanges, as an executor of what sends them.
package protocol ExchangeExecutor: TaskExecutor {
  /// Does the work soon, in the order of the calls: while answers are waited for, and in any case before the thread
  /// sleeps. Called elsewhere than on this thread, it is done at once.
  func whenIdle(_ work: @escaping @Sendable () -> Void)
}
