import RunReports
import Values

extension Runner {
  /// Reports a run that is over again, from its JSON report: to all reports of the options.
  ///
  /// - Returns: the result of that run; its exit code is 5 if the report can't be read.
  public func show(report path: String) -> RunResult {
    replay { () throws(Values.Diagnostic) in try RunReplay(of: path) }
  }

  /// Makes one run of several that are over, such as all shards of one, from their JSON reports, and reports that to all
  /// reports of the options.
  ///
  /// - Returns: the result that one run would have had; its exit code is 5 if the reports can't be read or merged.
  public func merge(reports paths: [String]) -> RunResult {
    replay { () throws(Values.Diagnostic) in try RunReplay(merging: paths, minCoverage: options.minCoverage) }
  }

  private func replay(_ read: () throws(Values.Diagnostic) -> RunReplay) -> RunResult {
    var options = options
    let run: RunReplay
    do throws(Values.Diagnostic) {
      run = try read()
    } catch {
      return failed(error, options.reports.map { $0.makeReporter(options) })
    }
    options.dryRun = run.summary.origin.isDryRun
    let reporters = options.reports.map { $0.makeReporter(options) }
    var result = RunResult()
    func report(_ diagnostic: Values.Diagnostic) {
      for reporter in reporters { reporter.receive([diagnostic]) }
      result.diagnostics.append(Diagnostic(diagnostic))
    }
    result.unwrittenReports = options.prepare(reporters, report)
    guard result.unwrittenReports == 0 else { return result }
    let summary: RunSummary
    do throws(Values.Diagnostic) {
      summary = try run.run(into: reporters)
    } catch {
      return failed(error, reporters)
    }
    result.unwrittenReports = reporters.count(
      failing: { reporter throws(ReportProblem) in try reporter.finish(summary) }, report)
    result.add(summary.counts)
    result.unreadableFiles = summary.unreadableFiles
    result.unusedSnapshots = summary.unusedSnapshots
    result.coverageIsTooLow = summary.coverageIsTooLow
    result.signal = summary.interruptedBy
    result.replayedExitCode = summary.exitCode
    return result
  }

  /// Reports that a report can't be read.
  private func failed(_ problem: Values.Diagnostic, _ reporters: [any RunReports.Reporter]) -> RunResult {
    for reporter in reporters { reporter.receive([problem]) }
    var result = RunResult()
    result.diagnostics = [Diagnostic(problem)]
    result.unwrittenReports = 1
    return result
  }
}
