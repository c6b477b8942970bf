import Diagnostics
import OperatingSystem
import RequestSpecs
import RunPlanning
import RunScopes
import SpecExecution
import SpecExports

/// Finds the files that the arguments name, reads each once, and those that they extend.
struct SpecLoader {
  static let sizeLimit = 256 << 20
  /// The maximum length of a chain of files that extend each other.
  private static let longestChain = 32

  var specs: [LoadedSpec] = []
  /// The specs that others use or need, by canonical path.
  var reused: [String: LoadedSpec] = [:]
  /// The circles of files that use or need each other, which are reported once.
  var toldCircles: Set<Set<String>> = []
  var bag = DiagnosticBag()
  /// The number of files that could not be read, or are too invalid to be planned.
  private(set) var unreadableFiles = 0
  /// Files that could not be read, with the error, which has no place in them.
  private(set) var unplacedProblems: [(path: String, error: Diagnostics.Diagnostic)] = []
  /// Indicates whether there is a project file with errors.
  private(set) var hasBrokenProject = false
  /// The files read, by canonical path; nil for unreadable ones.
  private var read: [String: LoadedFile?] = [:]
  /// The indices of the specs in `specs`, by canonical path.
  private var places: [String: Int] = [:]
  private var directoryWalk = DirectoryWalk()
  /// The directories that were searched for specs, by canonical path.
  var visitedDirectories: Set<String> { directoryWalk.visited }
  /// The directories among the arguments that contain no specs.
  private(set) var emptyDirectories: [String] = []
  /// The files that the spec at a path may name.
  let fileAccess: @Sendable (_ spec: String) -> FileAccess
  private let usedFiles: UsedFiles?
  /// `--env`
  private let environment: String?
  /// The environments of the projects, by the paths of their files.
  private var environments: [String: ProjectEnvironments] = [:]
  /// The names of the environments of all projects, in order.
  private(set) var environmentNames: [String] = []
  private let rewriting: (any SourceRewriting)?
  /// The files that the spec being loaded may extend.
  private var extending = FileAccess(root: "")
  /// The specs in memory, by their names.
  private var texts: [String: [UInt8]] = [:]
  /// The files found by the arguments, in order.
  private var found: [Found] = []
  /// Files that were read in parallel, before they are processed in order.
  private var readings: [String: Reading] = [:]
  /// YAML files in directories that aren't specs.
  private var passedOver: [(path: String, walk: String)] = []
  /// The files to run; nil runs all.
  private let selection: FileSelection?
  /// The number of files that the arguments name and the selection leaves out.
  private(set) var leftOutFiles = 0
  /// The files from which the selection selects, in their order; empty without one.
  private(set) var allPaths: [String] = []

  private enum Found {
    /// - Parameter walk: the directory among the arguments that contains it; nil for an argument.
    case file(String, line: Int?, walk: String?)
    case missing(String)
  }

  init(_ options: RunOptions, selection: FileSelection? = nil) {
    fileAccess = options.fileAccess
    usedFiles = options.usedFiles
    environment = options.environment
    rewriting = options.rewriting
    self.selection = selection
  }

