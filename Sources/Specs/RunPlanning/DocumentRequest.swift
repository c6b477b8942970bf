import Diagnostics
import RequestSpecs
import Values

/// How documents are fetched that files name by a URL: by a connection, without the headers and credentials of requests.
package struct DocumentRequest: Sendable {
  private let settings: RequestSettings
  private let transport: TransportDecision
  /// What has it fetched.
  private let range: SourceRange

  init(_ settings: RequestSettings, at range: SourceRange, _ chooser: TransportChooser) {
    self.settings = settings
    self.range = range
    // What the transport lacks is told of the files' requests.
    var bag = DiagnosticBag()
    transport =
      chooser.decide([DocumentRequest.request(settings, at: range)], into: &bag).first
      ?? TransportDecision(kind: .curl, reason: "nothing else was chosen")
  }

  private static func request(_ settings: RequestSettings, at range: SourceRange) -> MergedRequest {
    MergedRequest(number: 0, stage: .setup, spec: RequestSpec(at: range), settings: settings, tags: [])
  }

  package func planned(for url: Text) -> PlannedRequest {
    var settings = settings
    settings.url = .given(Field(literal: url, range: range))
    return PlannedRequest(DocumentRequest.request(settings, at: range), transport, isSelected: true)
  }
}
