import OperatingSystem
import ReqrunKit
import RequestSpecs
import SpecExecution
import SpecExports

extension LoadFile.Request: CollectedEntry {}

/// Resolves all requests as a dry run does, with values that only a run knows left open.
struct LoadExporter {
  private var options: RunOptions

  init(options: RunOptions) {
    self.options = options
  }

  /// Nil if the specs have errors, or nothing is selected.
  mutating func export(into result: inout ExportResult) async -> SpecExport? {
    var preparation = RunPreparation(options: options)
    guard let plans = await preparation.plansToExport(into: &result) else { return nil }
    let needs = LoadNeeds(plans)
    let uses = UseOutputs(plans)
    let secrets = plans.flatMap { ($0.scope.secrets + ($0.sharedScope?.secrets ?? [])).map(\.name) }
    let values = LoadValues(
      secrets: Set(secrets + options.secrets.keys), credentials: CredentialNames(plans).names,
      unplayed: needs.unplayed)
    let collector = ExportCollector<LoadFile.Request>(plans, shown: LoadValues.shown) { step, resolved, scope, place in
      for case .failure(let error) in place.rows + place.rowsOfFlow { return .omission(error.message) }
      if place.rows.count > 1 { return .omission("rows within rows can't be played") }
      return .entry(
        LoadFile.Request(
          step: step, resolved: resolved, scope: scope, path: place.path, rows: try? place.rows.first?.get(),
          use: place.use.map { LoadFile.Use(group: $0.id, outputs: uses.outputs(at: place)) },
          isOfFlow: place.flow != nil))
    }
    options.openValues = values
    guard await collector.collect(plans, preparation, options, into: &result) else { return nil }
    let needed = collector.entries(of: Set(needs.needs.values.joined().map(\.path)))
    let weights = Dictionary(plans.map { ($0.path, LoadExporter.weight(of: $0.path)) }) { $1 }
    let tags = Dictionary(plans.map { ($0.path, LoadExporter.tags(of: $0)) }) { first, _ in first }
    let files = collector.files.map { file in
      LoadFile(
        path: file.path, name: file.flow.flatMap { $0.isEmpty ? nil : $0 } ?? file.title,
        weight: weights[file.path] ?? 1, tags: tags[file.path] ?? [], requests: file.entries,
        needs: (needs.needs[file.path] ?? []).map {
          LoadFile.Need(name: $0.name, path: $0.path, requests: needed[$0.path] ?? [])
        },
        rowsOfFlow: file.rows)
    }
    return LocustProject.export(files, values: values, remarks: collector.remarks + uses.remarks + needs.remarks)
  }

  /// The tags that all requests have.
  private static func tags(of plan: PlannedFile) -> [String] {
    let all = plan.requestSteps.map { Set($0.request.tags) }
    return (all.first.map { all.reduce($0) { $0.intersection($1) } } ?? []).sorted()
  }

  /// `x-weight` at the top of a file; 1 without it.
  private static func weight(of path: String) -> Int {
    guard case .success(let bytes) = readFile(path, limit: SpecLoader.sizeLimit) else { return 1 }
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    for line in lines where line.starts(with: "x-weight:".utf8) {
      let text = String(decoding: line, as: UTF8.self)
      if let match = text.wholeMatch(of: weightLine) { return Int(match.output.1) ?? 1 }
    }
    return 1
  }
}

/// The files that the exported ones need.
private struct LoadNeeds {
  /// Those that are played, by the path of the file that needs them.
  private(set) var needs: [String: [(name: String?, path: String)]] = [:]
  /// The names that the others give.
  private(set) var unplayed: Set<String> = []
  private(set) var remarks: [ExportRemark] = []

  init(_ plans: [PlannedFile]) {
    // A file that runs with several values isn't identified by its path.
    var values: [String: Set<SpecID>] = [:]
    var played: Set<String> = []
    for need in plans.flatMap(\.allNeeds) { values[need.file.path, default: []].insert(need.id) }
    for plan in plans {
      for need in plan.allNeeds {
        let names = need.name.map { [$0] } ?? need.file.requestSteps.flatMap(\.request.captureNames)
        let isOwn = plan.needs.contains { $0 === need }
        let isPlain = need.file.allNeeds.isEmpty && !need.file.requestSteps.contains { $0.request.spec.rows != nil }
        if isOwn, isPlain, !need.sharesCookies, values[need.file.path]?.count == 1 {
          needs[plan.path, default: []].append((need.name, need.file.path))
          played.formUnion(names)
          let isTorn = need.file.requestSteps.contains { $0.request.stage == .teardown }
          if isTorn { remark("the teardown of a file that is needed", need, plan) }
        } else {
          unplayed.formUnion(names)
          remark("a file that is needed", need, plan)
        }
      }
    }
    unplayed.subtract(played)
  }

  private mutating func remark(_ reason: String, _ need: PlannedNeed, _ plan: PlannedFile) {
    remarks.append(ExportRemark(place: plan.path, reason: reason, detail: need.file.path))
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let weightLine = /x-weight:\s*(\d{1,9})\s*(?:#.*)?/
