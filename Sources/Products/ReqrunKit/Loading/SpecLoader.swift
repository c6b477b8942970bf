import OperatingSystem
import RequestSpecs
import SpecExecution
import Values

/// Finds the files that the arguments name, reads each once, and those that they extend.
package struct SpecLoader {
  package static let sizeLimit = 256 << 20
  /// The maximum length of a chain of files that extend each other.
  static let longestChain = 32

  var specs: [LoadedSpec] = []
  /// The specs that others use or need, by canonical path.
  var reused: [String: LoadedSpec] = [:]
  /// The circles of files that use or need each other, which are reported once.
  var reportedCircles: Set<Set<String>> = []
  var bag = DiagnosticBag()
  /// The number of files that could not be read, or are too invalid to be planned.
  var unreadableFiles = 0
  /// Files that could not be read, with the error, which has no place in them.
  var unplacedProblems: [(path: String, error: Values.Diagnostic)] = []
  /// Indicates whether there is a project file with errors.
  var hasBrokenProject = false
  /// The files read, by canonical path; nil for unreadable ones.
  var read: [String: LoadedFile?] = [:]
  /// The indices of the specs in `specs`, by canonical path.
  private var places: [String: Int] = [:]
  /// The canonical paths of files, by their paths.
  private var keys: [String: String] = [:]
  /// The paths at which there is no project file.
  var withoutProject: Set<String> = []
  /// The directories that are in no project.
  var directoriesWithoutProject: Set<String> = []
  var directoryWalk = DirectoryWalk()
  /// The directories that were searched for specs, by canonical path.
  var visitedDirectories: Set<String> { directoryWalk.visited }
  /// The directories among the arguments that contain no specs.
  var emptyDirectories: [String] = []
  /// The directory that contains all specs that arguments name; nil allows any.
  let root: FileAccess?
  /// The files that the spec at a path may name.
  let fileAccess: @Sendable (_ spec: String) -> FileAccess
  let usedFiles: UsedFiles?
  /// `--env`
  let environment: String?
  /// The environments of the projects, by the paths of their files.
  var environments: [String: ProjectEnvironments] = [:]
  /// The names of the environments of all projects, in order.
  var environmentNames: [String] = []
  /// The files that the spec being loaded may extend.
  var extending = FileAccess(root: "")
  /// The specs in memory, by their names.
  var texts: [String: [UInt8]] = [:]
  /// The texts of open files, by canonical path.
  let openTexts: [String: [UInt8]]
  /// Indicates whether contracts that were named are checked by themselves.
  let takesContracts: Bool
  private(set) var contractPaths: [String] = []
  /// The files found by the arguments, in order.
  var found: [Found] = []
  /// Files that were read in parallel, before they are processed in order.
  var readings: [String: Reading] = [:]
  /// YAML files in directories that aren't specs.
  var passedOver: [(path: String, walk: String)] = []
  /// The files to run; nil runs all.
  let selection: FileSelection?
  /// The number of files that the arguments name and the selection leaves out.
  var leftOutFiles = 0
  /// The files from which the selection selects, in their order; empty without one.
  var allPaths: [String] = []

  enum Found {
    /// - Parameter walk: the directory among the arguments that contains it; nil for an argument.
    case file(String, line: Int?, walk: String?)
    case missing(String)
  }

  init(_ options: RunOptions, selection: FileSelection? = nil) {
    root = options.rootAccess
    fileAccess = options.fileAccess
    usedFiles = options.usedFiles
    environment = options.environment
    openTexts = options.openTexts
    takesContracts = options.contractUse != .rejected
    self.selection = selection
  }

  mutating func load(_ sources: [SpecSource]) async {
    for source in sources {
      switch source {
      case .path(let path): find(path)
      case .text(let text, let name):
        if texts.updateValue(Array(text.utf8), forKey: name) != nil {
          bag.error(
            .conflictingNames, "several specs in memory have the name \"\(name)\"", at: nil, help: "give each its own")
          unreadableFiles += 1
        }
        found.append(.file(name, line: nil, walk: nil))
      }
    }
    if selection?.readsContents != true { selectFiles() }
    await readAhead()
    if selection?.readsContents == true { selectFiles() }
    for entry in found {
      switch entry {
      case .file(let path, let line, let walk): loadFile(path, line: line, walk: walk)
      case .missing(let argument): reportMissing(argument)
      }
    }
    loadReused()
    reportSkipped()
  }

  private mutating func loadFile(_ path: String, line: Int?, walk: String?) {
    let key = key(of: path)
    let isNamed = walk == nil
    if let walk, !mayRead(path, below: walk) {
      unreadableFiles += 1
      return
    }
    if let place = places[key] {
      // A file that is also named without lines runs completely.
      if let line, !specs[place].lines.isEmpty { specs[place].lines.append(line) } else { specs[place].lines = [] }
      return
    }
    // Valid ones have nothing to run.
    if !isNamed, readings[path]?.bag.hasErrors ?? true, isEnvironmentFile(path, key) { return }
    if isNamed, texts[path] == nil, let dot = path.lastIndex(of: "."),
      let format = ImportFormat(fileExtension: path[path.index(after: dot)...])
    {
      return refuse(path, format)
    }
    if isNamed, path.hasSuffix(".feature") {
      return refuse(
        path, .notASpec, "\(path) is not a spec, but a feature of Karate",
        help: "`reqrun help from-karate` shows its steps as specs")
    }
    switch readOnce(path) {
    case .spec(let file)?:
      // A file with shared parts only, such as common.yaml, has nothing to run.
      if !file.hasErrors, file.allRequests.isEmpty {
        guard let key = file.ownKeys.first(where: { $0.value == "requests" }) else { return }
        bag.error(
          .nothingToRun, "`requests` is empty: nothing would run", at: key.range,
          help: "write a request, at least `- url: …`")
        unreadableFiles += 1
        return
      }
      let spec = loaded(file, lines: line.map { [$0] } ?? [], failed: selection?.failed?[key])
      places[key] = specs.count
      specs.append(spec)
    case .other(let instead, let tool)?:
      if let walk {
        passedOver.append((path, walk))
        return
      }
      if let format = tool.flatMap(ImportFormat.init) { return refuse(path, format) }
      refuse(
        path, .notASpec, "\(path) is not a spec: \(instead)",
        help: "leave it out of the arguments, or write `requests:`")
    case .contract?:
      guard isNamed else { return }
      if takesContracts {
        contractPaths.append(path)
        return
      }
      refuse(
        path, .notASpec, "\(path) is not a spec, but an OpenAPI document",
        help: "name it by `openapi: …` at the top of a spec")
    case .project(let project)?: _ = environments(of: project)
    case nil: break
    }
  }

  private mutating func refuse(_ path: String, _ format: ImportFormat) {
    refuse(
      path, .notASpec, "\(path) is not a spec, but \(format.file)",
      help: "make specs of it: `reqrun import \(format.rawValue) \(path) -o specs`")
  }

  /// Returns whether a file that nobody named is in the directory that it was found in, or below the file root: a link
  /// may lead elsewhere.
  mutating func mayRead(_ path: String, below directory: String) -> Bool {
    if (try? FileAccess(root: directory).locate(path, beside: "")) != nil { return true }
    do throws(DecodingProblem) {
      _ = try fileAccess(directory + "/").locate(path, beside: "")
      return true
    } catch {
      bag.error(error.code, error.message, at: nil, help: error.help)
      return false
    }
  }

  /// The canonical path of a file, or its path if it has none.
  mutating func key(of path: String) -> String {
    if let key = keys[path] { return key }
    let key = canonicalPath(path) ?? path
    keys[path] = key
    return key
  }

  mutating func readOnce(_ path: String) -> LoadedFile? {
    let key = key(of: path)
    if let known = read[key] { return known }
    let found = readFirst(path)
    read[key] = .some(found)
    return found
  }

  /// The open texts that are specs or project files, by canonical path.
  var openSpecs: Set<String> {
    Set(openTexts.keys.filter { read[$0]??.foreignDescription == nil && read[$0] ?? nil != nil })
  }

  /// The open texts that are not even YAML.
  var unreadableTexts: Set<String> { Set(openTexts.keys.filter { read[$0].map { $0 == nil } ?? false }) }

  /// The text of a file that is in memory or open; nil reads it.
  mutating func text(of path: String) -> [UInt8]? {
    texts[path] ?? (openTexts.isEmpty ? nil : openTexts[key(of: path)])
  }

  private mutating func readFirst(_ path: String) -> LoadedFile? {
    let reading =
      readings.removeValue(forKey: path)
      ?? Reading(of: path, text(of: path), asProject: isProjectName(path))
    bag.add(contentsOf: reading.bag.diagnostics)
    if isProjectName(path), reading.bag.hasErrors { hasBrokenProject = true }
    guard reading.isReadable else {
      unplacedProblems += reading.bag.diagnostics.map { (path, $0) }
      unreadableFiles += 1
      return nil
    }
    let (own, found) = (reading.bag, reading.file)
    guard own.hasErrors else { return found }
    if case .spec? = found { return found }
    // A spec with errors is checked further, and counted when it cannot be planned.
    unreadableFiles += 1
    if case .project? = found { return found }
    return nil
  }
}

