import Templates
import Values

/// Names that are read before the first request.
extension ReadableNames {
  /// Checks the names in the contract's location, which is resolved before the first request.
  mutating func checkContract(_ templates: [Template], into bag: inout DiagnosticBag) {
    check(
      templates, of: "openapi", needed: ("another file", "the document is read before any request"),
      help: "the document is read before the first request", into: &bag)
  }

  /// Checks the names in `with`, whose values are known before the needs run.
  mutating func checkArguments(of needs: [LoadedNeed], into bag: inout DiagnosticBag) {
    check(
      needs.flatMap(\.spec.file.arguments.templates), of: "with",
      needed: ("a need", "needs don't wait for each other: write `needs` in the file that reads it"),
      help: "needs run before the file", into: &bag)
  }

  /// - Parameters:
  ///   - needed: the words for the file that a name comes from, and the help there.
  ///   - help: the help for a name that a request captures.
  private mutating func check(
    _ templates: [Template], of key: String, needed source: (words: String, help: String), help: String,
    into bag: inout DiagnosticBag
  ) {
    for reference in templates.flatMap(\.references) {
      let name = reference.name
      record(reference, among: declared, at: nil)
      if let need = needed.places[name] {
        guard reported.insert(reference.range).inserted else { continue }
        bag.error(
          .unavailableName, "`\(key)` cannot read `\(name)`, which comes from \(source.words)", at: reference.range,
          notes: [Diagnostic.Note("it is needed here", at: need)], help: source.help)
        continue
      }
      if isKnown(reference, among: declared) { continue }
      guard let supplier = suppliers[name]?.first else {
        reportUnknown(reference, among: declared, into: &bag)
        continue
      }
      guard reported.insert(reference.range).inserted else { continue }
      bag.error(
        .unavailableName, "`\(key)` cannot read `\(name)`, which request \(requests[supplier].label) captures",
        at: reference.range, notes: [Diagnostic.Note("captured here", at: captureRange(name, in: requests[supplier]))],
        help: help)
    }
  }
}
