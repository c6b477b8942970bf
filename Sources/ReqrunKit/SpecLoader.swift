import Diagnostics
import OperatingSystem
import RequestSpecs
import RunPlanning

/// Finds the files that the arguments name, reads each once, and brings along what they extend.
struct SpecLoader {
  static let sizeLimit = 256 << 20

  private(set) var specs: [LoadedSpec] = []
  private(set) var bag = DiagnosticBag()
  /// Files that could not be read or are wrong.
  private(set) var unreadableFiles = 0
  private var read: [String: LoadedFile?] = [:]
  private var projects: [String: ProjectFile?] = [:]

  mutating func load(_ arguments: [String]) {
    for argument in arguments {
      switch pathKind(argument) {
      case .directory: loadDirectory(argument)
      case .file: loadFile(argument, lines: [], isNamed: true)
      case .nothing:
        if let (path, line) = fileAndLine(argument) {
          loadFile(path, lines: [line], isNamed: true)
        } else {
          bag.error("there is no file or directory \"\(argument)\"", at: nil)
          unreadableFiles += 1
        }
      }
    }
  }

  /// `FILE:LINE`
  private func fileAndLine(_ argument: String) -> (String, Int)? {
    guard let colon = argument.lastIndex(of: ":"), let line = Int(argument[argument.index(after: colon)...]), line > 0
    else { return nil }
    let path = String(argument[..<colon])
    return pathKind(path) == .file ? (path, line) : nil
  }

  private mutating func loadDirectory(_ directory: String) {
    let base = directory.hasSuffix("/") ? String(directory.dropLast()) : directory
    for name in directoryEntries(directory) where !name.hasPrefix(".") && !name.hasPrefix("_") {
      let path = base == "." ? name : "\(base)/\(name)"
      switch pathKind(path) {
      case .directory: loadDirectory(path)
      case .file where name.hasSuffix(".yaml") || name.hasSuffix(".yml"): loadFile(path, lines: [], isNamed: false)
      default: break
      }
    }
  }

  private mutating func loadFile(_ path: String, lines: [Int], isNamed: Bool) {
    if isProject(path) {
      _ = project(at: path)
      return
    }
    if !lines.isEmpty, let index = specs.firstIndex(where: { $0.file.path == path && !$0.lines.isEmpty }) {
      let known = specs[index]
      specs[index] = LoadedSpec(
        file: known.file, bases: known.bases, project: known.project, lines: known.lines + lines)
      return
    }
    switch readOnce(path) {
    case .spec(let file)?:
      // A file with shared parts only, such as common.yaml, is nothing to run.
      if file.setup.isEmpty, file.requests.isEmpty, file.teardown.isEmpty {
        if isNamed, file.extends.isEmpty, file.variables.isEmpty, file.secrets.isEmpty {
          bag.warning("\(path) has no requests", at: nil)
        }
        return
      }
      specs.append(LoadedSpec(file: file, bases: bases(of: file), project: project(for: path), lines: lines))
    case .other?:
      if isNamed {
        bag.warning(
          "\(path) is no spec: it has neither `requests` nor `url`", at: nil, help: "leave it out of the arguments")
      }
    case .project?, nil: break
    }
  }

  private func isProject(_ path: String) -> Bool {
    ["reqrun.yaml", "reqrun.yml"].contains(fileName(of: path))
  }

  private mutating func readOnce(_ path: String) -> LoadedFile? {
    let key = canonicalPath(path) ?? path
    if let known = read[key] { return known }
    var found: LoadedFile?
    switch readFile(path, limit: SpecLoader.sizeLimit) {
    case .failure(let problem):
      bag.error("\(path) cannot be read: \(problem.reason)", at: nil)
      unreadableFiles += 1
    case .success(let bytes):
      var own = DiagnosticBag()
      found = LoadedFile.read(bytes: bytes, path: path, asProject: isProject(path), into: &own)
      bag.add(contentsOf: own.diagnostics)
      if own.hasErrors {
        unreadableFiles += 1
        found = nil
      }
    }
    read[key] = .some(found)
    return found
  }

  /// The files that a file extends, lowest first, each once.
  private mutating func bases(of file: SpecFile) -> [SpecFile] {
    var result: [SpecFile] = []
    var seen: Set<String> = []
    collect(file, chain: [canonicalPath(file.path) ?? file.path], &seen, &result)
    return result
  }

  private mutating func collect(
    _ file: SpecFile, chain: [String], _ seen: inout Set<String>, _ result: inout [SpecFile]
  ) {
    for base in file.extends {
      let path = path(base.value, beside: file.path)
      guard let key = canonicalPath(path), pathKind(path) == .file else {
        bag.error(
          "there is no file \"\(base.value)\" to extend", at: base.range, help: "paths are relative to this file")
        continue
      }
      if chain.contains(key) {
        bag.error("the files extend each other in a circle", at: base.range)
        continue
      }
      guard seen.insert(key).inserted else { continue }
      switch readOnce(path) {
      case .spec(let found)?:
        collect(found, chain: chain + [key], &seen, &result)
        result.append(found)
      case .other?, .project?:
        bag.error(
          "\"\(base.value)\" has nothing to extend", at: base.range,
          help: "a file to extend has `variables`, `secrets` or `defaults`")
      case nil: break
      }
    }
  }

  /// The project file in a spec's directory or above it.
  private mutating func project(for path: String) -> ProjectFile? {
    let name = directory(of: path)
    guard let absolute = canonicalPath(name) else { return nil }
    var folder = absolute
    while true {
      for candidate in ["reqrun.yaml", "reqrun.yml"] {
        let absolutePath = folder == "/" ? "/\(candidate)" : "\(folder)/\(candidate)"
        guard pathKind(absolutePath) == .file else { continue }
        return project(
          at: folder == absolute && name != "." ? "\(name)/\(candidate)" : folder == absolute ? candidate : absolutePath
        )
      }
      if folder == "/" { return nil }
      folder = directory(of: folder)
    }
  }

  private mutating func project(at path: String) -> ProjectFile? {
    let key = canonicalPath(path) ?? path
    if let known = projects[key] { return known }
    var found: ProjectFile?
    if case .project(let project)? = readOnce(path) { found = project }
    projects[key] = .some(found)
    return found
  }
}
