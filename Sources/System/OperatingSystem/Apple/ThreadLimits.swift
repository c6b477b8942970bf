/// Returns whether limits allow that many more threads; false, since no system call reports them.
func limitsAllowThreads(_ count: Int) -> Bool { false }
