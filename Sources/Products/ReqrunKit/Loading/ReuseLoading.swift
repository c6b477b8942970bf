import OperatingSystem
import RequestSpecs
import SpecExecution
import Values

/// Loads the files that specs use and need, and those that they use and need.
extension SpecLoader {
  /// The maximum length of a chain of files that use or need each other.
  private static let longestReuse = 32

  mutating func loadReused() {
    for index in specs.indices where specs[index].file.reusesOthers {
      var spec = specs[index]
      let path = spec.file.path
      take(reusedBy: &spec, chain: [Link(key: canonicalPath(path) ?? path, path: path, range: nil)])
      specs[index] = spec
    }
  }

  /// Adds the files that a spec uses and needs.
  private mutating func take(reusedBy spec: inout LoadedSpec, chain: [Link]) {
    let file = spec.file
    for need in file.needs {
      if let id = load(need.file, beside: file, chain: chain, by: "needs") {
        spec.needs.append(LoadedNeed(spec: need, id: id))
      } else {
        spec.isComplete = false
      }
    }
    for request in file.allRequests {
      guard let use = request.use else { continue }
      if let id = load(use.file, beside: file, chain: chain, by: "use") {
        spec.uses[ObjectIdentifier(request)] = id
      } else {
        spec.isComplete = false
      }
    }
  }

  /// The specs that others use or need, each after those that it uses or needs itself, and the ones that the arguments name.
  var specsInOrder: [LoadedSpec] {
    guard !reused.isEmpty else { return specs }
    var result: [LoadedSpec] = []
    var seen: Set<SpecID> = []
    func add(_ spec: LoadedSpec) {
      for id in spec.needs.map(\.id) + spec.file.allRequests.compactMap({ spec.uses[ObjectIdentifier($0)] })
      where seen.insert(id).inserted {
        guard var spec = reused[id.path] else { continue }
        add(spec)
        spec.id = id
        result.append(spec)
      }
    }
    for spec in specs where !(spec.needs.isEmpty && spec.uses.isEmpty) { add(spec) }
    return result + specs
  }

  /// A file in a chain of files that use or need each other.
  private struct Link {
    let key: String
    let path: String
    /// The place in the previous file that names it; nil for the first.
    let range: SourceRange?
  }

  /// - Parameter word: the key that names the file.
  private mutating func load(
    _ reused: ReusedFile, beside file: SpecFile, chain: [Link], by word: String
  ) -> SpecID? {
    let range = reused.path.range
    guard let (named, key) = locate(reused.path, beside: file.path, in: fileAccess(file.path)) else { return nil }
    let path = shortened(named)
    if let start = chain.firstIndex(where: { $0.key == key }) {
      reportCircle(chain[start...] + [Link(key: key, path: chain[start].path, range: range)])
      return nil
    }
    guard chain.count <= Self.longestReuse else {
      bag.error(
        .limitExceeded, "more than \(Self.longestReuse) files use or need each other, one after the other", at: range)
      return nil
    }
    guard let found = reusable(path, named: reused, by: word) else { return nil }
    let id = SpecID(path: key, request: reused.request)
    guard isKnown(reused, in: found) else { return nil }
    // Its own chain was followed before.
    if let known = self.reused[key] { return known.isComplete ? id : nil }
    var spec = loaded(found)
    take(reusedBy: &spec, chain: chain + [Link(key: key, path: found.path, range: range)])
    self.reused[key] = spec
    return spec.isComplete ? id : nil
  }

  /// A spec with all that it extends, and its project.
  mutating func loaded(_ file: SpecFile, lines: [Int] = [], failed: FailedRequests? = nil) -> LoadedSpec {
    let bases = bases(of: file)
    let (project, isReadable) = project(for: file.path)
    let environments = project.flatMap { self.environments(of: $0) }
    return LoadedSpec(
      file: file, bases: bases ?? [], project: project, environments: environments, lines: lines, failed: failed,
      isComplete: bases != nil && isReadable && environments?.isComplete != false)
  }

  private mutating func reportCircle(_ links: ArraySlice<Link>) {
    guard reportedCircles.insert(Set(links.map(\.key))).inserted else { return }
    let names = links.map { "\"\($0.path)\"" }.joined(separator: " → ")
    bag.error(
      .circularReference, "the files use or need each other in a circle: \(names)", at: links.last?.range,
      notes: links.dropFirst().dropLast().compactMap { link in
        link.range.map { Values.Diagnostic.Note("\"\(link.path)\" is named here", at: $0) }
      },
      help: links.count == 2
        ? "leave it out: a file runs once by itself" : "move what they share into a file that names none of them")
  }

  /// The file at a path, if it can run for another one.
  private mutating func reusable(_ path: String, named reused: ReusedFile, by word: String) -> SpecFile? {
    let range = reused.path.range
    switch readOnce(path) {
    case .spec(let file)?:
      if file.hasErrors {
        bag.error(.unusableFile, "`\(word)` names a file with errors: \(path)", at: range)
        return nil
      }
      if let flow = file.flows.first {
        bag.error(
          .unusableFile,
          "\"\(reused.path.value)\" has \(file.rows == nil ? "flows" : "rows"), which no other file can run", at: range,
          notes: [Values.Diagnostic.Note("they stand here", at: flow.range.firstLine)],
          help: "put what both need into a file with `requests`")
        return nil
      }
      guard !file.requests.isEmpty else {
        bag.error(
          .unusableFile, "\"\(reused.path.value)\" has no requests to run", at: range,
          help: "a file with `variables`, `secrets` and `defaults` alone is for `extends`")
        return nil
      }
      return file
    case .other?, .contract?, .project?:
      bag.error(
        .notASpec, "\"\(reused.path.value)\" is not a spec", at: range, help: "name a file with `requests` or `url`")
      return nil
    case nil:
      bag.error(.unusableFile, "`\(word)` names a file with errors: \(path)", at: range)
      return nil
    }
  }

  /// Reports the name of a request that the file doesn't have, or several times.
  private mutating func isKnown(_ reused: ReusedFile, in file: SpecFile) -> Bool {
    guard let name = reused.request else { return true }
    let names = file.requests.compactMap { request in request.name?.literal.map { (name: $0.string, request.range) } }
    let found = names.filter { $0.name == name }
    if found.count == 1 { return true }
    guard let first = found.first else {
      let all = names.map(\.name)
      bag.error(
        .unknownRequest, "no request of \"\(reused.path.value)\" has the name \"\(jsonEscaped(name))\"",
        at: reused.path.range,
        help: suggestion(name, among: all)
          ?? (all.isEmpty ? "its requests have no names" : "its requests are \(all.prefix(8).joined(separator: ", "))"))
      return false
    }
    bag.error(
      .unknownRequest, "\(found.count) requests of \"\(reused.path.value)\" have the name \"\(jsonEscaped(name))\"",
      at: reused.path.range,
      notes: [
        Values.Diagnostic.Note("the first stands here", at: first.1.firstLine),
        Values.Diagnostic.Note("the last stands here", at: found.last?.1.firstLine),
      ], help: "give each a name of its own")
    return false
  }
}

extension SpecFile {
  fileprivate var reusesOthers: Bool { !needs.isEmpty || allRequests.contains { $0.use != nil } }
}
