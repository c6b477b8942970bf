import Diagnostics
import HTTPMessages
import RequestSpecs
import Values

/// The contract of a file, and how its document is fetched where that is needed.
package struct PlannedContract: Sendable {
  package let choice: Field<ContractChoice>
  private let settings: RequestSettings
  private let transport: TransportDecision

  init?(_ layers: SpecLayers, _ chooser: TransportChooser) {
    guard let choice = layers.contract else { return nil }
    self.choice = choice
    settings = layers.contractSettings
    // What the transport lacks is told of the file's requests.
    var bag = DiagnosticBag()
    let request = PlannedContract.request(settings, at: choice.range)
    transport =
      chooser.decide([request], into: &bag).first
      ?? TransportDecision(kind: .curl, reason: "nothing else was chosen")
  }

  private static func request(_ settings: RequestSettings, at range: SourceRange) -> MergedRequest {
    MergedRequest(number: 0, stage: .setup, spec: RequestSpec(at: range), settings: settings, tags: [])
  }

  /// The request that fetches the document: with the connection of the file's defaults, without their headers and
  /// credentials.
  package func request(for url: Text) -> PlannedRequest {
    var settings = settings
    settings.url = .given(Field(literal: url, range: choice.range))
    return PlannedRequest(PlannedContract.request(settings, at: choice.range), transport, isSelected: true)
  }
}
