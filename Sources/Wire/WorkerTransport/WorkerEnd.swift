import Values

/// The end of a worker process, and the last line it wrote.
struct WorkerEnd: Sendable {
  let end: ProcessEnd
  /// The last line of its standard error; may be empty.
  let lastLine: String

  init(_ end: ProcessEnd, standardError: String) {
    self.end = end
    let lines = standardError.split(whereSeparator: \.isNewline)
    lastLine = String(lines.last { $0.contains("Fatal error") } ?? lines.last ?? "")
  }

  var text: String {
    let how =
      switch end {
      case .signal(let number): "signal \(number)"
      case .exit(let code): "exit status \(code)"
      case .unknown: "no status"
      }
    return lastLine.isEmpty ? how : "\(how); \(Excerpt(lastLine, limit: 300))"
  }

  /// The cause within the response, as far as Foundation's last words say.
  ///
  /// - Parameter hasHead: whether the head of the response was received.
  func cause(hasHead: Bool) -> String {
    // The numbers of SIGILL, SIGTRAP and SIGABRT: a trap of Swift's own.
    guard case .signal(let number) = end, [4, 5, 6].contains(number) else { return "of an unknown kind" }
    if lastLine.contains("there's no response") {
      return hasHead ? "with trailers" : "that is cut off inside its headers, or has trailers and no body"
    }
    if lastLine.contains("Invalid URL") { return "with a Location that Foundation can't read, such as //[::1]/" }
    return lastLine.isEmpty
      ? "of a kind that traps, such as one with a Content-Length near 2^63" : "of a kind that traps"
  }
}
