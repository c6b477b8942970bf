/// A contract, and the settings for fetching its document: the connection settings of the defaults.
package struct PlannedContract: Sendable {
  package let choice: Field<ContractChoice>
  package let request: DocumentRequest
}

/// The contracts of a file.
package struct FileContracts<Contract: Sendable>: Sendable {
  package var file: Contract?
  /// Those of flows in place of the file's, by the flows' indices; nil for none.
  package var flows: [Int: Contract?] = [:]

  package init(file: Contract?) {
    self.file = file
  }

  /// The contract of the requests of a flow, or of those outside of flows.
  package func contract(of flow: Int?) -> Contract? {
    if let flow, let own = flows[flow] { return own }
    return file
  }

  package var all: [Contract] {
    let own = flows.isEmpty ? [] : flows.sorted { $0.key < $1.key }.compactMap { $0.value }
    return file.map { [$0] + own } ?? own
  }
}
