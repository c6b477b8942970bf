/// The thread that performs exchanges, as an executor for the tasks that send them.
package protocol ExchangeExecutor: TaskExecutor {
  /// Runs the work soon, in the order of the calls: while responses are awaited, and always before the thread sleeps.
  /// Called from another thread, it runs immediately.
  func whenIdle(_ work: @escaping @Sendable () -> Void)
}
