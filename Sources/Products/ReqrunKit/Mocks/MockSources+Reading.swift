import MockServer
import RunReports
import SpecExecution
import Values

extension MockSources {
  /// Reads specs, recordings and contracts.
  ///
  /// - Parameters:
  ///   - options: the files, and the environment and the variables of specs.
  ///   - keepsDelays: whether recorded responses come as late as they did.
  package init(reading options: RunOptions, keepsDelays: Bool = false) async {
    self.init()
    var specs: [SpecSource] = []
    for spec in options.specs {
      if case .path(let path) = spec, read(recording: path, keepsDelays: keepsDelays) { continue }
      specs.append(spec)
    }
    if specs.isEmpty { return }
    var options = options
    let found = SpecExchanges(seed: options.seed)
    (options.specs, options.dryRun, options.jobs, options.reports, options.keepGoing) = (specs, true, 1, [], true)
    options.openValues = found.openValues
    options.contractUse = .listed
    options.onResolved = found.observer
    var preparation = RunPreparation(options: options)
    let plans = await preparation.plansToConvert()
    add(preparation.bag.diagnostics)
    if preparation.unreadableFiles == 0 {
      var execution = RunExecution(options: options, control: RunControl(), reporters: [found.reporter])
      _ = await execution.dryRun(plans, preparation)
      add(found)
    }
    let library = ContractLibrary(fileAccess: options.fileAccess)
    for path in preparation.contractPaths { read(contract: path, by: library) }
  }
}
