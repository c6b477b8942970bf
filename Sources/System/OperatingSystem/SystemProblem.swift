import LibC

/// An error of the system, in its own words.
package struct SystemProblem: Error, Sendable {
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }

  /// The problem for an `errno` value; its reason begins in lower case.
  package init(code: Int32) {
    let text = String(cString: strerror(code))
    reason = text.prefix(1).lowercased() + text.dropFirst()
  }
}
