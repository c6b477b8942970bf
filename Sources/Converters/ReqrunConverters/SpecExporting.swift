import OperatingSystem
import ReqrunKit
import RequestSpecs
import SpecExecution
import SpecExports
import Values

/// Resolves all requests as a dry run does, with values that stay open in another tool's form.
struct SpecExporter {
  private var options: RunOptions
  private let form: SpecForm

  init(options: RunOptions, form: SpecForm) {
    self.options = options
    self.form = form
  }

  /// Nil if the specs have errors, or nothing is selected.
  mutating func export(into result: inout ExportResult) async -> SpecExport? {
    var preparation = RunPreparation(options: options)
    guard let plans = await preparation.plansToExport(into: &result) else { return nil }
    let words = ExportWords(SpecExporter.names(plans), supports: form.supports)
    let uses = UseOutputs(plans)
    let collector = ExportCollector<ExportedEntry>(
      plans, rowLimit: 100, shown: words.named, omission: ExportedEntry.omission
    ) { step, resolved, scope, place in
      var request = ExportedRequest(step, label: place.report.name, path: place.path, resolved, in: scope, words)
      if let omission = request.omission { return .omission(omission) }
      request.take(uses.outputs(at: place), words)
      return .entry(.request(request))
    }
    options.openValues = words
    guard await collector.collect(plans, preparation, options, into: &result) else { return nil }
    var export = form.export(SpecExporter.files(of: collector, plans, words), words)
    export.remarks = words.problems + collector.remarks + uses.remarks + export.remarks
    return export
  }

  /// The files with requests; each begins with those that it needs.
  private static func files(
    of collector: ExportCollector<ExportedEntry>, _ plans: [PlannedFile], _ words: ExportWords
  ) -> [ExportedFile] {
    let needs = Dictionary(plans.withNeeded.map { ($0.path, $0.needs) }) { first, _ in first }
    let entries = collector.entries(of: Set(needs.values.joined().map(\.file.path)))
    func needed(by path: String, depth: Int = 0) -> [ExportedEntry] {
      guard depth < 32 else { return [] }
      return (needs[path] ?? []).flatMap { need in
        var own = entries[need.file.path] ?? []
        if let name = need.name {
          let members = need.file.yieldedNames.map { (name: exportedName("\(name).\($0)"), capture: $0) }
          for index in own.indices { own[index].take(members, words) }
        }
        return needed(by: need.file.path, depth: depth + 1) + own
      }
    }
    return collector.files.compactMap { file in
      var exported = ExportedFile(path: file.path, title: file.title, flow: file.flow)
      exported.entries = needed(by: file.path) + file.entries
      for index in exported.entries.indices { exported.entries[index].takeVariables(words) }
      return exported.requests.isEmpty ? nil : exported
    }
  }

  private static func names(_ plans: [PlannedFile]) -> ExportNames {
    var names = ExportNames()
    names.credentials = CredentialNames(plans).names
    for plan in plans.withReused {
      for scope in [plan.scope, plan.sharedScope].compactMap(\.self) {
        names.taken.formUnion(scope.variables.entries.map(\.key.text) + scope.secrets.map(\.name))
      }
      for request in plan.requestSteps.map(\.request) {
        names.taken.formUnion(request.spec.variables.entries.map(\.key.text))
        for entry in request.settings.capture.entries {
          names.taken.insert(entry.key.text)
          if let capture = entry.value { names.add(capture, as: entry.key.text) }
        }
      }
    }
    return names
  }
}

extension ExportNames {
  fileprivate mutating func add(_ capture: CaptureSpec, as name: String) {
    guard let source = capture.onlySource else { return }
    switch source.extraction?.conversion {
    case .integer, .number, .boolean: captureTypes[name] = false
    case .string, .date, .url: captureTypes[name] = true
    case .json, .first: break
    case nil:
      switch source.subject {
      case _ where source.extraction?.regex != nil: captureTypes[name] = true
      case .header, .cookie, .link, .body, .url, .httpVersion, .address, .file: captureTypes[name] = true
      case .status, .bytes, .duration, .timing, .port: captureTypes[name] = false
      default: break
      }
    }
    switch source.subject {
    case .header, .link, .url: links.insert(name)
    default: if capture.yieldsURL { links.insert(name) }
    }
  }
}

extension ExportedEntry: CollectedEntry {}
