import OperatingSystem
import RequestSpecs
import SpecExecution
import Values

extension SpecLoader {
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
            .exposedFile, "others may read the secrets in \(path)", at: nil,
            help: "allow only yourself: chmod 600 \(path)")
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
  mutating func isEnvironmentFile(_ path: String, _ key: String) -> Bool {
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
  mutating func environment(at reference: Located<String>, of project: ProjectFile) -> EnvironmentSpec? {
    guard let (path, key) = locate(reference, beside: project.path, in: fileAccess(project.path)) else {
      return nil
    }
    switch openTexts[key].map({ .success($0) }) ?? readFile(key, limit: SpecLoader.sizeLimit) {
    case .success(let bytes): return EnvironmentSpec.read(bytes: bytes, path: path, into: &bag)
    case .failure(let problem):
      bag.error(.unreadableFile, "\(path) cannot be read: \(problem.reason)", at: reference.range)
      return nil
    }
  }
}
