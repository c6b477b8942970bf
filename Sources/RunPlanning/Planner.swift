import Diagnostics
import HTTPMessages
import RequestSpecs
import Templates
import Values

/// Merges a spec's layers, checks what can be known before sending, selects, and chooses transports.
package struct Planner: Sendable {
  private let options: PlanningOptions
  private let capabilities: [TransportCapabilities]

  package init(options: PlanningOptions, capabilities: [TransportCapabilities]) {
    self.options = options
    self.capabilities = capabilities
  }

  /// The plan of a file; nil if something is wrong with it.
  package func plan(_ loaded: LoadedSpec, into bag: inout DiagnosticBag) -> PlannedFile? {
    let before = bag.diagnostics.count { $0.severity == .error }
    var variables = KeyedSettings<ValueTemplate>()
    var defaults = loaded.project?.defaults ?? RequestSettings()
    var secrets = loaded.project?.secrets ?? []
    for file in loaded.bases + [loaded.file] {
      variables = file.variables.over(variables)
      defaults = file.defaults.over(defaults)
      secrets.removeAll { old in file.secrets.contains { $0.name == old.name } }
      secrets += file.secrets
    }
    let all = merged(loaded.file, defaults: defaults)
    let names = NameTable(
      loaded: loaded, variables: variables, secrets: secrets, options: options, requests: all)
    names.checkVariables(into: &bag)
    let overrides = CommandOverrides(options: options).typed(
      like: variables.over(loaded.project?.variables ?? KeyedSettings()), into: &bag)
    for (index, request) in all.enumerated() {
      names.check(request, at: index, into: &bag)
      checkMerged(request, into: &bag)
    }
    let selected = Selection(options: options, lines: loaded.lines).select(all, names: names)
    let chooser = TransportChooser(capabilities: capabilities, commandChoice: options.transport)
    let decisions = chooser.decide(selected.map(\.request), into: &bag)
    guard bag.diagnostics.count(where: { $0.severity == .error }) == before else { return nil }
    let requests = zip(selected, decisions).map { pair, decision in
      PlannedRequest(
        number: pair.request.number, stage: pair.request.stage, spec: pair.request.spec,
        settings: pair.request.settings, tags: pair.request.tags, transport: decision, isSelected: pair.isSelected)
    }
    return PlannedFile(
      path: loaded.file.path, source: loaded.file.source, name: loaded.file.name, project: loaded.project,
      variables: variables, secrets: secrets, overrides: overrides,
      commandSecrets: Dictionary(options.secrets.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }),
      requests: requests)
  }

  private func merged(_ file: SpecFile, defaults: RequestSettings) -> [MergedRequest] {
    let stages: [(RequestStage, [RequestSpec])] = [
      (.setup, file.setup), (.requests, file.requests), (.teardown, file.teardown),
    ]
    var result: [MergedRequest] = []
    for (stage, specs) in stages {
      for spec in specs {
        result.append(
          MergedRequest(
            number: result.count + 1, stage: stage, spec: spec, settings: spec.settings.over(defaults),
            tags: file.tags + spec.tags.filter { !file.tags.contains($0) }))
      }
    }
    return result
  }
}

/// A request with its settings merged, before selection.
struct MergedRequest {
  let number: Int
  let stage: RequestStage
  let spec: RequestSpec
  let settings: RequestSettings
  let tags: [String]

  var captureNames: [String] { settings.capture.entries.filter { $0.value != nil }.map(\.key.text) }
  /// How messages name the request.
  var label: String { spec.name?.literal.map { "\"\($0.masked)\"" } ?? "number \(number)" }
}
