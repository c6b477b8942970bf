import Templates
import Values

/// Names that are read before the first request.
extension ReadableNames {
  /// Checks the names in the contract's location, which is resolved before the first request.
  mutating func checkContract(_ templates: [Template], into bag: inout DiagnosticBag) {
    for reference in templates.flatMap(\.references) {
      record(reference, among: declared, at: nil)
      if let need = needed.places[reference.name] {
        guard reported.insert(reference.range).inserted else { continue }
        bag.error(
          .unavailableName, "`openapi` cannot read `\(reference.name)`, which comes from another file",
          at: reference.range,
          notes: [Diagnostic.Note("it is needed here", at: need)], help: "the document is read before any request")
        continue
      }
      if isKnown(reference, among: declared) { continue }
      guard let supplier = suppliers[reference.name]?.first else {
        reportUnknown(reference, among: declared, into: &bag)
        continue
      }
      guard reported.insert(reference.range).inserted else { continue }
      bag.error(
        .unavailableName,
        "`openapi` cannot read `\(reference.name)`, which request \(requests[supplier].label) captures",
        at: reference.range,
        notes: [Diagnostic.Note("captured here", at: captureRange(reference.name, in: requests[supplier]))],
        help: "the document is read before the first request")
    }
  }

  /// Checks the names in `with`, whose values are known before the needs run.
  mutating func checkArguments(of needs: [LoadedNeed], into bag: inout DiagnosticBag) {
    for entry in needs.flatMap({ $0.spec.file.arguments.entries }) {
      for reference in (entry.value?.templates ?? []).flatMap(\.references) {
        record(reference, among: declared, at: nil)
        if let need = needed.places[reference.name] {
          bag.error(
            .unavailableName, "`with` cannot read `\(reference.name)`, which comes from a need", at: reference.range,
            notes: [Diagnostic.Note("it is needed here", at: need)],
            help: "needs don't wait for each other: write `needs` in the file that reads it")
        } else if !isKnown(reference, among: declared) {
          guard let supplier = suppliers[reference.name]?.first else {
            reportUnknown(reference, among: declared, into: &bag)
            continue
          }
          bag.error(
            .unavailableName,
            "`with` cannot read `\(reference.name)`, which request \(requests[supplier].label) captures",
            at: reference.range,
            notes: [Diagnostic.Note("captured here", at: captureRange(reference.name, in: requests[supplier]))],
            help: "needs run before the file")
        }
      }
    }
  }
}
