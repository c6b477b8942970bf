import Templates
import Values

/// A step that runs another file.
package final class PlannedUse: Sendable {
  package let file: PlannedFile
  package let id: SpecID
  /// The values of the file's variables.
  package let arguments: KeyedSettings<ValueTemplate>
  /// The captures that come out, by their names outside.
  package let outputs: [(name: String, capture: String)]
  package let sharesCookies: Bool
  /// The place that names the file.
  package let range: SourceRange

  init(_ use: UseSpec, _ id: SpecID, _ file: PlannedFile) {
    self.file = file
    self.id = id
    arguments = use.file.arguments
    outputs =
      use.taken?.map { ($0.name.value, $0.capture.value) } ?? file.yieldedNames.map { ($0, $0) }
    sharesCookies = use.file.sharesCookies ?? true
    range = use.file.path.range
  }

  /// The names outside of captures that are URLs.
  var urlCaptureNames: [String] {
    let inside = Set(file.steps.flatMap(\.urlCaptureNames))
    return outputs.filter { inside.contains($0.capture) }.map(\.name)
  }
}

/// Checks of the steps that use other files.
struct UseChecks {
  /// The maximum number of requests of a file, with those of the files that it uses.
  private static let longestFile = 100_000
  /// The maximum number of requests that the files it uses send for all rows.
  private static let maxSent = 10_000_000

  let requests: [PlannedRequest]
  let layers: SpecLayers
  let needed: NeededNames
  /// The files that could be loaded, by the steps that use them.
  let loaded: [ObjectIdentifier: SpecID]

  func run(into bag: inout DiagnosticBag) {
    guard requests.contains(where: { $0.spec.use != nil }) else { return }
    var (total, sent) = (requests.count, 0)
    for (index, request) in requests.enumerated() {
      guard let spec = request.spec.use else { continue }
      guard let use = request.use else {
        if loaded[ObjectIdentifier(request.spec)] != nil {
          bag.error(.unusableFile, "`use` names a file with errors: \(spec.file.text)", at: spec.file.path.range)
        }
        continue
      }
      for entry in use.arguments.entries {
        use.file.check(argument: entry, into: &bag)
        checkNeeds(of: use, reading: entry, into: &bag)
        guard use.file.scope.names.contains(entry.key.text), use.file.unreadNames.contains(entry.key.text) else {
          continue
        }
        bag.warning(
          .unusedName, "nothing in \(use.file.path) reads `\(jsonEscaped(entry.key.text))`", at: entry.key.range,
          help: "read it there, or leave it out")
      }
      if let taken = spec.taken {
        for capture in taken { check(capture, of: use, into: &bag) }
      } else {
        for name in use.file.yieldedNames { checkOwner(of: name, from: use, at: index, into: &bag) }
      }
      total = min(.max / 2, total + use.file.requestCount)
      if total > Self.longestFile {
        bag.error(
          .limitExceeded, "with the files that it uses, the file has more than \(Self.longestFile) requests",
          at: use.range)
        return
      }
      let flowRows = request.flow.flatMap { layers.file.flows[$0].rows }
      sent = sent.addingClamped(use.file.steps.sentCount.repeated(for: request.spec.rows).repeated(for: flowRows))
      if sent > Self.maxSent {
        bag.error(
          .limitExceeded, "the files that the file uses send more than \(Self.maxSent) requests, for all rows together",
          at: use.range, help: "give fewer rows here, or in the files that \(use.file.path) uses")
        return
      }
    }
  }

  private func check(_ taken: TakenCapture, of use: PlannedUse, into bag: inout DiagnosticBag) {
    let names = use.file.yieldedNames
    if names.contains(taken.capture.value) { return }
    bag.error(
      .unknownName, "\(use.file.path) captures no `\(jsonEscaped(taken.capture.value))`", at: taken.capture.range,
      notes: [Diagnostic.Note("it is used here", at: use.range)],
      help: suggestion(taken.capture.value, among: names)
        ?? (names.isEmpty ? "it captures nothing" : "it captures \(names.prefix(8).joined(separator: ", "))"))
  }

  /// Reports a capture that comes out under a name that the file has already.
  private func checkOwner(
    of name: String, from use: PlannedUse, at index: Int, into bag: inout DiagnosticBag
  ) {
    let flow = requests[index].flow
    let ofFlow = flow.map { layers.file.flows[$0].variables.entries } ?? []
    let variables = (ofFlow + layers.scope.variables.entries).map { ($0.key.text, $0.key.range) }
    let declared = variables + layers.scope.secrets.map { ($0.name, $0.range) }
    var owner = declared.first { $0.0 == name }.map { ("declared", $0.1) }
    if owner == nil { owner = needed.places[name].map { ("needed", $0) } }
    for (other, request) in requests.enumerated() where owner == nil && other != index {
      guard request.flow == nil || flow == nil || request.flow == flow else { continue }
      // Of two uses the later one is reported.
      if request.use != nil, request.spec.use?.taken == nil, other > index { continue }
      guard request.captureNames.contains(name) else { continue }
      let capture = request.settings.capture.entries.first { $0.key.text == name }?.key.range
      let taken = request.spec.use?.taken?.first { $0.name.value == name }?.name.range
      owner = ("captured", capture ?? taken ?? request.use?.range ?? request.spec.range.firstLine)
    }
    guard let (verb, range) = owner else { return }
    bag.error(
      .conflictingNames, "`\(name)`, which \(use.file.path) captures, is \(verb) here, too", at: use.range,
      notes: [Diagnostic.Note("\(verb) here", at: range)],
      help: "add `take: {other_name: \(name)}`, or `take: {}` if nothing is to come out")
  }

  /// Reports a value that a need of the used file would have to know before the run.
  private func checkNeeds(
    of use: PlannedUse, reading entry: KeyedSettings<ValueTemplate>.Entry, into bag: inout DiagnosticBag
  ) {
    let name = entry.key.text
    for need in use.file.needs {
      var pending = need.arguments.entries.flatMap { $0.value?.templates ?? [] }.flatMap(\.references)
      var seen: Set<String> = []
      while let reference = pending.popLast() {
        if reference.name == name {
          bag.error(
            .unavailableName, "`\(name)` is read by a need of \(use.file.path), which runs before this file",
            at: entry.key.range, notes: [Diagnostic.Note("it is read here", at: reference.range)],
            help: "write `needs` with that value in this file, and pass on what it captures")
          return
        }
        guard seen.insert(reference.name).inserted else { continue }
        let variable = use.file.scope.variables.entries.first { $0.key.text == reference.name }
        pending += (variable?.value?.templates ?? []).flatMap(\.references)
      }
    }
  }
}
