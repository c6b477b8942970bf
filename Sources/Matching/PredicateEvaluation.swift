package import Values

/// All predicates that do not hold, none hidden by another.
///
/// - Parameters:
///   - path: what the paths of differences begin with.
///   - unit: what numbers are shown with, such as `ms`.
package func failures(
  of predicates: [Predicate], against subject: MatchSubject, path: String = "$", unit: String = ""
) -> [MatchFailure] {
  preconditionFailure("not written yet")
}

/// The predicate in one short line, as reports name it: `contains "admin"`.
package func describe(_ predicate: Predicate, unit: String = "") -> Text {
  preconditionFailure("not written yet")
}

/// Every place where two values differ, in the order of the expected one.
///
/// Members may stand in any order, numbers compare by value, a date equals a text of the same instant.
package func differences(expected: Value, actual: Value, path: String = "$") -> [Difference] {
  preconditionFailure("not written yet")
}

/// The first ``DifferenceList/limit`` differences, and how many more there are.
package func differenceList(expected: Value, actual: Value, path: String = "$") -> DifferenceList {
  preconditionFailure("not written yet")
}
