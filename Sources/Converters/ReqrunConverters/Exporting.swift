import OperatingSystem
import ReqrunKit
import RequestSpecs
import RunReports
import SpecExecution
import SpecExports
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
  /// The environment variables that the exported files read.
  public internal(set) var environment: [String] = []
  /// Problems with files and options.
  public internal(set) var diagnostics: [ReqrunKit.Diagnostic] = []
  /// The exit code: 0, 1 a request, or with `strict` any part, was not exported, 2 a file is invalid, 4 nothing was selected, 5 a file
  /// could not be written.
  public internal(set) var exitCode: Int32 = 0
  /// The parts of specs that could not be exported, by reason.
  var reasons: [(reason: String, places: [String])] = []

  /// The result as the command prints it.
  public var text: String {
    guard !files.isEmpty else { return "" }
    let shown = reasons.isEmpty && files.count <= 12 ? files : Array(files.prefix(12))
    let more = shown.count < files.count ? ", and \(files.count - shown.count) more" : ""
    var text =
      "\(counted(requests, "request")) in \(counted(files.count, "file")): \(shown.joined(separator: ", "))\(more)\n"
    if !environment.isEmpty { text += "secrets are read from \(environment.joined(separator: ", "))\n" }
    if reasons.isEmpty, !remarks.isEmpty { text += "not exported:\n" + remarks.map { "  \($0)\n" }.joined() }
    return withoutWorkflowCommands(sanitizedForTerminal(text, keepingLineBreaks: true))
  }

  /// The parts that the other form cannot say, counted by reason.
  public var summary: String {
    guard !reasons.isEmpty else { return "" }
    let count = reasons.reduce(0) { $0 + $1.places.count }
    var text = "not exported, \(counted(count, "part")):\n"
    for (reason, places) in reasons {
      let shown = places.prefix(3).joined(separator: ", ")
      let more = places.count > 3 ? " and \(places.count - 3) more" : ""
      text += "  \(places.count) × \(reason): \(shown)\(more)\n"
    }
    return withoutWorkflowCommands(sanitizedForTerminal(text, keepingLineBreaks: true))
  }

  mutating func add(_ remarks: [ExportRemark]) {
    var order: [String] = []
    var places: [String: [String]] = [:]
    for remark in remarks {
      if places[remark.reason] == nil { order.append(remark.reason) }
      places[remark.reason, default: []].append(remark.place)
      self.remarks.append("\(remark.place): \(remark.detail): \(remark.reason)")
    }
    reasons = order.map { ($0, places[$0] ?? []) }
  }
}

/// A kind of export.
public struct ExportKind: Sendable {
  let format: ExportFormat

  /// The name by which the command line asks for it.
  public var name: String { format.rawValue }
  /// One line for help.
  public var summary: String { format.summary }

  /// A project for Locust, whose users play the specs.
  public static let locust = ExportKind(.locust)
  /// Scripts for bash, which send the requests by curl.
  public static let curl = ExportKind(.curl)
  /// Files for Hurl.
  public static let hurl = ExportKind(.hurl)
  /// Files for the HTTP clients of editors.
  public static let http = ExportKind(.http)
  /// A collection for Postman.
  public static let postman = ExportKind(.postman)
  /// HTTP archives.
  public static let har = ExportKind(.har)
  /// An OpenAPI document.
  public static let openapi = ExportKind(.openapi)

  /// All kinds.
  public static let all = ExportFormat.allCases.map { ExportKind($0) }

  init(_ format: ExportFormat) { self.format = format }

  /// Nil for a project that plays specs as load.
  var form: SpecForm? {
    switch format {
    case .locust: nil
    case .curl: .curl
    case .hurl: .hurl
    case .http: .http
    case .postman: .postman
    case .har: .har
    case .openapi: .openapi
    }
  }
}

