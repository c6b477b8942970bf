import APIContracts
import Values

/// Coverage as text for people.
package enum CoverageText {
  /// The maximum number of operations in a line of the summary.
  private static let shownOperations = 10

  /// A line for each contract, and one if the coverage is too low.
  static func summary(_ summary: RunSummary, style: ConsoleStyle, isQuiet: Bool) -> String {
    var text = ""
    let isTooLow = summary.coverageIsTooLow
    for contract in summary.contracts where !isQuiet || isTooLow {
      text += "\(headline(contract))\n"
      let open = contract.unexercised
      if !open.isEmpty, !isTooLow {
        text += "  \(style.dim("not exercised: \(listed(open.map(label), limit: shownOperations))"))\n"
      }
    }
    guard let shortfall = shortfall(summary) else { return text }
    let names = listed(summary.contracts.flatMap(\.unexercised).map(label), limit: 100)
    return text + style.red(shortfall + (names.isEmpty ? "" : "; not exercised: \(names)")) + "\n"
  }

  /// A sentence if the coverage is too low.
  static func shortfall(_ summary: RunSummary) -> String? {
    guard summary.coverageIsTooLow, let least = summary.minCoverage else { return nil }
    if summary.contracts.isEmpty {
      return "no file of the run names an OpenAPI document to cover (--min-coverage \(least))"
    }
    let operations = summary.contracts.flatMap(\.operations)
    let reached = percent(operations.count(where: \.isExercised), of: operations.count)
    return "the run exercised \(reached) % of the operations, less than \(least) % (--min-coverage)"
  }

  /// `openapi.yaml: 5 of 7 operations (71 %), 8 of 19 statuses`
  private static func headline(_ contract: ContractCoverage) -> String {
    "\(sanitizedForTerminal(contract.document)): \(numbers(contract))"
  }

  /// `5 of 7 operations (71 %) and 8 of 19 statuses exercised`
  static func numbers(_ contract: ContractCoverage) -> String {
    let total = contract.operations.count
    let reached = contract.exercisedOperations
    let operations = "\(reached) of \(counted(total, "operation")) (\(percent(reached, of: total)) %)"
    let statuses = "\(contract.exercisedStatuses) of \(contract.statusCount) statuses"
    guard contract.fieldCount > 0 else { return "\(operations) and \(statuses) exercised" }
    let fields = "\(contract.sentFields) of \(counted(contract.fieldCount, "request field"))"
    guard contract.valueCount > 0 else { return "\(operations), \(statuses) and \(fields) exercised" }
    let values = "\(contract.sentValues) of \(counted(contract.valueCount, "enum value"))"
    return "\(operations), \(statuses), \(fields) and \(values) exercised"
  }

  private static func label(_ operation: ContractCoverage.OperationName) -> String {
    sanitizedForTerminal(operation.label)
  }

  /// A whole percentage, rounded down: 100 means all.
  static func percent(_ part: Int, of whole: Int) -> Int { whole == 0 ? 100 : part * 100 / whole }

  static func report(_ contracts: [ContractCoverage]) -> String {
    var text = ""
    for contract in contracts {
      if !text.isEmpty { text += "\n" }
      text += headline(contract) + "\n"
      let width = contract.operations.map { displayWidth(of: label($0.operation)) }.max() ?? 0
      for entry in contract.operations {
        let label = label(entry.operation)
        let padding = String(repeating: " ", count: width - displayWidth(of: label))
        text += "  \(entry.isExercised ? "✓" : "✗") \(label)\(padding)  \(statuses(of: entry))\n"
        let missing = entry.fields.flatMap(\.missing).map { sanitizedForTerminal($0) }
        if !missing.isEmpty { text += "      never sent: \(missing.joined(separator: ", "))\n" }
      }
      if contract.unmatchedRequests > 0 {
        text += "  \(counted(contract.unmatchedRequests, "request")) of no operation\n"
      }
    }
    return text.isEmpty ? "no file of the run names an OpenAPI document\n" : text
  }

  private static func statuses(of entry: ContractCoverage.OperationCoverage) -> String {
    var parts = entry.statuses.filter { $0.responses > 0 }.map { "\($0.status) ×\($0.responses)" }
    parts += entry.undeclared.map { "\($0.status) ×\($0.responses) (not declared)" }
    let open = entry.statuses.filter { $0.responses == 0 }.map(\.status)
    if !open.isEmpty { parts.append("never \(open.joined(separator: ", "))") }
    return sanitizedForTerminal(parts.joined(separator: ", "))
  }
}

extension RunSummary {
  /// Indicates whether fewer operations were covered than `--min-coverage` requires.
  package var coverageIsTooLow: Bool {
    guard let minCoverage else { return false }
    let operations = contracts.flatMap(\.operations)
    return operations.isEmpty || operations.count(where: \.isExercised) * 100 < minCoverage * operations.count
  }
}
