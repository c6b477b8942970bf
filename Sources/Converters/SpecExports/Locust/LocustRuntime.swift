/// The Python module beside each exported `locustfile.py`.
enum LocustRuntime {
  static var bytes: [UInt8] { PackageResources.reqrun_load_py }

  /// The names that no method for a request may have.
  static let names: Set<String> = [
    "abstract", "begin", "clean_up", "client", "client_pool", "context", "each", "environment", "fixed_count",
    "full_name", "greenlet", "group", "host", "insecure", "logger", "need", "needed", "network_timeout", "on_start",
    "on_stop", "over", "play", "pool_manager", "run", "send", "start", "stop", "tasks", "use", "wait", "wait_function",
    "wait_time", "weight",
    // Python's keywords.
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
    "return", "try", "while", "with", "yield",
  ]
}
