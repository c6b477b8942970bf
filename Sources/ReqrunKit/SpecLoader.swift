import Diagnostics
import OperatingSystem
import RequestSpecs
import RunPlanning

/// Finds the files that the arguments name, reads each once, and brings along what they extend.
struct SpecLoader {
  static let sizeLimit = 256 << 20

  private(set) var specs: [LoadedSpec] = []
  private(set) var bag = DiagnosticBag()
  /// Files that could not be read, or are so wrong that nothing can be planned of them.
  private(set) var unreadableFiles = 0
  /// What was read, by canonical path; nil for what could not be.
  private var read: [String: LoadedFile?] = [:]
  /// The places of the specs in `specs`, by canonical path.
  private var places: [String: Int] = [:]
  private var visitedDirectories: Set<String> = []

  mutating func load(_ arguments: [String]) {
    for argument in arguments {
      switch pathKind(argument) {
      case .directory: loadDirectory(argument)
      case .file: loadFile(argument, line: nil, isNamed: true)
      case .nothing:
        if let (path, line) = fileAndLine(argument) {
          loadFile(path, line: line, isNamed: true)
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
    // Symbolic links may lead back to where the walk came from.
    guard visitedDirectories.insert(canonicalPath(directory) ?? directory).inserted else { return }
    let base = directory.hasSuffix("/") ? String(directory.dropLast()) : directory
    for name in directoryEntries(directory) where !name.hasPrefix(".") && !name.hasPrefix("_") {
      let path = base == "." ? name : "\(base)/\(name)"
      switch pathKind(path) {
      case .directory: loadDirectory(path)
      case .file where name.hasSuffix(".yaml") || name.hasSuffix(".yml"): loadFile(path, line: nil, isNamed: false)
      default: break
      }
    }
  }

  private mutating func loadFile(_ path: String, line: Int?, isNamed: Bool) {
    let key = canonicalPath(path) ?? path
    if let place = places[key] {
      // Named once as a whole, a file runs whole.
      if let line, !specs[place].lines.isEmpty { specs[place].lines.append(line) } else { specs[place].lines = [] }
      return
    }
    switch readOnce(path) {
    case .spec(let file)?:
      // A file with shared parts only, such as common.yaml, is nothing to run.
      if !file.hasErrors, file.setup.isEmpty, file.requests.isEmpty, file.teardown.isEmpty {
        if isNamed, file.extends.isEmpty, file.variables.isEmpty, file.secrets.isEmpty {
          bag.warning("\(path) has no requests", at: nil)
        }
        return
      }
      let bases = bases(of: file)
      let (project, isReadable) = project(for: path)
      places[key] = specs.count
      specs.append(
        LoadedSpec(
          file: file, bases: bases ?? [], project: project, lines: line.map { [$0] } ?? [],
          isComplete: bases != nil && isReadable))
    case .other?:
      if isNamed {
        bag.warning(
          "\(path) is no spec: it has neither `requests` nor `url`", at: nil, help: "leave it out of the arguments")
      }
    case .project?, nil: break
    }
  }

  private func isProject(_ path: String) -> Bool {
    projectFileNames.contains(fileName(of: path))
  }

  private mutating func readOnce(_ path: String) -> LoadedFile? {
    let key = canonicalPath(path) ?? path
    if let known = read[key] { return known }
    let found = readFirst(path)
    read[key] = .some(found)
    return found
  }

  private mutating func readFirst(_ path: String) -> LoadedFile? {
    let bytes: [UInt8]
    switch readFile(path, limit: SpecLoader.sizeLimit) {
    case .failure(let problem):
      bag.error("\(path) cannot be read: \(problem.reason)", at: nil)
      unreadableFiles += 1
      return nil
    case .success(let content): bytes = content
    }
    var own = DiagnosticBag()
    let found = LoadedFile.read(bytes: bytes, path: path, asProject: isProject(path), into: &own)
    bag.add(contentsOf: own.diagnostics)
    guard own.hasErrors else { return found }
    if case .spec? = found { return found }
    // A spec with errors is checked further, and counted when it cannot be planned.
    unreadableFiles += 1
    if case .project? = found { return found }
    return nil
  }

  // MARK: What belongs to a spec

  /// The files that a file extends, lowest first, each once; nil where one of them cannot be had.
  private mutating func bases(of file: SpecFile) -> [SpecFile]? {
    var result: [SpecFile] = []
    var seen: Set<String> = []
    return collect(file, chain: [canonicalPath(file.path) ?? file.path], &seen, &result) ? result : nil
  }

  private mutating func collect(
    _ file: SpecFile, chain: [String], _ seen: inout Set<String>, _ result: inout [SpecFile]
  ) -> Bool {
    var isComplete = true
    for base in file.extends {
      let path = path(base.value, beside: file.path)
      guard let key = canonicalPath(path), pathKind(path) == .file else {
        bag.error(
          "there is no file \"\(base.value)\" to extend", at: base.range, help: "paths are relative to this file")
        isComplete = false
        continue
      }
      if chain.contains(key) {
        bag.error("the files extend each other in a circle", at: base.range)
        isComplete = false
        continue
      }
      guard seen.insert(key).inserted else { continue }
      switch readOnce(path) {
      case .spec(let found)?:
        isComplete = collect(found, chain: chain + [key], &seen, &result) && isComplete
        result.append(found)
      case .other?, .project?:
        bag.error(
          "\"\(base.value)\" has nothing to extend", at: base.range,
          help: "a file to extend has `variables`, `secrets` or `defaults`")
        isComplete = false
      case nil: isComplete = false
      }
    }
    return isComplete
  }

  /// The project file in a spec's directory or above it, and whether it could be read where there is one.
  private mutating func project(for path: String) -> (file: ProjectFile?, isReadable: Bool) {
    guard let absolute = canonicalPath(directory(of: path)) else { return (nil, true) }
    var folder = absolute
    while true {
      for name in projectFileNames {
        let candidate = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        guard pathKind(candidate) == .file else { continue }
        if case .project(let project)? = readOnce(pathFromHere(candidate)) { return (project, true) }
        return (nil, false)
      }
      if folder == "/" { return (nil, true) }
      folder = directory(of: folder)
    }
  }

  /// An absolute path as the user would write it: relative to the working directory where it lies below.
  private func pathFromHere(_ path: String) -> String {
    guard let here = canonicalPath("."), path.hasPrefix(here == "/" ? "/" : here + "/") else { return path }
    return String(decoding: path.utf8.dropFirst(here == "/" ? 1 : here.utf8.count + 1), as: UTF8.self)
  }
}

private let projectFileNames = ["reqrun.yaml", "reqrun.yml"]
