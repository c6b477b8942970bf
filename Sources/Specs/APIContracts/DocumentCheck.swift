import Values

extension APIContract {
  /// Reads all that operations declare, and compiles their schemas: a run finds what is wrong with them only at a request
  /// that needs them.
  ///
  /// - Returns: warnings, since no request may ever need it.
  package func check() -> [Diagnostic] {
    var bag = DiagnosticBag()
    func attempt(_ body: () throws(ContractProblem) -> Void) {
      do throws(ContractProblem) {
        try body()
      } catch {
        var warning = error.diagnostic
        warning.severity = .warning
        bag.add(warning)
      }
    }
    for operation in operations {
      var schemas: [ContractSchema?] = []
      attempt { () throws(ContractProblem) in
        let contract = try operation.contract(in: documents)
        schemas += contract.parameters.map(\.schema) + (contract.requestBody?.content.types.map(\.schema) ?? [])
        for key in contract.statusKeys {
          attempt { () throws(ContractProblem) in
            guard let response = try contract.response(key) else { return }
            schemas += response.headers.map(\.schema) + (response.content?.types.map(\.schema) ?? [])
          }
        }
      }
      for schema in schemas { attempt { () throws(ContractProblem) in try schema?.compile() } }
    }
    bag.add(contentsOf: schemaWarnings)
    return bag.diagnostics
  }

  /// Warnings about the schemas that were used so far.
  package var schemaWarnings: [Diagnostic] { documents.schemaWarnings }
}
