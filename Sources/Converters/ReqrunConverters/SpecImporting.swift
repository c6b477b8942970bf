import OperatingSystem
import ReqrunKit
import SpecExecution
import SpecImports
import Values

/// A kind of import, by the tool whose files it reads.
public struct ImportKind: Sendable {
  let format: ImportFormat

  /// The name by which the command line asks for it.
  public var name: String { format.rawValue }
  /// One line for help.
  public var summary: String { format.summary }

  /// All kinds.
  public static let all = ImportFormat.allCases.map { ImportKind(format: $0) }
}

extension ImportFormat {
  package var reader: ImportReader {
    switch self {
    case .curl: .curl
    case .har: .har
    case .postman: .postman
    case .insomnia: .insomnia
    case .openapi: .openapi
    case .http: .http
    case .hurl: .hurl
    case .bruno: .bruno
    }
  }
}

/// The choices of an import.
public struct ImportOptions: Sendable {
  /// One of ``ImportKind/all``; nil finds out the kind.
  public var kind: ImportKind?
  /// Files and directories; `-` is standard input.
  public var paths: [String] = []
  /// The directory for the specs, created if it doesn't exist; nil returns a single spec as text.
  public var directory: String?
  /// Indicates whether files that exist are replaced.
  public var replaces = false
  /// Indicates whether a part that cannot be translated is a failure.
  public var isStrict = false
  /// The hosts whose requests are taken of a recording; all if it is empty.
  public var hosts: [String] = []
  /// The types of responses, such as `json` or `text/html`, whose requests are taken of a recording; all if it is empty.
  public var types: [String] = []

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
  /// The files that requests send, and that could not be copied beside the specs.
  public internal(set) var missingFiles: [String] = []
  /// Problems with files and options.
  public internal(set) var diagnostics: [ReqrunKit.Diagnostic] = []
  /// The paths of the sources that could not be read, or have errors; the others are imported without them.
  public internal(set) var leftOut: [String] = []
  /// The exit code: 0, 1 a part could not be translated and had to be, 2 a file could not be read, 4 there is no
  /// request, 5 a file could not be written.
  public internal(set) var exitCode: Int32 = 0

  /// The result as the command prints it.
  public var summary: String {
    guard requests > 0 else { return "" }
    var text = counted(requests, "request")
    if !files.isEmpty {
      let others = files.count > 12 ? " and \(files.count - 10) more" : ""
      let names = files.prefix(others.isEmpty ? 12 : 10).joined(separator: ", ")
      text += " in \(counted(files.count, "file")): \(names)\(others)"
    }
    text += "\n"
    if !environment.isEmpty { text += "read from the environment: \(environment.joined(separator: ", "))\n" }
    if !missingFiles.isEmpty { text += "put these files beside the specs: \(missingFiles.joined(separator: ", "))\n" }
    if !leftOut.isEmpty { text += "left out, with the errors above: \(leftOut.joined(separator: ", "))\n" }
    let count = untranslated.reduce(0) { $0 + $1.count }
    if count > 0 {
      text +=
        "not translated, and left as comments: \(untranslated.map { "\($0.reason) (\($0.count))" }.joined(separator: ", "))\n"
    }
    return withoutWorkflowCommands(sanitizedForTerminal(text, keepingLineBreaks: true))
  }

  mutating func warn(_ code: DiagnosticCode, _ message: String, help: String) {
    diagnostics.append(ReqrunKit.Diagnostic(.warning(code, message, at: nil, help: help)))
  }

  fileprivate mutating func fail(_ exitCode: Int32, _ code: DiagnosticCode, _ message: String, help: String? = nil) {
    diagnostics.append(ReqrunKit.Diagnostic(.error(code, message, at: nil, help: help)))
    self.exitCode = exitCode
  }
}

extension Runner {
  /// The maximum number of requests of an import, which stand in memory all at once.
  private static let maxRequests = 100_000

  /// Makes specs of the files of another tool. Nothing in them is executed.
  public static func importSpecs(_ options: ImportOptions) -> ImportResult {
    var result = ImportResult()
    var files = ImportFiles()
    guard let kind = files.read(options, into: &result) else { return result }
    var selection = ImportSelection()
    selection.hosts = options.hosts
    selection.types = options.types
    var bag = DiagnosticBag()
    var read = kind.read(files.sources, selection, &bag)
    files.explainErrors(in: &bag)
    let name = files.name
    // Nothing large stays in memory beside what it becomes.
    files = ImportFiles()
    result.diagnostics += bag.diagnostics.map { ReqrunKit.Diagnostic($0) }
    if bag.hasErrors { result.exitCode = 2 }
    guard let collection = read.take() else {
      if !bag.hasErrors {
        result.fail(
          2, .importSource, "there is nothing to import in \(options.paths.joined(separator: ", "))",
          help: "export it again, with its requests")
      }
      return result
    }
    result.leftOut += collection.leftOut
    let count = collection.files.reduce(0) { $0 + $1.requests.count }
    guard count <= maxRequests else {
      result.fail(
        2, .limitExceeded, "the files have \(count) requests, more than the \(maxRequests) of an import",
        help: "import them in parts")
      return result
    }
    let hasValuesAlone = count == 0 && !(collection.environments.isEmpty && collection.variables.isEmpty)
    let composed = SpecComposer.compose(consume collection)
    result.requests = composed.requests
    var known: Set<String> = []
    result.environment = (composed.secrets.map(\.name) + composed.missing).filter { known.insert($0).inserted }
    let counts = Dictionary(composed.untranslated.map { ($0.reason, 1) }, uniquingKeysWith: +)
    result.untranslated = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    guard result.requests > 0 else {
      if result.exitCode != 0 { return result }
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
    if let directory = options.directory {
      let copies = copies(
        of: composed.sentFiles, from: options.paths, except: Set(composed.files.map(\.path)), into: &result)
      let written = writeFiles(composed.files + copies, to: directory, replaces: options.replaces)
      result.files = written.paths
      if let problem = written.problem {
        result.diagnostics.append(problem)
        result.exitCode = 5
      }
    } else if composed.files.count == 1 {
      result.text = composed.files[0].bytes
    } else {
      result.fail(
        5, .invalidOption, "this becomes \(counted(composed.files.count, "file")), which need a directory",
        help: "give one with -o DIRECTORY")
    }
    if options.isStrict, result.exitCode == 0, !result.untranslated.isEmpty { result.exitCode = 1 }
    return result
  }
}

/// The files of another tool.
private struct ImportFiles {
  private(set) var sources: [ImportSource] = []
  /// The name of the kind that was found out.
  private var taken: String?
  /// The kind that was given.
  private var given: ImportFormat?