  mutating func load(_ sources: [SpecSource]) async {
    for source in sources {
      switch source {
      case .path(let path): find(path)
      case .text(let text, let name):
        if texts.updateValue(Array(text.utf8), forKey: name) != nil {
          bag.error("several specs in memory have the name \"\(name)\"", at: nil, help: "give each its own")
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
      case .missing(let argument): tellMissing(argument)
      }
    }
    loadReused()
    tellPassedOver()
  }

  /// The files that arguments name, each once, and whether they were named or found in a directory.
  mutating func paths(of sources: [SpecSource]) -> [(path: String, isNamed: Bool)] {
    for case .path(let path) in sources { find(path) }
    var paths: [(path: String, isNamed: Bool)] = []
    var known: Set<String> = []
    for entry in found {
      switch entry {
      case .file(let path, _, let walk):
        if known.insert(canonicalPath(path) ?? path).inserted { paths.append((path, walk == nil)) }
      case .missing(let argument): tellMissing(argument)
      }
    }
    return paths
  }

  private mutating func tellMissing(_ argument: String) {
    refuse(
      argument, "there is no file or directory \"\(argument)\"", help: MissingFile(argument, in: ".").help)
  }

  /// Reports a file that cannot be a spec at all.
  private mutating func refuse(_ path: String, _ message: String, help: String?) {
    let error = Diagnostics.Diagnostic.error(message, at: nil, help: help)
    bag.add(error)
    unplacedProblems.append((path, error))
    unreadableFiles += 1
  }

  /// Reports the files that were found but aren't run, once.
  private mutating func tellPassedOver() {
    guard !passedOver.isEmpty else { return }
    // Directories with only these are empty.
    var rest: [String: Int] = [:]
    for case .file(_, _, let walk?) in found { rest[walk, default: 0] += 1 }
    for (_, walk) in passedOver { rest[walk, default: 0] -= 1 }
    emptyDirectories += rest.filter { $0.value == 0 }.keys.sorted()
    let most = 5
    let names = passedOver.prefix(most).map(\.path).joined(separator: ", ")
    let others = passedOver.count - most
    bag.warning("passed over, for they are no specs: \(names)" + (others > 0 ? " and \(others) more" : ""), at: nil)
  }

  private mutating func find(_ argument: String) {
    if argument == standardInputPath {
      found.append(.file(argument, line: nil, walk: nil))
      return
    }
    switch pathKind(argument) {
    case .directory:
      let count = found.count
      findFiles(in: argument, walk: argument)
      if found.count == count { emptyDirectories.append(argument) }
    case .file where isPrivateName(argument):
      refuse(
        argument, "\(argument) is the private file of an environment",
        help: "it is read with the environment that `--env` chooses; leave it out of the arguments")
    // A path that isn't a regular file is reported when it is read.
    case .file, .other: found.append(.file(argument, line: nil, walk: nil))
    case .nothing:
      if let (path, line) = fileAndLine(argument) {
        found.append(.file(path, line: line, walk: nil))
      } else {
        found.append(.missing(argument))
      }
    }
  }

  /// Leaves out the files that the selection does; errors in them are for the runs that they belong to.
  private mutating func selectFiles() {
    guard let selection else { return }
    var paths: [String: String] = [:]
    var seen: Set<String> = []
    var files: [(path: String, isSpec: Bool)] = []
    for case .file(let path, _, _) in found where paths[path] == nil {
      let place = canonicalPath(path) ?? path
      if seen.insert(place).inserted {
        files.append((place, readings[path]?.isSpec ?? true))
        allPaths.append(path)
      }
      paths[path] = place
    }
    let selected = selection.selected(among: files)
    leftOutFiles = files.count - selected.count
    found.removeAll { entry in
      if case .file(let path, _, _) = entry { !selected.contains(paths[path] ?? path) } else { false }
    }
  }

  /// Reads several files in parallel: most of the work of loading is independent.
  private mutating func readAhead() async {
    let paths = Set(found.compactMap { if case .file(let path, _, _) = $0 { path } else { nil } })
    // An export numbers values in the order in which files are read.
    guard paths.count > 1, rewriting == nil else { return }
    readings = await withTaskGroup(of: (String, Reading).self) { group in
      for path in paths {
        let asProject = isProjectName(path)
        let text = texts[path]
        group.addTask { [rewriting] in (path, Reading(of: path, text, asProject: asProject, rewriting)) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  /// `FILE:LINE`, or `FILE:LINE:COLUMN` as in messages.
  private func fileAndLine(_ argument: String) -> (String, Int)? {
    guard let (path, number) = pathAndNumber(argument) else { return nil }
    if isFile(path) { return (path, number) }
    guard let (file, line) = pathAndNumber(path), isFile(file) else { return nil }
    return (file, line)
  }

  private func pathAndNumber(_ text: String) -> (String, Int)? {
    guard let colon = text.lastIndex(of: ":"), let number = Int(text[text.index(after: colon)...]), number > 0 else {
      return nil
    }
    return (String(text[..<colon]), number)
  }

  private func isFile(_ path: String) -> Bool { path == standardInputPath || pathKind(path) == .file }

  private mutating func findFiles(in directory: String, walk: String) {
    let names = directoryWalk.files(below: directory) { $0.hasPrefix(".") || $0.hasPrefix("_") }
    let base = directory == "." ? "" : directory.hasSuffix("/") ? directory : directory + "/"
    for name in names where isSpecName(name) && !isPrivateName(name) {
      found.append(.file(base + name, line: nil, walk: walk))
    }
  }

  private mutating func loadFile(_ path: String, line: Int?, walk: String?) {
    let key = canonicalPath(path) ?? path
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
    switch readOnce(path) {
    case .spec(let file)?:
      // A file with shared parts only, such as common.yaml, has nothing to run.
      if !file.hasErrors, file.allRequests.isEmpty {
        guard let key = file.ownKeys.first(where: { $0.value == "requests" }) else { return }
        bag.error("`requests` is empty: nothing would run", at: key.range, help: "write a request, at least `- url: …`")
        unreadableFiles += 1
        return
      }
      let bases = bases(of: file)
      let (project, isReadable) = project(for: path)
      let environments = project.flatMap { self.environments(of: $0) }
      places[key] = specs.count
      specs.append(
        LoadedSpec(
          file: file, bases: bases ?? [], project: project, environments: environments, lines: line.map { [$0] } ?? [],
          failed: selection?.failed?[key],
          isComplete: bases != nil && isReadable && environments?.isComplete != false))
    case .other(let instead)?:
      if let walk {
        passedOver.append((path, walk))
        return
      }
      refuse(path, "\(path) is no spec: \(instead)", help: "leave it out of the arguments, or write `requests:`")
    case .contract?:
      guard isNamed else { return }
      refuse(
        path, "\(path) is no spec, but an OpenAPI document", help: "name it by `openapi: …` at the top of a spec")
    case .project(let project)?: _ = environments(of: project)
    case nil: break
    }
  }

  /// Returns whether a file that nobody named is in the directory that it was found in, or below the file root: a link
  /// may lead elsewhere.
  private mutating func mayRead(_ path: String, below directory: String) -> Bool {
    if (try? FileAccess(root: directory).locate(path, beside: "")) != nil { return true }
    do throws(DecodingProblem) {
      _ = try fileAccess(directory + "/").locate(path, beside: "")
      return true
    } catch {
      bag.error(error.message, at: nil, help: error.help)
      return false
    }
  }

  mutating func readOnce(_ path: String) -> LoadedFile? {
    let key = canonicalPath(path) ?? path
    if let known = read[key] { return known }
    let found = readFirst(path)
    read[key] = .some(found)
    return found
  }

  private mutating func readFirst(_ path: String) -> LoadedFile? {
    let reading =
      readings.removeValue(forKey: path)
      ?? Reading(
        of: path, texts[path], asProject: isProjectName(path), rewriting)
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

  // MARK: What belongs to a spec

  /// The files that a file extends, lowest first, each once; nil if one of them is unavailable.
  mutating func bases(of file: SpecFile) -> [SpecFile]? {
    if !file.extends.isEmpty { extending = fileAccess(file.path) }
    var result: [SpecFile] = []
    var seen: Set<String> = []
    return collect(file, chain: [canonicalPath(file.path) ?? file.path], &seen, &result) ? result : nil
  }

  private mutating func collect(
    _ file: SpecFile, chain: [String], _ seen: inout Set<String>, _ result: inout [SpecFile]
  ) -> Bool {
    var isComplete = true
    for base in file.extends {
      guard let (path, key) = locate(base, beside: file.path, in: extending) else {
        isComplete = false
        continue
      }
      if chain.contains(key) {
        bag.error("the files extend each other in a circle", at: base.range)
        isComplete = false
        continue
      }
      guard chain.count <= SpecLoader.longestChain else {
        bag.error(
          "more than \(SpecLoader.longestChain) files extend each other, one after the other", at: base.range,
          help: "let one file extend several: `extends: [a.yaml, b.yaml]`")
        isComplete = false
        continue
      }
      guard seen.insert(key).inserted else { continue }
      switch readOnce(path) {
      case .spec(let found)?:
        isComplete = collect(found, chain: chain + [key], &seen, &result) && isComplete
        result.append(found)
        tellOwnKeys(of: found, at: base)
      case .other?, .contract?, .project?:
        bag.error(
          "\"\(base.value)\" has nothing to extend", at: base.range,
          help: "a file to extend has `variables`, `secrets` or `defaults`")
        isComplete = false
      case nil: isComplete = false
      }
    }
    return isComplete
  }

  /// Reports parts of an extended file that aren't inherited: a setup that never runs is an error.
  private mutating func tellOwnKeys(of file: SpecFile, at base: Located<String>) {
    let stages = file.ownKeys.filter { ["setup", "teardown"].contains($0.value) }
    let keys = stages.isEmpty ? file.ownKeys : stages
    // This may be the cause of the file's own errors.
    guard let first = keys.first, !file.hasErrors else { return }
    let names = keys.map { "`\($0.value)`" }.joined(separator: " and ")
    let message = "`extends` does not take over \(names) of \"\(base.value)\""
    let notes = [Diagnostics.Diagnostic.Note("it stands here", at: first.range)]
    let help =
      "it takes `variables`, `secrets`, `openapi` and `defaults`: put what both files share into a file that has only these"
    if stages.isEmpty {
      bag.warning(message, at: base.range, notes: notes, help: help)
    } else {
      bag.error(message, at: base.range, notes: notes, help: help + ", and repeat the requests here")
    }
  }

  /// The location of a file that another one names: its path for messages, and the canonical one.
  mutating func locate(
    _ base: Located<String>, beside file: String, in access: FileAccess
  ) -> (path: String, key: String)? {
    do throws(DecodingProblem) {
      let key = try access.locate(base.value, beside: file)
      guard isRegularFile(key) else {
        throw DecodingProblem(
          "\"\(base.value)\" is no regular file", help: "name a file, not a directory, a pipe or a device")
      }
      return (path(base.value, beside: file), key)
    } catch {
      bag.error(error.message, at: base.range, help: error.help)
      return nil
    }
  }

  /// The project file in a spec's directory or above it, and whether it could be read if there is one.
  mutating func project(for path: String) -> (file: ProjectFile?, isReadable: Bool) {
    guard let absolute = canonicalPath(directory(of: path)) else { return (nil, true) }
    var folder = absolute
    while true {
      for name in projectFileNames {
        let candidate = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        usedFiles?.add(candidate, of: path)
        guard isProjectFile(candidate) else { continue }
        guard mayRead(pathFromHere(candidate), below: folder) else {
          hasBrokenProject = true
          return (nil, false)
        }
        if case .project(let project)? = readOnce(pathFromHere(candidate)) { return (project, true) }
        return (nil, false)
      }
      if folder == "/" { return (nil, true) }
      folder = directory(of: folder)
    }
  }

  // MARK: Environments

  /// The environments of a project, and the files of the chosen one; nil if the project has none.
  mutating func environments(of project: ProjectFile) -> ProjectEnvironments? {
    let entries = project.environments
    if entries.isEmpty { return nil }
    if let known = environments[project.path] { return known }
    note(project)
    let name = environment ?? project.defaultEnvironment?.value
    let chosen = entries.last { $0.name.value == name }
    var specs: [EnvironmentSpec?] = []
    if let chosen {
      switch chosen.content {
      case .inPlace(let spec): specs.append(spec)
      case .file(let path): specs.append(environment(at: path, of: project))
      }
      let own = chosen.privateFile
      let path = path(own.value, beside: project.path)
      usedFiles?.add(path, of: project.path)
      if pathKind(path) != .nothing {
        specs.append(environment(at: own, of: project))
        if isReadableByOthers(path) {
          bag.warning(
            "others may read the secrets in \(path)", at: nil, help: "allow only yourself: chmod 600 \(path)")
        }
      }
    }
    let access = fileAccess(project.path)
    let declaring: @Sendable (String) -> [String] = { name in
      entries.filter { $0.declares(name, in: access, beside: project.path) }.map(\.name.value)
    }
    let found = ProjectEnvironments(
      chosen: chosen?.name, missing: chosen == nil ? environment : nil, layers: specs.compactMap { $0 },
      isComplete: !specs.contains { $0 == nil },
      declaring: declaring)
    environments[project.path] = found
    return found
  }

  /// Returns whether the project of a file has it for an environment.
  private mutating func isEnvironmentFile(_ path: String, _ key: String) -> Bool {
    guard !isProjectName(path), let project = project(for: path).file else { return false }
    return project.environments.contains { entry in
      guard case .file(let file) = entry.content else { return false }
      return canonicalPath(ReqrunKit.path(file.value, beside: project.path)) == key
    }
  }

  private mutating func note(_ project: ProjectFile) {
    for entry in project.environments where !environmentNames.contains(entry.name.value) {
      environmentNames.append(entry.name.value)
    }
  }

  /// The file of an environment; nil, with its errors reported, if it can't be read.
  private mutating func environment(at reference: Located<String>, of project: ProjectFile) -> EnvironmentSpec? {
    guard let (path, key) = locate(reference, beside: project.path, in: fileAccess(project.path)) else {
      return nil
    }
    switch readFile(key, limit: SpecLoader.sizeLimit) {
    case .success(let bytes): return EnvironmentSpec.read(bytes: bytes, path: path, into: &bag)
    case .failure(let problem):
      bag.error("\(path) cannot be read: \(problem.reason)", at: reference.range)
      return nil
    }
  }
}

extension EnvironmentEntry {
  /// The file of one person beside that of the environment; `env/NAME.private.yaml` for one in place.
  fileprivate var privateFile: Located<String> {
    guard case .file(let file) = content else {
      return Located("env/\(name.value).private.yaml", at: name.range)
    }
    let ending = [".yaml", ".yml"].first { file.value.hasSuffix($0) } ?? ""
    return Located("\(file.value.dropLast(ending.count)).private\(ending.isEmpty ? ".yaml" : ending)", at: file.range)
  }

  /// Returns whether the environment declares a name, as far as its files can be read.
  fileprivate func declares(_ name: String, in access: FileAccess, beside project: String) -> Bool {
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
private struct Reading: Sendable {
  var bag = DiagnosticBag()
  var file: LoadedFile?
  var isReadable = true

  /// Indicates whether it has requests, or errors that hide them.
  var isSpec: Bool {
    guard !bag.hasErrors, case let file? = file else { return true }
    if case .spec(let spec) = file { return !(spec.setup + spec.requests + spec.teardown).isEmpty }
    return false
  }

  /// - Parameter text: replaces the file's content.
  init(of path: String, _ text: [UInt8]?, asProject: Bool, _ rewriting: (any SourceRewriting)? = nil) {
    switch text.map({ .success($0) })
      ?? readFile(path == standardInputPath ? "/dev/stdin" : path, limit: SpecLoader.sizeLimit)
    {
    case .failure(let problem):
      bag.error(
        "\(path == standardInputPath ? "standard input" : path) cannot be read: \(problem.reason)", at: nil)
      isReadable = false
    case .success(let bytes):
      let bytes = rewriting?.replaced(bytes, path: path) ?? bytes
      file = LoadedFile.read(bytes: bytes, path: path, asProject: asProject, into: &bag)
    }
  }
}

func isProjectName(_ path: String) -> Bool { projectFileNames.contains(fileName(of: path)) }
