/// Combines failures with one cause: a page where JSON was expected is one failure, however many paths need it.
extension [AssertionReport] {
  /// The failures, with dependent ones as ``AssertionReport/dependents`` of their cause.
  package var folded: [AssertionReport] {
    guard count > 1, contains(where: { $0.isUnreadable }) else { return self }
    var result: [AssertionReport] = []
    let status = first { $0.cause == .status }
    var leaders: [AssertionReport.Cause: Int] = [:]
    var dependents: [Int: [String]] = [:]
    // An earlier failure may depend on a later one.
    var early: [(position: Int, subject: String)] = []
    for failure in self {
      guard let cause = failure.cause, failure.isUnreadable || cause == .contentType else {
        if failure.cause == .status, leaders[.status] == nil { leaders[.status] = result.count }
        result.append(failure)
        continue
      }
      if status != nil {
        early.append((result.count, failure.subject))
      } else if let leader = leaders[cause] {
        dependents[leader, default: []].append(failure.subject)
      } else if cause == .contentType {
        early.append((result.count, failure.subject))
      } else {
        leaders[cause] = result.count
        result.append(failure)
      }
    }
    guard let leader = leaders[.status] ?? leaders.values.min() else { return self }
    dependents[leader, default: []] += early.map(\.subject)
    for (index, subjects) in dependents { result[index].dependents += subjects }
    return result
  }
}

extension AssertionReport {
  fileprivate var isUnreadable: Bool { if case .unreadable? = cause { true } else { false } }
}
