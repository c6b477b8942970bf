import ReqrunKit
import SpecExecution
import SpecExports

/// Resolves all requests as a dry run does, with values that only a run knows left open.
struct LoadExporter {
  private var options: RunOptions

  init(options: RunOptions) {
    self.options = options
  }

  /// Nil if the specs have errors, or nothing is selected.
  mutating func export(into result: inout ExportResult) async -> LoadExport? {
    var preparation = RunPreparation(options: options)
    guard let plans = await preparation.plansToExport(into: &result) else { return nil }
    let needs = LoadNeeds(plans)
    let names = LoadNames(plans)
    let secrets = plans.flatMap { ($0.scope.secrets + ($0.sharedScope?.secrets ?? [])).map(\.name) }
    let values = LoadValues(
      secrets: Set(secrets + options.secrets.map(\.name)), credentials: CredentialNames(plans).names,
      unplayed: needs.unplayed)
    let collector = LoadCollector(plans: plans, needs: needs, names: names)
    options.openValues = values
    options.onResolved = { collector.add($0, $1, $2, in: $3) }
    options.onRows = { collector.add($1, $2, of: $0) }
    guard await options.resolve(plans, preparation, collector, collector.count, into: &result) else { return nil }
    var export = LocustProject.export(collector.files, values: values)
    export.remarks += collector.remarks + names.remarks + needs.remarks
    result.requests = export.requests
    return export
  }
}
