import OperatingSystem
import ReqrunKit
import SpecExecution
import SpecImports
import Values

/// The treatment of the files of an earlier import.
public enum ExistingFiles: Sendable {
  /// A refusal to write anything.
  case kept
  case replaced
  /// Changes of OpenAPI specs where the document has changed, and nothing of a person's stands.
  case updated
  /// A list of the changes of ``updated``, which are not made.
  case compared
  /// New files beside them, with the requests that they don't have.
  case completed
}

/// The choices of an import.
public struct ImportOptions: Sendable {
  /// One of ``ImportKind/all``; nil finds out the kind.
  public var kind: ImportKind?
  /// Files and directories; `-` is standard input.
  public var paths: [String] = []
  /// The directory for the specs, created if it doesn't exist; nil returns a single spec as text.
  public var directory: String?
  /// The treatment of files that exist.
  public var existing = ExistingFiles.kept
  /// Indicates whether a part that cannot be translated is a failure.
  public var isStrict = false
  /// The hosts whose requests are taken of a recording; all if it is empty.
  public var hosts: [String] = []
  /// The types of responses, such as `json` or `text/html`, whose requests are taken of a recording; all if it is empty.
  public var types: [String] = []
  /// Indicates whether OpenAPI becomes requests at the bounds of its schemas, too; an update has them if the specs do.
  public var hasBoundaries = false

  /// Creates options without files.
  public init() {}
}

/// The result of an import.
public struct ImportResult: Sendable {
  /// The paths of the files that were written.
  public internal(set) var files: [String] = []
  /// The spec, if no directory was given.
  public internal(set) var text: [UInt8] = []
  /// The number of requests.
  public internal(set) var requests = 0
  /// The names of secrets and variables that the specs read from the environment.
  public internal(set) var environment: [String] = []
  /// The number of parts that could not be translated, by reason, the most frequent first.
  public internal(set) var untranslated: [(reason: String, count: Int)] = []
  /// The changes of an update as lines, with their places.
  public internal(set) var changes: [String] = []
  /// The number of these that are left to a person.
  public internal(set) var changesLeft = 0
  /// The files that requests send, and that could not be copied beside the specs.
  public internal(set) var missingFiles: [String] = []
  /// Problems with files and options.
  public internal(set) var diagnostics: [ReqrunKit.Diagnostic] = []
  /// The paths of the sources that could not be read, or have errors; the others are imported without them.
  public internal(set) var leftOut: [String] = []
  /// The requests of a recording that the specs have already, by method and path.
  public internal(set) var known: [String] = []
  /// The exit code: 0, 1 a part could not be translated and had to be, or specs are not in step with the document, 2 a file could not be read, 4 there is no
  /// request, 5 a file could not be written.
  public internal(set) var exitCode: Int32 = 0

  /// The result as the command prints it.
  public var summary: String {
    guard requests + known.count > 0, exitCode != 5 else { return "" }
    let count = requests == 0 ? "nothing new" : counted(requests, "request")
    var text = changes.map { $0 + "\n" }.joined() + (updateSummary ?? count)
    if !files.isEmpty, updateSummary == nil {
      let others = files.count > 12 ? " and \(files.count - 10) more" : ""
      let names = files.prefix(others.isEmpty ? 12 : 10).joined(separator: ", ")
      text += " in \(counted(files.count, "file")): \(names)\(others)"
    }
    text += "\n"
    if !environment.isEmpty, updateSummary == nil {
      text += "read from the environment: \(environment.joined(separator: ", "))\n"
    }
    if !missingFiles.isEmpty { text += "put these files beside the specs: \(missingFiles.joined(separator: ", "))\n" }
    if !known.isEmpty {
      let more = known.count > 12 ? " and \(known.count - 10) more" : ""
      text +=
        "left out, since the specs have them: \(known.prefix(more.isEmpty ? 12 : 10).joined(separator: ", "))\(more)\n"
    }
    if !leftOut.isEmpty { text += "left out, with the errors above: \(leftOut.joined(separator: ", "))\n" }
    if !untranslated.isEmpty, updateSummary == nil {
      text +=
        "not translated, and left as comments: \(untranslated.map { "\($0.reason) (\($0.count))" }.joined(separator: ", "))\n"
    }
    return withoutWorkflowCommands(sanitizedForTerminal(text, keepingLineBreaks: true))
  }

  /// The last line of an update.
  var updateSummary: String?

  mutating func warn(_ code: DiagnosticCode, _ message: String, help: String) {
    diagnostics.append(ReqrunKit.Diagnostic(.warning(code, message, at: nil, help: help)))
  }

  mutating func fail(_ exitCode: Int32, _ code: DiagnosticCode, _ message: String, help: String? = nil) {
    diagnostics.append(ReqrunKit.Diagnostic(.error(code, message, at: nil, help: help)))
    self.exitCode = exitCode
  }
}

extension Runner {
  /// The maximum number of requests of an import, which stand in memory all at once.
  private static let maxRequests = 100_000

