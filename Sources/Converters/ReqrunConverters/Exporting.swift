import OperatingSystem
import ReqrunKit
import RequestSpecs
import SpecExecution
import SpecExports
import Values

/// The result of an export.
public struct ExportResult: Sendable {
  /// The paths of the files that were written.
  public internal(set) var files: [String] = []
  /// The parts of specs that could not be exported, each with its place.
  public var remarks: [String] { parts.map(\.text) }
  /// The number of exported requests.
  public internal(set) var requests = 0
  /// The environment variables that the exported files read.
  public internal(set) var environment: [String] = []
  /// Problems with files and options.
  public internal(set) var diagnostics: [ReqrunKit.Diagnostic] = []
  /// The exit code: 0, 1 a request, or with `strict` any part, was not exported, 2 a file is invalid, 4 nothing was selected, 5 a file
  /// could not be written.
  public internal(set) var exitCode: Int32 = 0
  /// The parts of specs that could not be exported.
  private var parts: [ExportRemark] = []

  /// The result as the command prints it.
  public var text: String {
    guard !files.isEmpty else { return "" }
    let more = files.count > 12 ? ", and \(files.count - 12) more" : ""
    var text =
      "\(counted(requests, "request")) in \(counted(files.count, "file")): \(files.prefix(12).joined(separator: ", "))\(more)\n"
    if !environment.isEmpty { text += "secrets are read from \(environment.joined(separator: ", "))\n" }
    return withoutWorkflowCommands(sanitizedForTerminal(text, keepingLineBreaks: true))
  }

  /// The parts that the other form cannot say, counted by reason.
  public var summary: String {
    guard !parts.isEmpty else { return "" }
    var reasons: [String] = []
    var places: [String: [String]] = [:]
    for part in parts {
      if places[part.reason] == nil { reasons.append(part.reason) }
      places[part.reason, default: []].append(part.place)
    }
    var text = "not exported, \(counted(parts.count, "part")):\n"
    for reason in reasons {
      let places = places[reason] ?? []
      let more = places.count > 3 ? " and \(places.count - 3) more" : ""
      text += "  \(places.count) × \(reason): \(places.prefix(3).joined(separator: ", "))\(more)\n"
    }
    return withoutWorkflowCommands(sanitizedForTerminal(text, keepingLineBreaks: true))
  }

  fileprivate mutating func take(_ export: SpecExport) {
    (parts, requests, environment) = (export.remarks, export.requests, export.environment)
    if exitCode == 0, parts.contains(where: \.isOmission) { exitCode = 1 }
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
    let export: SpecExport?
    if let form = kind.form {
      var exporter = SpecExporter(options: options, form: form)
      export = await exporter.export(into: &result)
    } else {
      var exporter = LoadExporter(options: options)
      export = await exporter.export(into: &result)
    }
    guard let export else { return result }
    result.take(export)
    let files = export.files + copies(of: export.inputs, into: &result)
    let written = writeFiles(files.map { ($0.name, $0.bytes) }, to: directory, replaces: replaces)
    result.files = written.paths
    if let problem = written.problem {
      result.diagnostics.append(problem)
      result.exitCode = 5
    }
    if strict, result.exitCode == 0, !export.remarks.isEmpty { result.exitCode = 1 }
    return result
  }

  private func copies(of inputs: [ExportedInput], into result: inout ExportResult) -> [(name: String, bytes: [UInt8])] {
    inputs.compactMap { input in
      guard case .success(let bytes) = readFile(input.path, limit: Runner.maxCopySize) else {
        result.diagnostics.append(
          ReqrunKit.Diagnostic(
            .warning(
              .incompleteConversion, "\(input.path) is not copied beside the export", at: nil,
              help: "it is not a regular file of at most 16 MiB: put it there as \(input.name)")))
        return nil
      }
      return (input.name, bytes)
    }
  }
}

extension RunPreparation {
  /// The plans of the selected specs; nil if one has errors, or nothing is selected, which the result says.
  mutating func plansToExport(into result: inout ExportResult) async -> [PlannedFile]? {
    let plans = await plansToConvert()
    result.diagnostics = bag.diagnostics.map { ReqrunKit.Diagnostic($0) }
    if unreadableFiles > 0 {
      result.exitCode = 2
      return nil
    }
    guard !plans.isEmpty else {
      result.diagnostics += (await reasonForNothing()).map { [ReqrunKit.Diagnostic($0)] } ?? []
      result.exitCode = 4
      return nil
    }
    return plans
  }
}
