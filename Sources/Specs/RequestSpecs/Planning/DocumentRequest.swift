import Values

/// The settings for fetching documents that files name by a URL: connection settings, without the headers and
/// credentials of requests.
package struct DocumentRequest: Sendable {
  private let settings: RequestSettings
  private let transport: TransportDecision
  /// The place that requires the document.
  private let range: SourceRange

  init(_ settings: RequestSettings, at range: SourceRange, _ chooser: TransportChooser) {
    self.settings = settings
    self.range = range
    // Missing features of the transport are reported for the files' requests.
    var bag = DiagnosticBag()
    transport =
      chooser.decide([DocumentRequest.request(settings, at: range)], into: &bag).first
      ?? TransportDecision(kind: .curl, reason: "nothing else was chosen")
  }

  private static func request(_ settings: RequestSettings, at range: SourceRange) -> PlannedRequest {
    PlannedRequest(number: 0, stage: .setup, spec: RequestSpec(at: range), settings: settings, tags: [])
  }

  package func planned(for url: Text) -> PlannedRequestStep {
    let settings = settings.with(url: Field(literal: url, range: range))
    return PlannedRequestStep(DocumentRequest.request(settings, at: range), transport)
  }
}
