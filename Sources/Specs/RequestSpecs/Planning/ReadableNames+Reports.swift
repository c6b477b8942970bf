import Templates
import Values

extension ReadableNames {
  mutating func reportMember(
    _ member: String, of reference: TemplateReference, among yielded: [String], into bag: inout DiagnosticBag
  ) {
    guard reported.insert(reference.range).inserted else { return }
    bag.error(
      .unknownName, "the need `\(reference.name)` captures no `\(jsonEscaped(member))`", at: reference.range,
      notes: needed.places[reference.name].map { [Diagnostic.Note("its file is named here", at: $0)] } ?? [],
      help: suggestion(member, among: yielded)
        ?? (yielded.isEmpty ? "its file captures nothing" : "it captures \(yielded.prefix(8).joined(separator: ", "))"))
  }

  mutating func reportOutOfSight(
    _ reference: TemplateReference, supplier: Int, into bag: inout DiagnosticBag
  ) {
    guard !missed.contains(reference.name), reported.insert(reference.range).inserted else { return }
    let request = requests[supplier]
    let flow = request.flow.flatMap { flows[$0].name?.range.text }
    bag.error(
      .unavailableName,
      "`\(reference.name)` is captured only in the flow\(flow.map { " \"\($0)\"" } ?? ""), and nothing outside of it "
        + "sees its captures",
      at: reference.range, notes: [Diagnostic.Note("captured here", at: captureRange(reference.name, in: request))],
      help: "capture it in this flow, too, or in the file's `setup`")
  }

  func reportTooEarly(
    _ reference: TemplateReference, at index: Int, supplier: Int, into bag: inout DiagnosticBag
  ) {
    if missed.contains(reference.name) { return }
    let reader = requests[index]
    var notes: [Diagnostic.Note] = []
    if !reader.spec.range.contains(reference.range) {
      notes.append(Diagnostic.Note("read by this request", at: reader.spec.range.firstLine))
    }
    guard supplier != index else {
      bag.error(
        .unavailableName, "`\(reference.name)` is captured only from the response to this request", at: reference.range,
        notes: notes, help: "capture it by a request before this one, or declare its first value under `variables:`")
      return
    }
    notes.append(Diagnostic.Note("captured here", at: captureRange(reference.name, in: requests[supplier])))
    bag.error(
      .unavailableName, "`\(reference.name)` is captured only later, by request \(requests[supplier].label)",
      at: reference.range, notes: notes,
      help: "move request \(requests[supplier].label) before this one, or write `${{ \(reference.name) | default(…) }}`"
    )
  }

  /// The place at which a request captures a name.
  func captureRange(_ name: String, in request: PlannedRequest) -> SourceRange {
    request.ownPlace(ofCapture: name) ?? request.spec.range.firstLine
  }

  mutating func reportUnknown(
    _ reference: TemplateReference, among names: Set<String>, into bag: inout DiagnosticBag
  ) {
    guard reported.insert(reference.range).inserted else { return }
    if rowNames.contains(reference.name) {
      // Rows that could not be read are the only mistake.
      if missed.contains("row") { return }
      bag.error(
        .unavailableName, "there is no `\(reference.name)` here: only what runs for each row has it",
        at: reference.range,
        help: flows.first?.isWholeFile == true
          ? "the `each` of a file runs its `requests`; `setup` and `teardown` run once"
          : "write `each:` in the request, in its flow, or beside `requests:`")
    } else if reference.name == "poll_round" {
      bag.error(.unavailableName, "`poll_round` is there only in a request with `poll`", at: reference.range)
    } else if reference.name == "demo" {
      bag.error(
        .unknownName, "there is no variable `demo`", at: reference.range,
        help: "start the demo server with --demo, or write `demo: true` in the project file")
    } else if reference.name == "mock" {
      bag.error(
        .unknownName, "there is no variable `mock`", at: reference.range,
        help: "write `mock: true` in the project file: it starts a mock, whose address this is")
    } else if reference.name == "environment" {
      bag.error(
        .unknownName, "there is no variable `environment`, for the project has no environments", at: reference.range,
        help: "write `environments: {local: {variables: {…}}, …}` in the project file, and choose one with --env")
    } else if missed.contains(reference.name) {
      return
    } else if let flow = flows.first(where: { $0.variables.names.contains(reference.name) }) {
      let place = flow.variables.entries.first { $0.key.text == reference.name }?.key.range
      bag.error(
        .unavailableName,
        flow.isWholeFile
          ? "`\(reference.name)` depends on the row, and the file's `setup` and `teardown` run once, without one"
          : "`\(reference.name)` is a variable of the flow in line \(flow.range.start.line) alone",
        at: reference.range, notes: place.map { [Diagnostic.Note("declared here", at: $0)] } ?? [],
        help: flow.isWholeFile
          ? "read there what is the same for all rows"
          : "declare it in the `variables` of the file, or in this flow, too")
    } else if let owner = owners[reference.name] {
      let place = requests[owner].spec.variables.entries.first { $0.key.text == reference.name }?.key.range
      bag.error(
        .unavailableName, "`\(reference.name)` is a variable of request \(requests[owner].label) alone",
        at: reference.range, notes: place.map { [Diagnostic.Note("declared here", at: $0)] } ?? [],
        help: "declare it in the `variables` of the file, or in this request, too")
    } else if let environments, let message = environments.message(on: reference) {
      bag.add(message)
    } else if let need = needed.members.filter({ $0.value.contains(reference.name) }).keys.min() {
      bag.error(
        .unknownName, "there is no variable `\(reference.name)`: the need `\(need)` captures it", at: reference.range,
        notes: needed.places[need].map { [Diagnostic.Note("its file is named here", at: $0)] } ?? [],
        help: "write `\(need).\(reference.name)`")
    } else {
      // A suggestion looks at all names, and nobody reads hundreds of suggestions.
      let candidates = bag.errorCount < Self.suggestionLimit ? names : []
      bag.add(TemplateError.unknownName(reference.name, at: reference.range, among: candidates).diagnostic)
    }
  }

  private static let suggestionLimit = 200
}