extension Runner {
  /// Writes specs in the form of another tool.
  ///
  /// - Parameters:
  ///   - kind: one of ``ExportKind/all``.
  ///   - directory: the directory for its files, created if it doesn't exist.
  ///   - replaces: whether files that exist are replaced.
  ///   - strict: whether a part that can't be exported is a failure.
  public func export(
    _ kind: ExportKind, to directory: String, replaces: Bool = false, strict: Bool = false
  ) async -> ExportResult {
    var result = ExportResult()
    var files: [(name: String, bytes: [UInt8])] = []
    if let form = kind.form {
      var exporter = SpecExporter(options: options, form: form)
      guard let export = await exporter.export(into: &result) else { return result }
      (result.requests, result.environment) = (export.requests, export.environment)
      result.add(export.remarks)
      if export.remarks.contains(where: \.isOmission) { result.exitCode = 1 }
      files = export.files + copies(of: export.inputs, into: &result)
    } else {
      var exporter = LoadExporter(options: options)
      guard let export = await exporter.export(into: &result) else { return result }
      (result.remarks, result.environment) = (export.remarks, export.environment)
      files = export.files
    }
    let written = writeFiles(files.map { ($0.name, $0.bytes) }, to: directory, replaces: replaces)
    result.files = written.paths
    if let problem = written.problem {
      result.diagnostics.append(problem)
      result.exitCode = 5
    }
    if strict, result.exitCode == 0, !result.remarks.isEmpty { result.exitCode = 1 }
    return result
  }

  private func copies(of inputs: [ExportedInput], into result: inout ExportResult) -> [(name: String, bytes: [UInt8])] {
    inputs.compactMap { input in
      guard case .success(let bytes) = readFile(input.path, limit: Runner.maxCopySize) else {
        result.diagnostics.append(
          ReqrunKit.Diagnostic(
            .warning(
              "\(input.path) is not copied beside the export", at: nil,
              help: "it is not a regular file of at most 16 MiB: put it there as \(input.name)")))
        return nil
      }
      return (input.name, bytes)
    }
  }
}

/// Counts the requests of an export, and ends it beyond a limit.
final class RequestCount: Sendable {
  static let limit = 100_000
  let control = RunControl()
  private let count = Mutex(0)

  /// Counts a request, and returns whether it is within the limit.
  func take() -> Bool {
    let number = count.withLock { count in
      count += 1
      return count
    }
    if number > RequestCount.limit { control.cancel() }
    return number <= RequestCount.limit
  }

  var isExceeded: Bool { count.withLock { $0 > RequestCount.limit } }
}

extension RunOptions {
  /// Resolves the requests of files, and returns whether all were.
  mutating func resolve(
    _ plans: [PlannedFile], _ preparation: RunPreparation, _ reporter: any RunReports.Reporter, _ count: RequestCount,
    into result: inout ExportResult
  ) async -> Bool {
    // A request that is left out keeps no other from being exported.
    (dryRun, jobs, reports, keepGoing) = (true, 1, [], true)
    var execution = RunExecution(options: self, control: count.control, reporters: [reporter])
    let run = await execution.dryRun(plans, preparation)
    result.diagnostics += run.diagnostics
    if run.unreadableFiles > 0 { result.exitCode = 2 }
    guard !count.isExceeded else {
      result.diagnostics.append(
        ReqrunKit.Diagnostic(
          .error(
            "an export has at most \(RequestCount.limit) requests, and these files have more", at: nil,
            help: "export fewer files, or fewer rows of `each`")))
      result.exitCode = 2
      return false
    }
    return true
  }
}

extension RunPreparation {
  /// The plans of the selected specs; nil if one has errors, or nothing is selected, which the result says.
  mutating func plansToExport(into result: inout ExportResult) async -> [PlannedFile]? {
    let plans = await plan(startsServer: false).filter { $0.selectedCount > 0 }
    result.diagnostics = bag.diagnostics.map { ReqrunKit.Diagnostic($0) }
    if unreadableFiles > 0 {
      result.exitCode = 2
      return nil
    }
    // The demo server of a run has another port each time.
    if runValues["demo"] != nil { runValues["demo"] = .text("http://127.0.0.1:8080") }
    guard !plans.isEmpty else {
      result.diagnostics += (await reasonForNothing()).map { [ReqrunKit.Diagnostic($0)] } ?? []
      result.exitCode = 4
      return nil
    }
    return plans
  }
}
