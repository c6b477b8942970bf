extension HeaderFields {
  /// Adds what a request carries unless it says otherwise: `Accept` and `User-Agent`.
  ///
  /// Transports add nothing but `Host`, `Content-Length` and `Accept-Encoding`.
  package mutating func addDefaults(version: String) {
    if !contains("Accept") { append("Accept", "*/*") }
    if !contains("User-Agent") { append("User-Agent", "reqrun/\(version)") }
  }
}
