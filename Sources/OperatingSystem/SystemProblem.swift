import LibC

/// What the system refused, in its own words.
package struct SystemProblem: Error, Sendable {
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }

  /// What an `errno` value stands for; its reason begins in lower case.
  package init(code: Int32) {
    let text = String(cString: strerror(code))
    reason = text.prefix(1).lowercased() + text.dropFirst()
  }
}
