/// Returns whether limits allow that many more threads; false, since no system call tells.
func limitsAllowThreads(_ count: Int) -> Bool { false }