extension EnvironmentEntry {
  /// The file of one person beside that of the environment; `env/NAME.private.yaml` for one in place.
  var privateFile: Located<String> {
    guard case .file(let file) = content else {
      return Located("env/\(name.value).private.yaml", at: name.range)
    }
    let ending = [".yaml", ".yml"].first { file.value.hasSuffix($0) } ?? ""
    return Located("\(file.value.dropLast(ending.count)).private\(ending.isEmpty ? ".yaml" : ending)", at: file.range)
  }

  /// Returns whether the environment declares a name, as far as its files can be read.
  func declares(_ name: String, in access: FileAccess, beside project: String) -> Bool {
    var files = [privateFile.value]
    switch content {
    case .inPlace(let spec): if spec.names.contains(name) { return true }
    case .file(let file): files.append(file.value)
    }
    return files.contains { path in
      var ignored = DiagnosticBag()
      guard let bytes = try? access.read(path, beside: project) else { return false }
      return EnvironmentSpec.read(bytes: bytes, path: path, into: &ignored)?.names.contains(name) ?? false
    }
  }
}

/// One file as it was read, before it is combined with others.
struct Reading: Sendable {
  var bag = DiagnosticBag()
  var file: LoadedFile?
  var isReadable = true

  /// The number of its requests, rows not counted; at least one if there are errors, which may hide them.
  var requestCount: Int {
    var count = 0
    if case .spec(let spec)? = file { count = spec.allRequests.count }
    return bag.hasErrors || file == nil ? max(1, count) : count
  }

  /// - Parameter text: replaces the file's content.
  init(of path: String, _ text: [UInt8]?, asProject: Bool) {
    switch text.map({ .success($0) })
      ?? readFile(path == standardInputPath ? "/dev/stdin" : path, limit: SpecLoader.sizeLimit)
    {
    case .failure(let problem):
      bag.error(
        .unreadableFile, "\(path == standardInputPath ? "standard input" : path) cannot be read: \(problem.reason)",
        at: nil)
      isReadable = false
    case .success(let bytes):
      file = LoadedFile.read(bytes: bytes, path: path, asProject: asProject, into: &bag)
    }
  }
}
