import OperatingSystem
import Values

/// A section of a log that GitLab can fold.
struct LogSection: Sendable {
  private let name: String
  /// Indicates whether it is folded until someone opens it.
  let isCollapsed: Bool

  /// - Parameters:
  ///   - position: the position of the file in the output.
  ///   - isCollapsed: whether it is folded until someone opens it.
  init(position: Int, isCollapsed: Bool) {
    // Unique in a log of several runs.
    let (seconds, nanoseconds) = currentTime()
    name = "reqrun_\(position)_\(seconds)_\(nanoseconds)"
    self.isCollapsed = isCollapsed
  }

  /// The beginning of the line that is its heading.
  var opening: String {
    "\u{1B}[0Ksection_start:\(currentTime().seconds):\(name)\(isCollapsed ? "[collapsed=true]" : "")\r\u{1B}[0K"
  }

  /// The line at its end.
  var closing: String { "\u{1B}[0Ksection_end:\(currentTime().seconds):\(name)\r\u{1B}[0K\n" }
}
