import Diagnostics
import LoadExports
import OperatingSystem
import RequestResolution
import RunEvents
import RunPlanning
import RunReports
import RunScopes
import SpecExecution
import Synchronization
import Values

/// The result of an export.
public struct ExportResult: Sendable {
  /// The paths of the files that were written.
  public internal(set) var files: [String] = []
  /// The parts of specs that could not be exported, each with its place.
  public internal(set) var remarks: [String] = []
  /// The number of exported requests.
  public internal(set) var requests = 0
  /// The environment variables that the exported project reads.
  public internal(set) var environment: [String] = []
  /// Problems with files and options.
  public internal(set) var diagnostics: [Diagnostic] = []
  /// The exit code: 0, 2 a file is invalid, 4 nothing was selected, 5 a file could not be written.
  public internal(set) var exitCode: Int32 = 0

  /// The result as the command prints it.
  public var text: String {
    guard !files.isEmpty else { return "" }
    var text = "\(counted(requests, "request")) in \(counted(files.count, "file")): \(files.joined(separator: ", "))\n"
    if !environment.isEmpty { text += "secrets are read from \(environment.joined(separator: ", "))\n" }
    if !remarks.isEmpty { text += "not exported:\n" + remarks.map { "  \($0)\n" }.joined() }
    return withoutWorkflowCommands(sanitizedForTerminal(text, keepingLineBreaks: true))
  }
}

extension Runner {
  /// Writes specs in the form of another tool.
  ///
  /// - Parameters:
  ///   - kind: one of ``ExportKind/all``.
  ///   - directory: the directory for its files, created if it doesn't exist.
  ///   - replaces: whether files that exist are replaced.
  public func export(_ kind: ExportKind, to directory: String, replaces: Bool = false) async -> ExportResult {
    var exporter = LoadExporter(options: options)
    var result = ExportResult()
    guard let export = await exporter.export(into: &result) else { return result }
    (result.remarks, result.environment) = (export.remarks, export.environment)
    let written = writeFiles(export.files.map { ($0.name, $0.bytes) }, to: directory, replaces: replaces)
    result.files = written.paths
    if let problem = written.problem {
      result.diagnostics.append(problem)
      result.exitCode = 5
    }
    return result
  }
}

/// A kind of export: a new one is an entry of ``all``.
public struct ExportKind: Sendable {
  /// The name by which the command line asks for it.
  public let name: String
  /// One line for help.
  public let summary: String

  /// A project for Locust, whose users play the specs.
  public static let locust = ExportKind(name: "locust", summary: "a Locust project, whose users play the specs as load")

  /// All kinds.
  public static let all = [locust]
}

/// Resolves all requests as a dry run does, with words in place of values that only a run knows.
private struct LoadExporter {
  private var options: RunOptions

  init(options: RunOptions) {
    self.options = options
    self.options.dryRun = true
    self.options.jobs = 1
    self.options.reports = []
  }

  /// Nil if the specs have errors, or nothing is selected.
  mutating func export(into result: inout ExportResult) async -> LoadExport? {
    var session = PlanningSession(options: options)
    let plans = await session.plan(startsServer: false).filter { $0.selectedCount > 0 }
    result.diagnostics = session.bag.diagnostics.map { Diagnostic($0) }
    if session.unreadableFiles > 0 {
      result.exitCode = 2
      return nil
    }
    guard !plans.isEmpty else {
      result.diagnostics += (await session.reasonForNothing()).map { [Diagnostic($0)] } ?? []
      result.exitCode = 4
      return nil
    }
    let needs = LoadNeeds(plans)
    let names = LoadNames(plans, needs)
    let secrets = plans.flatMap { ($0.scope.secrets + ($0.sharedScope?.secrets ?? [])).map(\.name) }
    let values = LoadValues(
      captures: names.captures, secrets: Set(secrets + options.secrets.map(\.name)), unplayed: needs.unplayed)
    let collector = LoadCollector(plans: plans, needs: needs, names: names)
    options.loadValues = values
    options.onResolved = { collector.add($0, $1, $2) }
    options.onRows = { collector.add($1, $2, of: $0) }
    var execution = RunExecution(options: options, control: RunControl(), reporters: [collector])
    _ = await execution.run()
    var export = LocustProject.export(collector.files, values: values)
    export.remarks += collector.remarks + names.remarks + needs.remarks
    result.requests = export.requests
    return export
  }
}
