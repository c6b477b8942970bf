import ReqrunKit
import SpecExecution
import SpecExports

/// Resolves all requests as a dry run does, with words in place of values that only a run knows.
struct LoadExporter {
  private var options: RunOptions

  init(options: RunOptions) {
    self.options = options
    self.options.dryRun = true
    self.options.jobs = 1
    self.options.reports = []
  }

  /// Nil if the specs have errors, or nothing is selected.
  mutating func export(into result: inout ExportResult) async -> LoadExport? {
    var preparation = RunPreparation(options: options)
    guard let plans = await preparation.plansToExport(into: &result) else { return nil }
    let needs = LoadNeeds(plans)
    let names = LoadNames(plans, needs)
    let secrets = plans.flatMap { ($0.scope.secrets + ($0.sharedScope?.secrets ?? [])).map(\.name) }
    let values = LoadValues(
      captures: names.captures, secrets: Set(secrets + options.secrets.map(\.name)), unplayed: needs.unplayed)
    let collector = LoadCollector(plans: plans, needs: needs, names: names)
    options.rewriting = values
    options.onResolved = { step, report, resolved, _ in collector.add(step, report, resolved) }
    options.onRows = { collector.add($1, $2, of: $0) }
    var execution = RunExecution(options: options, control: RunControl(), reporters: [collector])
    _ = await execution.run()
    var export = LocustProject.export(collector.files, values: values)
    export.remarks += collector.remarks + names.remarks + needs.remarks
    result.requests = export.requests
    return export
  }
}