  /// Makes specs of the files of another tool. Nothing in them is executed.
  public static func importSpecs(_ options: ImportOptions) async -> ImportResult {
    var result = ImportResult()
    let updates = [.updated, .compared].contains(options.existing)
    guard !updates || checkUpdate(options, &result) else { return result }
    var files = ImportFiles()
    guard let kind = await files.read(options, into: &result) else { return result }
    let earlier = updates ? EarlierImport(for: &files, options, kind, &result) : nil
    if updates, earlier == nil { return result }
    var selection = ImportSelection()
    selection.hosts = options.hosts
    selection.types = options.types
    selection.hasBoundaries = options.hasBoundaries || earlier?.hasBoundaries ?? false
    selection.hasDirectory = options.directory != nil
    if updates { selection.exampleTime = EarlierImport.exampleTime }
    let existing = options.existing == .completed ? knownRequests(options.directory ?? ".") : KnownRequests()
    // A project that exists stays as it is.
    selection.isTogether = !existing.isEmpty
    var bag = DiagnosticBag()
    var read = kind.read(files.sources, selection, &bag)
    files.explainErrors(in: &bag)
    let name = files.name
    // Nothing large stays in memory beside what it becomes.
    files = ImportFiles()
    result.diagnostics += bag.diagnostics.map { ReqrunKit.Diagnostic($0) }
    if bag.hasErrors { result.exitCode = 2 }
    if updates, read?.isCut ?? false {
      result.failCut()
      return result
    }
    guard var collection = read.take() else {
      if !bag.hasErrors {
        result.fail(
          2, .importSource, "there is nothing to import in \(options.paths.joined(separator: ", "))",
          help: "export it again, with its requests")
      }
      return result
    }
    result.leftOut += collection.leftOut
    if options.existing == .completed { result.known = existing.complete(&collection) }
    let count = collection.files.reduce(0) { $0 + $1.requests.count }
    guard count <= maxRequests else {
      result.fail(
        2, .limitExceeded, "the files have \(count) requests, more than the \(maxRequests) of an import",
        help: "import them in parts")
      return result
    }
    let hasValuesAlone = count == 0 && !(collection.environments.isEmpty && collection.variables.isEmpty)
    let taken = collection.takenPaths
    let composed = SpecComposer.compose(consume collection)
    result.requests = composed.requests
    var known: Set<String> = []
    result.environment = (composed.secrets.map(\.name) + composed.missing).filter { known.insert($0).inserted }
    let counts = Dictionary(composed.untranslated.map { ($0.reason, 1) }, uniquingKeysWith: +)
    result.untranslated = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    guard result.requests > 0 else {
      if result.exitCode != 0 || !result.known.isEmpty { return result }
      let reasons = result.untranslated.map { "\($0.reason) (\($0.count))" }.joined(separator: ", ")
      if hasValuesAlone {
        result.fail(
          4, .importSource, "no request was found: the file has variables alone",
          help: "import it together with its requests: `reqrun import \(name ?? "KIND") FILE ENVIRONMENT`")
        return result
      }
      let part = composed.untranslated.first.map { concealed($0.source).prefix(200) }
      result.fail(
        4, .importSource, reasons.isEmpty ? "no request was found" : "no request was found; not translated: \(reasons)",
        help: part.map { "the first: \(sanitizedForTerminal(String($0)))" }
          ?? "`reqrun help import` names the kinds and what they are")
      return result
    }
    if let earlier {
      earlier.update(to: composed, options, &result)
    } else {
      deliver(composed, options, besides: taken, &result)
    }
    if options.isStrict, result.exitCode == 0, !result.untranslated.isEmpty { result.exitCode = 1 }
    return result
  }

  /// The requests of the specs below a directory.
  private static func knownRequests(_ directory: String) -> KnownRequests {
    var known = KnownRequests()
    var walk = DirectoryWalk()
    for path in walk.files(below: directory, leavingOut: { $0.hasPrefix(".") || $0 == "node_modules" }) {
      let isSpec = path.hasSuffix(".yaml") || path.hasSuffix(".yml")
      known.add(path, isSpec ? try? readFile("\(directory)/\(path)", limit: SpecLoader.sizeLimit).get() : nil)
    }
    return known
  }

  /// - Parameter taken: the files that exist.
  private static func deliver(
    _ composed: ComposedImport, _ options: ImportOptions, besides taken: Set<String>, _ result: inout ImportResult
  ) {
    guard let directory = options.directory else {
      if composed.files.count == 1 { return result.text = composed.files[0].bytes }
      return result.fail(
        5, .invalidOption, "this becomes \(counted(composed.files.count, "file")), which need a directory",
        help: "give one with -o DIRECTORY")
    }
    let copies = copies(
      of: composed.sentFiles, from: options.paths, except: Set(composed.files.map(\.path)).union(taken), into: &result)
    let isOpenAPI = composed.files.contains { $0.path.hasPrefix(OpenAPICopies.folder + "/") }
    let written = writeFiles(
      composed.files + copies, to: directory, replaces: options.existing == .replaced,
      otherwise: isOpenAPI
        ? "write --update for the changes of the document alone, or give another directory, or --force" : nil)
    result.files = written.paths
    if let problem = written.problem {
      result.diagnostics.append(problem)
      result.exitCode = 5
    }
  }
}
