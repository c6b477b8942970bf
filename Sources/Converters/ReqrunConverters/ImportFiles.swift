import OperatingSystem
import ReqrunKit
import SpecExecution
import SpecImports
import Values

/// The files of another tool.
struct ImportFiles {
  var sources: [ImportSource] = []
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
  mutating func read(_ options: ImportOptions, into result: inout ImportResult) async -> ImportReader? {
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
      if path.hasPrefix("https://") || path.hasPrefix("http://") {
        await fetch(path, &result)
        continue
      }
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

  /// Reads the document at a URL, as a request reads it.
  private mutating func fetch(_ url: String, _ result: inout ImportResult) async {
    var options = RunOptions()
    let text = "url: '\(url.replacing("'", with: "''"))'\nexpect: {status: 200..<300}\n"
    options.specs = [.text(text, name: "import.yaml")]
    options.collectedDetails = [.bodies]
    let run = await Runner(options).run()
    guard let request = run.requests.first, !request.isFailure, let bytes = request.response?.body?.bytes() else {
      let problem = run.requests.first?.problem ?? run.diagnostics.first
      let reason = problem?.message ?? run.requests.first?.status.map { "its status is \($0)" } ?? "nothing was sent"
      result.fail(2, .unreadableFile, "\(concealed(url)) cannot be read: \(reason)")
      result.leftOut.append(concealed(url))
      return
    }
    let parts = url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    let origin = withoutUserinfo(parts.prefix(2).joined(separator: "//"))
    sources.append(ImportSource(path: parts.dropFirst(2).last.map(String.init) ?? "api", origin: origin, bytes: bytes))
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
