import RequestSpecs

/// The contract of a file, and the settings for fetching its document: the connection settings of the file's defaults.
package struct PlannedContract: Sendable {
  package let choice: Field<ContractChoice>
  package let request: DocumentRequest

  init?(_ layers: SpecLayers, _ chooser: TransportChooser) {
    guard let choice = layers.contract else { return nil }
    self.choice = choice
    request = DocumentRequest(layers.contractSettings, at: choice.range, chooser)
  }
}
