/// The number of exchanges of each operation and status in a run.
struct ExerciseCounts: Sendable {
  struct Entry: Sendable {
    var requests = 0
    /// Counts by the document's keys.
    var declared: [String: Int] = [:]
    /// Counts of statuses that the document doesn't declare.
    var undeclared: [Int: Int] = [:]
  }

  /// Counts by the operation's number.
  var entries: [Int: Entry] = [:]
  /// The number of requests without an operation.
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

/// The operations and statuses of a contract that a run has exercised.
///
/// An operation counts once a request got any response from it; a status once a response had it or matched it (`4XX`,
/// `default`).
package struct ContractCoverage: Sendable {
  /// The identity of an operation.
  package struct OperationName: Sendable {
    package var method: String
    package var path: String
    package var operationID: String?
    package var isDeprecated: Bool

    package init(method: String, path: String, operationID: String?, isDeprecated: Bool) {
      (self.method, self.path, self.operationID, self.isDeprecated) = (method, path, operationID, isDeprecated)
    }

    /// `GET /users/{id}`
    package var label: String { "\(method) \(path)" }
  }

  package struct OperationCoverage: Sendable {
    package var operation: OperationName
    package var requests: Int
    package var statuses: [(status: String, responses: Int)]
    /// Responses with statuses that the document doesn't declare.
    package var undeclared: [(status: Int, responses: Int)]

    package init(
      operation: OperationName, requests: Int, statuses: [(status: String, responses: Int)],
      undeclared: [(status: Int, responses: Int)]
    ) {
      (self.operation, self.requests) = (operation, requests)
      (self.statuses, self.undeclared) = (statuses, undeclared)
    }

    package var isExercised: Bool { requests > 0 }
  }

  package var document: String
  package var title: String?
  package var apiVersion: String?
  package var operations: [OperationCoverage]
  /// The number of requests that match no operation of the document.
  package var unmatchedRequests: Int

  package init(
    document: String, title: String?, apiVersion: String?, operations: [OperationCoverage], unmatchedRequests: Int
  ) {
    (self.document, self.title, self.apiVersion) = (document, title, apiVersion)
    (self.operations, self.unmatchedRequests) = (operations, unmatchedRequests)
  }

  package var exercisedOperations: Int { operations.count(where: \.isExercised) }
  package var unexercised: [OperationName] { operations.filter { !$0.isExercised }.map(\.operation) }
  package var statusCount: Int { operations.reduce(0) { $0 + $1.statuses.count } }
  package var exercisedStatuses: Int {
    operations.reduce(0) { $0 + $1.statuses.count { $0.responses > 0 } }
  }
}

extension APIContract {
  /// The coverage of the run so far.
  ///
  /// - Parameter masked: masks texts of the document.
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
