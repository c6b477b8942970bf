/// The reason to skip the steps of a file whose need gave it nothing.
package enum UnmetNeed: String, CaseIterable {
  case failed = "failed"
  case notRun = "did not run"

  private static let beginning = "it needs "
  private var end: String { ", which \(rawValue)" }

  /// - Parameter path: the path of the file that is needed.
  package func reason(path: String) -> String { UnmetNeed.beginning + path + end }

  /// Returns whether a reason in a report is such a one.
  package static func isReason(_ text: String) -> Bool {
    text.hasPrefix(beginning) && allCases.contains { text.hasSuffix($0.end) }
  }
}
