import OperatingSystem
import RequestSpecs
import SpecExecution
import Values

extension SpecLoader {
  /// The files that a file extends, lowest first, each once; nil if one of them is unavailable.
  mutating func bases(of file: SpecFile) -> [SpecFile]? {
    if !file.extends.isEmpty { extending = fileAccess(file.path) }
    var result: [SpecFile] = []
    var seen: Set<String> = []
    let first = (path: file.path, key: key(of: file.path))
    return collect(file, chain: [first], &seen, &result) ? result : nil
  }

  private mutating func collect(
    _ file: SpecFile, chain: [(path: String, key: String)], _ seen: inout Set<String>, _ result: inout [SpecFile]
  ) -> Bool {
    var isComplete = true
    for base in file.extends {
      guard let (path, key) = locate(base, beside: file.path, in: extending) else {
        isComplete = false
        continue
      }
      if let start = chain.firstIndex(where: { $0.key == key }) {
        let circle = (chain[start...] + [(path, key)]).map { "\"\($0.path)\"" }.joined(separator: " → ")
        bag.error(
          .circularReference, "the files extend each other in a circle: \(circle)", at: base.range,
          help: "move what they share into a file that extends neither")
        isComplete = false
        continue
      }
      guard chain.count <= SpecLoader.longestChain else {
        bag.error(
          .limitExceeded, "more than \(SpecLoader.longestChain) files extend each other, one after the other",
          at: base.range, help: "let one file extend several: `extends: [a.yaml, b.yaml]`")
        isComplete = false
        continue
      }
      guard seen.insert(key).inserted else { continue }
      switch readOnce(path) {
      case .spec(let found)?:
        isComplete = collect(found, chain: chain + [(path, key)], &seen, &result) && isComplete
        result.append(found)
        reportOwnKeys(of: found, at: base)
      case .other?, .contract?, .project?:
        bag.error(
          .unusableFile, "\"\(base.value)\" has nothing to extend", at: base.range,
          help: "a file to extend has `variables`, `secrets` or `defaults`")
        isComplete = false
      case nil: isComplete = false
      }
    }
    return isComplete
  }

  /// Reports parts of an extended file that aren't inherited: a setup that never runs is an error.
  private mutating func reportOwnKeys(of file: SpecFile, at base: Located<String>) {
    let stages = file.ownKeys.filter { ["setup", "teardown"].contains($0.value) }
    let keys = stages.isEmpty ? file.ownKeys : stages
    // This may be the cause of the file's own errors.
    guard let first = keys.first, !file.hasErrors else { return }
    let names = keys.map { "`\($0.value)`" }.joined(separator: " and ")
    let message = "`extends` does not take over \(names) of \"\(base.value)\""
    let notes = [Values.Diagnostic.Note("it stands here", at: first.range)]
    let help =
      "it takes `variables`, `secrets`, `openapi` and `defaults`: put what both files share into a file that has only these"
    if stages.isEmpty {
      bag.warning(.unusableFile, message, at: base.range, notes: notes, help: help)
    } else {
      bag.error(.unusableFile, message, at: base.range, notes: notes, help: help + ", and repeat the requests here")
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
          .unreadableFile, "\"\(base.value)\" is not a regular file",
          help: "name a file, not a directory, a pipe or a device")
      }
      return (path(base.value, beside: file), key)
    } catch {
      bag.error(error.code, error.message, at: base.range, help: error.help)
      return nil
    }
  }

  /// The project file in a spec's directory or above it, and whether it could be read if there is one.
  mutating func project(for path: String) -> (file: ProjectFile?, isReadable: Bool) {
    guard let absolute = canonicalPath(parentDirectory(of: path)) else { return (nil, true) }
    if usedFiles == nil, directoriesWithoutProject.contains(absolute) { return (nil, true) }
    var folder = absolute
    while true {
      for name in projectFileNames {
        let candidate = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        usedFiles?.add(candidate, of: path)
        if withoutProject.contains(candidate) { continue }
        guard isProjectFile(candidate) else {
          withoutProject.insert(candidate)
          continue
        }
        guard mayRead(pathFromHere(candidate), below: folder) else {
          hasBrokenProject = true
          return (nil, false)
        }
        if case .project(let project)? = readOnce(pathFromHere(candidate)) { return (project, true) }
        return (nil, false)
      }
      if folder == "/" {
        directoriesWithoutProject.insert(absolute)
        return (nil, true)
      }
      folder = parentDirectory(of: folder)
    }
  }
}
