import APIContracts
import OperatingSystem
import SpecExecution
import Values

/// The operations and statuses of its contracts that a run has covered: as JSON, or as text if the path ends in `.txt`.
package struct CoverageReport: Reporter {
  private let file: ReportFile

  package init(path: String) {
    file = ReportFile(path: path, kind: "coverage")
  }

  package func prepare() throws(ReportProblem) { try file.prepare() }

  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    let text =
      file.path.hasSuffix(".txt")
      ? withoutWorkflowCommands(CoverageText.report(summary.contracts))
      : sanitizedForTerminal(json(summary).jsonText(.pretty).string, as: .escape, keepingLineBreaks: true) + "\n"
    try file.replace { $0.write(Array(text.utf8)) }
  }

  private func json(_ summary: RunSummary) -> Value {
    let contracts = summary.contracts
    let operations = contracts.flatMap(\.operations)
    return object([
      ("operations", counts(operations.count(where: \.isExercised), of: operations.count)),
      (
        "statuses",
        counts(
          contracts.reduce(0) { $0 + $1.exercisedStatuses }, of: contracts.reduce(0) { $0 + $1.statusCount })
      ), ("minimum", summary.minCoverage.map { .integer($0) } ?? .null),
      ("documents", .list(contracts.map(document))),
    ])
  }

  private func document(_ contract: ContractCoverage) -> Value {
    var members: [(String, Value)] = [
      ("document", .text(contract.document)), ("title", contract.title.map { .text($0) } ?? .null),
      ("version", contract.apiVersion.map { .text($0) } ?? .null),
      ("operations", counts(contract.exercisedOperations, of: contract.operations.count)),
      ("statuses", counts(contract.exercisedStatuses, of: contract.statusCount)),
    ]
    if contract.fieldCount > 0 {
      members.append(("fields", counts(contract.sentFields, of: contract.fieldCount)))
      members.append(("values", counts(contract.sentValues, of: contract.valueCount)))
    }
    members.append(("unmatched_requests", .integer(contract.unmatchedRequests)))
    members.append(("paths", .list(contract.operations.map(operation))))
    return object(members)
  }

  private func operation(_ entry: ContractCoverage.OperationCoverage) -> Value {
    var members: [(String, Value)] = [
      ("method", .text(entry.operation.method)), ("path", .text(entry.operation.path)),
      ("operation_id", entry.operation.operationID.map { .text($0) } ?? .null),
      ("deprecated", .bool(entry.operation.isDeprecated)), ("exercised", .bool(entry.isExercised)),
      ("responses", .integer(entry.requests)),
      ("statuses", object(entry.statuses.map { ($0.status, .integer($0.responses)) })),
      ("undeclared_statuses", object(entry.undeclared.map { (String($0.status), .integer($0.responses)) })),
    ]
    if !entry.fields.isEmpty { members.append(("fields", object(entry.fields.map { ($0.name, field($0)) }))) }
    return object(members)
  }

  private func field(_ entry: ContractCoverage.FieldCoverage) -> Value {
    object([
      ("requests", .integer(entry.requests)),
      ("values", object(entry.values.map { ($0.value, .integer($0.requests)) })),
    ])
  }

  private func counts(_ part: Int, of whole: Int) -> Value {
    object([
      ("total", .integer(whole)), ("exercised", .integer(part)),
      ("percent", .integer(CoverageText.percent(part, of: whole))),
    ])
  }

  private func object(_ members: [(String, Value)]) -> Value { .mapping(Mapping(members)) }
}
