/// Combines failures with one cause: a page where JSON was expected is one failure, however many paths need it.
extension [AssertionReport] {
  /// The failures, with dependent ones as ``AssertionReport/dependents`` of their cause.
  package var folded: [AssertionReport] {
    guard count > 1 else { return self }
    return contains { $0.cause == .status } ? foldedByStatus : foldedByForm
  }

  /// An unexpected status comes first: the response is another one than what the rest is about.
  private var foldedByStatus: [AssertionReport] {
    let hasOtherForm = contains(where: \.isUnreadable)
    var result = filter { $0.cause == .status }
    var others: [AssertionReport] = []
    for failure in self where failure.cause != .status {
      if failure.cause == .absent || failure.isUnreadable || failure.cause == .contentType && hasOtherForm {
        result[0].dependents.append(failure.subject)
      } else {
        others.append(failure)
      }
    }
    return result + others
  }

  private var foldedByForm: [AssertionReport] {
    guard let first = firstIndex(where: \.isUnreadable) else { return self }
    var result: [AssertionReport] = []
    var leaders: [AssertionReport.Cause: Int] = [:]
    var types: [String] = []
    for failure in self {
      if let cause = failure.cause, failure.isUnreadable, let leader = leaders[cause] {
        result[leader].dependents.append(failure.subject)
      } else if failure.cause == .contentType {
        types.append(failure.subject)
      } else {
        if let cause = failure.cause, failure.isUnreadable { leaders[cause] = result.count }
        result.append(failure)
      }
    }
    if let leader = self[first].cause.flatMap({ leaders[$0] }) { result[leader].dependents += types }
    return result
  }
}

extension AssertionReport {
  fileprivate var isUnreadable: Bool { if case .unreadable? = cause { true } else { false } }
}
