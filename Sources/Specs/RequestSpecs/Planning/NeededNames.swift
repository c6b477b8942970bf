import Values

/// The names that a file reads from the files that it needs.
struct NeededNames {
  /// The places that name the files, by the names that these supply.
  private(set) var places: [String: SourceRange] = [:]
  /// The captures of needs with a name of their own, by that name.
  private(set) var members: [String: [String]] = [:]
  /// Indicates whether all names are known.
  private(set) var isComplete = true
  private let needs: [PlannedNeed]
  private let wanted: [LoadedNeed]

  init() {
    needs = []
    wanted = []
  }

  /// - Parameters:
  ///   - wanted: the needs that could be loaded.
  ///   - needs: those without errors.
  init(_ wanted: [LoadedNeed], _ needs: [PlannedNeed], isComplete: Bool) {
    self.wanted = wanted
    self.needs = needs
    self.isComplete = isComplete && wanted.count == needs.count
    for need in needs {
      if let name = need.name { members[name] = need.file.yieldedNames }
      for name in need.suppliedNames where places[name] == nil { places[name] = need.range }
    }
  }

  var names: Set<String> { Set(places.keys) }

  /// The file whose captures have names of their own, among them this one.
  func file(supplying name: String) -> PlannedFile? {
    needs.first { $0.name == nil && $0.suppliedNames.contains(name) }?.file
  }

  /// Reports names that another need or the file itself has, and values for variables that a needed file lacks.
  func check(_ layers: SpecLayers, _ requests: [PlannedRequest], into bag: inout DiagnosticBag) {
    let known = Set(needs.map(\.id))
    for need in wanted where !known.contains(need.id) {
      bag.error(
        .unusableFile, "`needs` names a file with errors: \(need.spec.file.text)", at: need.spec.file.path.range)
    }
    for need in needs { check(need, into: &bag) }
    checkEachOther(into: &bag)
    if places.isEmpty { return }
    for entry in layers.scope.variables.entries { check(entry.key.text, "declared", at: entry.key.range, into: &bag) }
    for secret in layers.scope.secrets { check(secret.name, "declared", at: secret.range, into: &bag) }
    for request in requests {
      for entry in request.spec.variables.entries { check(entry.key.text, "declared", at: entry.key.range, into: &bag) }
      for entry in request.settings.capture.entries where entry.value != nil {
        check(entry.key.text, "captured", at: entry.key.range, into: &bag)
      }
    }
  }

  private func check(_ name: String, _ verb: String, at range: SourceRange, into bag: inout DiagnosticBag) {
    guard let place = places[name] else { return }
    let isOwn = members[name] != nil
    bag.error(
      .conflictingNames,
      isOwn
        ? "`\(name)` is the name of a need, and \(verb) here, too"
        : "`\(name)` comes from a file that is needed, and is \(verb) here, too", at: range,
      notes: [Diagnostic.Note("the need stands here", at: place)],
      help: isOwn ? "choose another name" : "give the need a name: `needs: {login: …}` makes it `login.\(name)`")
  }

  private func checkEachOther(into bag: inout DiagnosticBag) {
    var first: [String: PlannedNeed] = [:]
    for need in needs where need.name == nil {
      for name in need.file.yieldedNames {
        guard let other = first.updateValue(need, forKey: name) else { continue }
        bag.error(
          .conflictingNames, "both \(other.file.path) and \(need.file.path) capture `\(name)`", at: need.range,
          notes: [Diagnostic.Note("the other is needed here", at: other.range)],
          help: "give the needs names: `needs: {first: …, second: …}` makes it `first.\(name)` and `second.\(name)`")
      }
    }
  }

  private func check(_ need: PlannedNeed, into bag: inout DiagnosticBag) {
    for entry in need.arguments.entries { need.file.check(argument: entry, into: &bag) }
  }
}

extension PlannedFile {
  /// Reports a value for a variable that the file doesn't declare.
  func check(argument entry: KeyedSettings<ValueTemplate>.Entry, into bag: inout DiagnosticBag) {
    let variables = scope.variables.entries.map { (name: $0.key.text, range: $0.key.range) }
    let declared = variables + scope.secrets.map { (name: $0.name, range: $0.range) }
    if declared.contains(where: { $0.name == entry.key.text }) { return }
    bag.error(
      .unknownName, "\(path) declares no variable `\(jsonEscaped(entry.key.text))`", at: entry.key.range,
      notes: declared.first.map { [Diagnostic.Note("its variables stand here", at: $0.range)] } ?? [],
      help: suggestion(entry.key.text, among: declared.map(\.name))
        ?? (declared.isEmpty
          ? "it declares none: `variables:` of that file gives each its default"
          : "it declares \(declared.prefix(8).map(\.name).joined(separator: ", "))"))
  }
}
