/// The number of exchanges of each operation and status in a run.
struct ExerciseCounts: Sendable {
  struct Entry: Sendable {
    var requests = 0
    /// Counts by the document's keys.
    var declared: [String: Int] = [:]
    /// Counts of statuses that the document doesn't declare.
    var undeclared: [Int: Int] = [:]
    /// Counts of fields and their values, by their indexes.
    var fields: [Int: (requests: Int, values: [Int: Int])] = [:]
  }

  /// Counts by the operation's number.
  var entries: [Int: Entry] = [:]
  /// The fields of operations that requests were counted for, by the operation's number.
  var fields: [Int: RequestFields] = [:]
  /// The number of requests without an operation.
  var unmatched = 0

  mutating func note(_ sent: RequestFields.Sent, of operation: Int) {
    for (index, values) in sent.values {
      entries[operation, default: Entry()].fields[index, default: (0, [:])].requests += 1
      for value in values {
        entries[operation, default: Entry()].fields[index, default: (0, [:])].values[value, default: 0] += 1
      }
    }
  }

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

  /// A parameter, or a member of the body.
  package struct FieldCoverage: Sendable {
    /// `query limit`, `body.address.zip`
    package var name: String
    package var requests: Int
    /// The values of its `enum`.
    package var values: [(value: String, requests: Int)]

    package init(name: String, requests: Int, values: [(value: String, requests: Int)]) {
      (self.name, self.requests, self.values) = (name, requests, values)
    }

    /// The name if no request has it, and the values of its `enum` that no request has.
    package var missing: [String] {
      (requests == 0 ? [name] : []) + values.filter { $0.requests == 0 }.map { "\(name)=\($0.value)" }
    }
  }

  package struct OperationCoverage: Sendable {
    package var operation: OperationName
    package var requests: Int
    package var statuses: [(status: String, responses: Int)]
    /// Responses with statuses that the document doesn't declare.
    package var undeclared: [(status: Int, responses: Int)]
    /// The parameters and members of the body, with `--field-coverage`.
    package var fields: [FieldCoverage]

    package init(
      operation: OperationName, requests: Int, statuses: [(status: String, responses: Int)],
      undeclared: [(status: Int, responses: Int)], fields: [FieldCoverage] = []
    ) {
      (self.operation, self.requests) = (operation, requests)
      (self.statuses, self.undeclared, self.fields) = (statuses, undeclared, fields)
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

  private var fields: [FieldCoverage] { operations.flatMap(\.fields) }
  package var fieldCount: Int { fields.count }
  package var sentFields: Int { fields.count { $0.requests > 0 } }
  package var valueCount: Int { fields.reduce(0) { $0 + $1.values.count } }
  package var sentValues: Int { fields.reduce(0) { $0 + $1.values.count { $0.requests > 0 } } }
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
          undeclared: entry.undeclared.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
          fields: fieldCoverage(of: operation, counts, masked: masked))
      }, unmatchedRequests: counts.unmatched)
  }
}