  /// The name of the kind.
  var name: String? { given?.rawValue ?? taken }
  private var walk = DirectoryWalk()
  /// The bytes that may still be read.
  private var room = SpecLoader.sizeLimit

  /// Reads the files, and returns their kind.
  mutating func read(_ options: ImportOptions, into result: inout ImportResult) -> ImportReader? {
    given = options.kind?.format
    if given == nil, let path = options.paths.first, pathKind(path) == .nothing,
      let near = nearestWord(to: path, among: ImportFormat.allCases.map(\.rawValue))
    {
      result.fail(
        2, .missingFile, "there is no kind of import \"\(path)\", nor a file of that name",
        help: "did you mean \(near)?")
      return nil
    }
    let given = given?.reader
    let kinds = given.map { [$0] } ?? ImportFormat.allCases.map(\.reader)
    let extensions = Set(kinds.flatMap(\.extensions))
    for path in options.paths {
      switch pathKind(path) {
      case .directory: readDirectory(path, extensions, &result)
      case .nothing where path != standardInputPath:
        result.fail(2, .missingFile, "there is no file or directory \"\(path)\"", help: MissingFile(path, in: ".").help)
        result.leftOut.append(path)
      default: readFile(path, &result)
      }
    }
    if sources.isEmpty {
      if result.exitCode == 0 {
        result.fail(
          2, .importSource, "there is nothing to import below \(options.paths.joined(separator: ", "))",
          help: "files to import end with \(extensions.sorted().map { ".\($0)" }.joined(separator: ", "))")
      }
      return nil
    }
    if let given { return given }
    if let format = ImportFormat.allCases.first(where: { sources.contains(where: $0.reader.recognizes) }) {
      taken = format.rawValue
      return format.reader
    }
    let names = ImportFormat.allCases.map(\.rawValue).joined(separator: ", ")
    var bag = DiagnosticBag()
    for source in sources.prefix(3) {
      source.explainUnknownKind(help: "name it: `reqrun import KIND FILE`, with one of \(names)", into: &bag)
    }
    result.diagnostics += bag.diagnostics.map { ReqrunKit.Diagnostic($0) }
    result.exitCode = 2
    return nil
  }

  /// Adds to errors what the files were taken for, or what they look like.
  func explainErrors(in bag: inout DiagnosticBag) {
    guard bag.hasErrors else { return }
    if let given, let first = sources.first, !sources.contains(where: given.reader.recognizes),
      let other = ImportFormat.allCases.first(where: { sources.contains(where: $0.reader.recognizes) })
    {
      bag = DiagnosticBag()
      bag.error(
        .importSource,
        "\(sanitizedForTerminal(first.path)) is not of the kind \(given.rawValue): it looks like one of \(other.rawValue)",
        at: nil, help: "write `reqrun import \(other.rawValue) \(sanitizedForTerminal(first.path))`")
    }
    // The name of a file, or what it begins with, says what it is.
    let isGuess = sources.contains { ["", "txt"].contains($0.fileExtension) }
    guard let taken, isGuess else { return }
    bag.warning(
      .importSource, "the files were taken for those of `import \(taken)`", at: nil,
      help: "name the kind if they are of another: `reqrun import KIND FILE`")
  }

  /// - Parameter name: the path below the directory that was given.
  private mutating func readFile(
    _ path: String, as name: String? = nil, below directory: String? = nil, _ result: inout ImportResult
  ) {
    let isInput = path == standardInputPath
    switch OperatingSystem.readFile(isInput ? "/dev/stdin" : path, limit: SpecLoader.sizeLimit) {
    case .success(let bytes) where bytes.count > room:
      if room >= 0 {
        result.fail(
          2, .limitExceeded, "the files are larger than \(SpecLoader.sizeLimit >> 20) MiB together",
          help: "import them in parts")
      }
      room = -1
      result.leftOut.append(isInput ? "standard input" : path)
    case .success(let bytes):
      room -= bytes.count
      sources.append(ImportSource(path: isInput ? "requests" : name ?? path, below: directory, bytes: bytes))
    case .failure(let problem):
      result.fail(2, .unreadableFile, "\(isInput ? "standard input" : path) cannot be read: \(problem.reason)")
      result.leftOut.append(isInput ? "standard input" : path)
    }
  }

  /// Reads the files below a directory that may be of a kind.
  private mutating func readDirectory(_ directory: String, _ extensions: Set<String>, _ result: inout ImportResult) {
    for name in walk.files(below: directory, leavingOut: { $0.hasPrefix(".") || $0 == "node_modules" }) {
      guard let dot = name.lastIndex(of: "."), extensions.contains(name[name.index(after: dot)...].lowercased())
      else { continue }
      readFile("\(directory)/\(name)", as: name, below: directory, &result)
    }
  }
}
