/// How often each operation and status was met in a run.
struct ExerciseCounts: Sendable {
  struct Entry: Sendable {
    var requests = 0
    /// By the document's keys.
    var declared: [String: Int] = [:]
    /// Statuses that the document does not have.
    var undeclared: [Int: Int] = [:]
  }

  /// By the operation's number.
  var entries: [Int: Entry] = [:]
  /// Requests that are no operation.
  var unmatched = 0

  mutating func note(_ operation: Int, status: Int, key: String?) {
    entries[operation, default: Entry()].requests += 1
    if let key {
      entries[operation, default: Entry()].declared[key, default: 0] += 1
    } else {
      entries[operation, default: Entry()].undeclared[status, default: 0] += 1
    }
  }
}

/// Which operations and statuses of a contract a run has exercised.
///
/// An operation counts as soon as one request got an answer from it, whatever the answer; a status as soon as an answer
/// had it, or fell under it (`4XX`, `default`).
package struct ContractCoverage: Sendable {
  /// What names an operation.
  package struct OperationName: Sendable {
    package let method: String
    package let path: String
    package let operationID: String?
    package let isDeprecated: Bool

    /// `GET /users/{id}`
    package var label: String { "\(method) \(path)" }
  }

  package struct OperationCoverage: Sendable {
    package let operation: OperationName
    package let requests: Int
    package let statuses: [(status: String, answers: Int)]
    /// Answers with statuses that the document does not have.
    package let undeclared: [(status: Int, answers: Int)]

    package var isExercised: Bool { requests > 0 }
  }

  package let document: String
  package let title: String?
  package let apiVersion: String?
  package let operations: [OperationCoverage]
  /// Requests that are no operation of the document.
  package let unmatchedRequests: Int

  package var exercisedOperations: Int { operations.count(where: \.isExercised) }
  package var unexercised: [OperationName] { operations.filter { !$0.isExercised }.map(\.operation) }
  package var statusCount: Int { operations.reduce(0) { $0 + $1.statuses.count } }
  package var exercisedStatuses: Int {
    operations.reduce(0) { $0 + $1.statuses.count { $0.answers > 0 } }
  }
}

extension APIContract {
  /// What the run has exercised so far.
  ///
  /// - Parameter masked: masks what the document says.
  package func coverage(masked: (String) -> String) -> ContractCoverage {
    let counts = exercise.withLock { $0 }
    return ContractCoverage(
      document: name, title: title.map(masked), apiVersion: apiVersion.map(masked),
      operations: operations.map { operation in
        let entry = counts.entries[operation.number] ?? ExerciseCounts.Entry()
        return ContractCoverage.OperationCoverage(
          operation: ContractCoverage.OperationName(
            method: operation.method, path: masked(operation.path), operationID: operation.operationID.map(masked),
            isDeprecated: operation.isDeprecated), requests: entry.requests,
          statuses: operation.declaredStatuses.map { (masked($0), entry.declared[$0] ?? 0) },
          undeclared: entry.undeclared.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
      }, unmatchedRequests: counts.unmatched)
  }
}
