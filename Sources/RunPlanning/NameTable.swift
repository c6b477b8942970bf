import Diagnostics
import RequestSpecs
import Templates
import Values

/// The names that templates of a file can read, and where each comes from.
struct NameTable {
  private let variables: KeyedSettings<ValueTemplate>
  private let projectVariables: KeyedSettings<ValueTemplate>
  private let secrets: [SecretDeclaration]
  private let fixed: Set<String>
  private let requests: [MergedRequest]

  init(
    loaded: LoadedSpec, variables: KeyedSettings<ValueTemplate>, secrets: [SecretDeclaration],
    options: PlanningOptions, requests: [MergedRequest]
  ) {
    self.variables = variables
    self.secrets = secrets
    self.requests = requests
    projectVariables = loaded.project?.variables ?? KeyedSettings()
    var names = Set(options.runNames)
    names.formUnion(options.variables.map(\.name))
    names.formUnion(options.environmentFile.map(\.name))
    names.formUnion(options.secrets.map(\.name))
    names.formUnion(secrets.map(\.name))
    names.formUnion(variables.entries.map(\.key.text))
    names.formUnion(projectVariables.entries.map(\.key.text))
    fixed = names
  }

  /// The captures that a request at this position can read: those of the requests before it, and in teardown all.
  private func captures(before index: Int) -> Set<String> {
    Set(requests[..<index].flatMap(\.captureNames))
  }

  func check(_ request: MergedRequest, at index: Int, into bag: inout DiagnosticBag) {
    let before = captures(before: index)
    for template in request.settings.sendingTemplates { check(template, captures: before, at: index, into: &bag) }
    if let template = request.spec.name?.template { check(template, captures: before, at: index, into: &bag) }
    let own = before.union(request.captureNames)
    for template in request.settings.checkingTemplates { check(template, captures: own, at: index, into: &bag) }
  }

  private func check(_ template: Template, captures: Set<String>, at index: Int, into bag: inout DiagnosticBag) {
    for reference in template.references where reference.name != "env" {
      guard !fixed.contains(reference.name), !captures.contains(reference.name) else { continue }
      if ["row", "row_index"].contains(reference.name) {
        bag.error("`\(reference.name)` is there only with `each`, which is not available yet", at: reference.range)
        continue
      }
      if let later = requests[index...].first(where: { $0.captureNames.contains(reference.name) }) {
        bag.error(
          "`\(reference.name)` is captured only later, by request \(later.label)", at: reference.range,
          notes: [Diagnostic.Note("that request stands here", at: later.spec.range.firstLine)])
        continue
      }
      unknown(reference, among: fixed.union(captures), into: &bag)
    }
  }

  private func unknown(_ reference: TemplateReference, among names: Set<String>, into bag: inout DiagnosticBag) {
    let help =
      nearestWord(to: reference.name, among: names.sorted()).map { "did you mean `\($0)`?" }
      ?? (names.isEmpty
        ? "declare it under `variables`, or give it with --var \(reference.name)=…"
        : "known here: \(names.sorted().prefix(12).joined(separator: ", "))")
    bag.error("unknown variable `\(reference.name)`", at: reference.range, help: help)
  }

  /// Variables read other variables, never captures, and not in a circle.
  func checkVariables(into bag: inout DiagnosticBag) {
    checkLayer(variables, names: fixed, into: &bag)
    checkLayer(projectVariables, names: fixed, into: &bag)
    for secret in secrets {
      for template in secret.value?.templates ?? [] {
        for reference in template.references where reference.name != "env" && !fixed.contains(reference.name) {
          unknown(reference, among: fixed, into: &bag)
        }
      }
    }
  }

  private func checkLayer(_ layer: KeyedSettings<ValueTemplate>, names: Set<String>, into bag: inout DiagnosticBag) {
    var readers: [String: [TemplateReference]] = [:]
    for entry in layer.entries {
      let references = (entry.value?.templates ?? []).flatMap(\.references)
      readers[entry.key.text] = references
      for reference in references where reference.name != "env" && !names.contains(reference.name) {
        if let request = requests.first(where: { $0.captureNames.contains(reference.name) }) {
          bag.error(
            "a variable cannot read `\(reference.name)`, which request \(request.label) captures",
            at: reference.range, help: "variables are evaluated once, before the captures: use the template in the request")
        } else {
          unknown(reference, among: names, into: &bag)
        }
      }
    }
    for entry in layer.entries {
      guard let cycle = cycle(from: entry.key.text, readers) else { continue }
      bag.error(
        "the variables read each other in a circle: \(cycle.joined(separator: " → "))", at: entry.key.range)
      return
    }
  }

  private func cycle(from start: String, _ readers: [String: [TemplateReference]]) -> [String]? {
    var visited: Set<String> = []
    func walk(_ name: String, _ path: [String]) -> [String]? {
      for reference in readers[name] ?? [] {
        if reference.name == start { return path + [start] }
        guard visited.insert(reference.name).inserted else { continue }
        if let found = walk(reference.name, path + [reference.name]) { return found }
      }
      return nil
    }
    return walk(start, [start])
  }

  /// The requests before a position whose captures a request reads, directly or through others.
  func suppliers(of request: MergedRequest, at index: Int) -> Set<Int> {
    var result: Set<Int> = []
    var pending = [index]
    while let position = pending.popLast() {
      let settings = requests[position].settings
      let read = Set(
        (settings.sendingTemplates + settings.checkingTemplates + [requests[position].spec.name?.template].compactMap { $0 })
          .flatMap(\.references).map(\.name))
      for earlier in 0..<position where !read.isDisjoint(with: requests[earlier].captureNames) {
        if result.insert(earlier).inserted { pending.append(earlier) }
      }
    }
    return result
  }
}

extension SourceRange {
  /// The range cut to its first line.
  package var firstLine: SourceRange {
    let line = source.lineBytes(source.lineIndex(at: bytes.lowerBound))
    return SourceRange(source, bytes.lowerBound..<max(bytes.lowerBound, min(bytes.upperBound, line.upperBound)))
  }
}
