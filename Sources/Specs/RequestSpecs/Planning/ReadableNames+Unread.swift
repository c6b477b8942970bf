import Values

extension ReadableNames {
  /// Warns of texts in the notation of other tools that would have a value as templates, and of names that nothing reads
  /// although something like them is read.
  ///
  /// - Parameter given: the names of `--env-file`.
  func checkUnread(_ layers: SpecLayers, given: [CommandVariable], into bag: inout DiagnosticBag) {
    let isSound = !bag.hasErrors && !layers.haveErrors
    let mentions = isSound && !unread.isEmpty ? UnreadNames.mentions(of: unread, in: layers.file.source) : []
    let reported = checkForeignTemplates(layers.file.foreignTemplates + mentions, into: &bag)
    if isSound { checkOverwrittenCaptures(into: &bag) }
    guard isSound, !unread.isEmpty || !given.isEmpty else { return }
    let mentioned = Set(mentions.map(\.name)).union(reported)
    for request in requests {
      for entry in request.spec.variables.entries where unread.contains(entry.key.text) {
        if mentioned.contains(entry.key.text) { continue }
        bag.warning(
          .unusedName, "nothing reads `\(jsonEscaped(entry.key.text))`, which this request alone could",
          at: entry.key.range, help: "write `${{ \(jsonEscaped(entry.key.text)) }}` for its value, or remove it")
      }
    }
    func warn(_ name: String, at range: SourceRange, help: String) {
      bag.warning(.unusedName, "`\(name)` is the name of this value, and nothing reads it", at: range, help: help)
    }
    for name in ["json", "xpath", "expect"] where unread.contains(name) {
      guard let index = suppliers[name]?.first else { continue }
      let help =
        name == "expect"
        ? "indent it only as far as `capture:` if it belongs to the request"
        : "write `capture: {id: …}` with a name of your own"
      warn(name, at: captureRange(name, in: requests[index]), help: help)
    }
    for entry in layers.file.variables.entries where RequestSettings.bodyNames.contains(entry.key.text) {
      guard unread.contains(entry.key.text), entry.value?.isCompound == true else { continue }
      warn(entry.key.text, at: entry.key.range, help: "indent it only as far as `variables:` if it is a body")
    }
    let read = declared.subtracting(unread)
    for (variables, secrets) in layers.layers.map({ ($0.variables, $0.secrets) }) + flows.map({ ($0.variables, []) }) {
      let places = variables.entries.map { ($0.key.text, $0.key.range) } + secrets.map { ($0.name, $0.range) }
      let own = Set(places.map(\.0))
      let idle = places.filter { unread.contains($0.0) && !mentioned.contains($0.0) }
      let candidates = idle.isEmpty ? [] : read.subtracting(own).sorted()
      for (name, range) in idle {
        warnIfNear(name, among: candidates, at: range, into: &bag)
      }
    }
    checkUnreadCaptures(besides: mentioned, read: read, into: &bag)
    let candidates = given.isEmpty ? [] : read.subtracting(given.map(\.name)).sorted()
    for variable in given where unread.contains(variable.name) {
      warnIfNear(variable.name, among: candidates, at: nil, of: "\(variable.place ?? ""): ", into: &bag)
    }
  }

  /// Warns of a name that nothing reads if it is near one that keeps its value.
  ///
  /// - Parameter place: the words for a place outside of sources.
  private func warnIfNear(
    _ name: String, among candidates: [String], at range: SourceRange?, of place: String = "",
    into bag: inout DiagnosticBag
  ) {
    guard let near = misspelt(name, among: candidates) else { return }
    bag.warning(
      .unusedName, "\(place)nothing reads `\(jsonEscaped(name))`, and `\(jsonEscaped(near))` keeps its value",
      at: range,
      help: "did you mean `\(jsonEscaped(near))`?")
  }

  /// Warns of captures that nothing reads, and whose name is near a variable that keeps its value.
  private func checkUnreadCaptures(besides mentioned: Set<String>, read: Set<String>, into bag: inout DiagnosticBag) {
    let idle = suppliers.keys.filter { unread.contains($0) && !declared.contains($0) && !mentioned.contains($0) }
    let candidates =
      idle.isEmpty
      ? [] : read.subtracting(suppliers.keys).subtracting(needed.names).filter { $0 != $0.uppercased() }.sorted()
    for name in idle.sorted() {
      guard let index = suppliers[name]?.first else { continue }
      warnIfNear(name, among: candidates, at: captureRange(name, in: requests[index]), into: &bag)
    }
  }

  /// Warns of captures that a later request takes again before anything reads them.
  private func checkOverwrittenCaptures(into bag: inout DiagnosticBag) {
    for name in recaptured.sorted() where !unread.contains(name) {
      let places = suppliers[name] ?? []
      for (first, next) in zip(places, places.dropFirst()) {
        let (one, other) = (requests[first], requests[next])
        guard one.flow == other.flow, one.stage == other.stage, one.isPlain, other.isPlain, one.parent == other.parent,
          !(readers[name] ?? []).contains(where: { (first...next).contains($0) })
        else { continue }
        bag.warning(
          .unusedName, "request \(other.label) captures `\(jsonEscaped(name))` again before anything reads it",
          at: captureRange(name, in: one),
          notes: [Diagnostic.Note("captured again here", at: captureRange(name, in: other))],
          help: "use another name for one of the two")
      }
    }
  }
}

extension PlannedRequest {
  /// Indicates whether it runs once, and in any case.
  fileprivate var isPlain: Bool {
    spec.rows == nil && settings.when.value == nil && settings.skip.value == nil
      && settings.repetitionBox?.content.poll.value == nil
  }
}

extension ValueTemplate {
  /// Indicates whether it is a mapping or a list.
  var isCompound: Bool {
    switch content {
    case .literal(.mapping), .literal(.list), .mapping, .list: true
    case .literal, .template, .secret: false
    }
  }
}
