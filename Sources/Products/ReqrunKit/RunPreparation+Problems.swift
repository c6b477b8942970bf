import RunReports
import SpecExecution
import Values

extension RunPreparation {
  /// The reason why there is no file; nil if there are some.
  func reasonForNoFile(_ selection: FileSelection, _ loader: SpecLoader) -> String? {
    guard let failed = selection.failed, let report = options.rerunFailed, loader.specs.isEmpty else { return nil }
    if failed.isEmpty { return "nothing failed in \(report)" }
    return options.shard == nil && loader.leftOutFiles > 0 ? "nothing of these files failed in \(report)" : nil
  }

  /// The reason why nothing is selected: a warning if nothing had failed, or if only this shard is empty.
  package func reasonForNothing() async -> Values.Diagnostic? {
    // The other files ran before.
    if options.onlyFiles != nil { return nil }
    if let noFileReason { return .warning(.nothingToRun, "nothing to run: \(noFileReason)", at: nil) }
    guard let shard = options.shard else { return nothingSelected?.diagnostic }
    var whole = options
    (whole.shard, whole.timings) = (nil, [])
    var preparation = RunPreparation(options: whole)
    let plans = await preparation.plan(startsServer: false)
    guard preparation.unreadableFiles > 0 || plans.contains(where: { $0.selectedCount > 0 }) else {
      return preparation.nothingSelected?.diagnostic
    }
    return .ofEmptyShard(shard.description)
  }

  /// The invalid files, with their errors.
  var brokenFiles: [BrokenFile] {
    var order: [String] = []
    var errors: [String: [Values.Diagnostic]] = [:]
    let placed = bag.diagnostics.compactMap { diagnostic in
      diagnostic.severity == .error ? diagnostic.range.map { (path: $0.source.name, error: diagnostic) } : nil
    }
    for (path, error) in placed + unplacedProblems {
      if errors[path] == nil { order.append(path) }
      errors[path, default: []].append(error)
    }
    return order.map { BrokenFile(path: $0, errors: errors[$0] ?? []) }
  }
}

extension DiagnosticBag {
  /// The diagnostics grouped by file, in the order of their places; files in the order of their first diagnostic.
  var inPlaceOrder: DiagnosticBag {
    var ranks: [String: Int] = [:]
    for diagnostic in diagnostics {
      let name = diagnostic.range?.source.name ?? ""
      if ranks[name] == nil { ranks[name] = ranks.count }
    }
    let keyed = diagnostics.enumerated().map { index, diagnostic in
      let range = diagnostic.range
      return (key: (ranks[range?.source.name ?? ""] ?? 0, range?.bytes.lowerBound ?? 0, index), value: diagnostic)
    }
    var result = DiagnosticBag()
    result.add(contentsOf: keyed.sorted { $0.key < $1.key }.map(\.value))
    return result
  }
}
