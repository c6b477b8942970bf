import OperatingSystem
import RequestSpecs
import SpecExecution
import Values

extension SpecLoader {
  /// The files that arguments name, each once, and whether they were named or found in a directory.
  mutating func paths(of sources: [SpecSource]) -> [(path: String, isNamed: Bool)] {
    for case .path(let path) in sources { find(path) }
    var paths: [(path: String, isNamed: Bool)] = []
    var known: Set<String> = []
    for entry in found {
      switch entry {
      case .file(let path, _, let walk):
        if known.insert(key(of: path)).inserted { paths.append((path, walk == nil)) }
      case .missing(let argument): reportMissing(argument)
      }
    }
    return paths
  }

  mutating func reportMissing(_ argument: String) {
    refuse(
      argument, .missingFile, "there is no file or directory \"\(argument)\"", help: MissingFile(argument, in: ".").help
    )
  }

  /// Reports a file that cannot be a spec at all.
  mutating func refuse(_ path: String, _ code: DiagnosticCode, _ message: String, help: String?) {
    let error = Values.Diagnostic.error(code, message, at: nil, help: help)
    bag.add(error)
    unplacedProblems.append((path, error))
    unreadableFiles += 1
  }

  /// Reports the files that were found but aren't run, once.
  mutating func reportSkipped() {
    guard !passedOver.isEmpty else { return }
    // Directories with only these are empty.
    var rest: [String: Int] = [:]
    for case .file(_, _, let walk?) in found { rest[walk, default: 0] += 1 }
    for (_, walk) in passedOver { rest[walk, default: 0] -= 1 }
    emptyDirectories += rest.filter { $0.value == 0 }.keys.sorted()
    let most = 5
    let names = passedOver.prefix(most).map(\.path).joined(separator: ", ")
    let others = passedOver.count - most
    bag.warning(.notASpec, "skipped: not specs: \(names)" + (others > 0 ? " and \(others) more" : ""), at: nil)
  }

  mutating func find(_ argument: String) {
    if argument == standardInputPath, root == nil {
      found.append(.file(argument, line: nil, walk: nil))
      return
    }
    let kind = pathKind(argument)
    if kind != .nothing, !isBelowRoot(argument) { return }
    switch kind {
    case .directory:
      let count = found.count
      findFiles(in: argument, walk: argument)
      if found.count == count { emptyDirectories.append(argument) }
    case .file where isPrivateName(argument):
      refuse(
        argument, .notASpec, "\(argument) is the private file of an environment",
        help: "it is read with the environment that `--env` chooses; leave it out of the arguments")
    // A path that isn't a regular file is reported when it is read.
    case .file, .other: found.append(.file(argument, line: nil, walk: nil))
    case .nothing:
      if let (path, line) = fileAndLine(argument) {
        guard isBelowRoot(path) else { return }
        found.append(.file(path, line: line, walk: nil))
      } else {
        found.append(.missing(argument))
      }
    }
  }

  /// Leaves out the files that the selection does; errors in them are for the runs that they belong to.
  mutating func selectFiles() {
    guard let selection else { return }
    var paths: [String: String] = [:]
    var seen: Set<String> = []
    var files: [(path: String, requests: Int)] = []
    for case .file(let path, _, _) in found where paths[path] == nil {
      let place = key(of: path)
      if seen.insert(place).inserted {
        files.append((place, readings[path]?.requestCount ?? 1))
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
  mutating func readAhead() async {
    let paths = Set(found.compactMap { if case .file(let path, _, _) = $0 { path } else { nil } })
    guard paths.count > 1 else { return }
    readings = await withTaskGroup(of: (String, Reading).self) { group in
      for path in paths {
        let asProject = isProjectName(path)
        let text = text(of: path)
        group.addTask { (path, Reading(of: path, text, asProject: asProject)) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  /// Returns whether specs may be at a path; reports it otherwise.
  private mutating func isBelowRoot(_ path: String) -> Bool {
    guard let root, (try? root.locate(path, beside: "")) == nil else { return true }
    refuse(
      path, .outsideFileRoot, "\(path) lies outside \(root.root ?? "the root")", help: "only specs below it are read")
    return false
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
    for name in names where isSpecName(name) && !isPrivateName(name) && isBelowRoot(base + name) {
      found.append(.file(base + name, line: nil, walk: walk))
    }
  }
}
