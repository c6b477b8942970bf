import RequestSpecs
import Templates
import Values
import YAMLNodes

/// New requests and files.
extension SpecUpdate {
  mutating func addRequests(to specs: inout [UpdatedSpec], _ originals: [String: [UInt8]]) {
    var created: [(path: String, editor: YAMLEditor)] = []
    for path in new.paths {
      guard let imported = new.specs[path] else { continue }
      let added = imported.requests.filter { !known.contains($0.call) && old.exact($0.call) == nil }
      if added.isEmpty { continue }
      let stages = [false, true].map { Stage(file: path, isTeardown: $0) }
      guard let home = stages.compactMap({ siblings[$0]?.spec }).first ?? specs.firstIndex(where: { $0.path == path })
      else {
        // A file of a new tag; boundaries that a person has deleted stay so.
        guard originals[path] == nil, old.specs[path] == nil || !path.hasSuffix(OpenAPICopies.endOfBoundaries) else {
          continue
        }
        created.append((path, imported.editor))
        let count = counted(imported.requests.count, "request")
        changes.append(Change(path: path, text: "a new file with \(count)", isLeft: false))
        continue
      }
      for stage in stages {
        let added = added.filter { $0.path.isTeardown == stage.isTeardown }
        if !added.isEmpty { add(added, of: imported, in: stage, to: &specs, at: siblings[stage]?.spec ?? home) }
      }
    }
    let paths = Set(originals.keys).union(created.map(\.path))
    for (path, editor) in created { files.append((path, withKnownNeeds(editor, specs, paths).utf8)) }
  }

  /// A new file that needs those files where the requests of what it needs already stand.
  private func withKnownNeeds(_ imported: YAMLEditor, _ specs: [UpdatedSpec], _ paths: Set<String>) -> YAMLEditor {
    var editor = imported
    for member in imported.document["needs"]?.members ?? [] {
      guard let file = member.value.scalar?.text, !paths.contains(file),
        let home = siblings[Stage(file: file, isTeardown: false)]?.spec
      else { continue }
      try? editor.set(.text(specs[home].path), at: [.key("needs"), .key(member.key)])
    }
    return editor
  }

  /// Adds requests behind the last one of their file, but those before that whose captures others read already.
  private mutating func add(
    _ added: [UpdatedSpec.Request], of imported: UpdatedSpec, in stage: Stage, to specs: inout [UpdatedSpec],
    at index: Int
  ) {
    let projectNames = specs.filter { isProjectName($0.path) }.flatMap(\.editor.document.declaredNames)
    let added = readable(added, of: imported, in: &specs[index], projectNames: Set(projectNames))
    let known = specs[index].editor.document.requestPaths.filter { $0.path.isTeardown == stage.isTeardown }
    let last = siblings[stage]?.path ?? known.last?.path
    guard let last, let lastIndex = known.firstIndex(where: { $0.path == last }) else {
      let place = last.map { Place.behind($0) } ?? .new(list(of: stage))
      return insert(added, of: imported, at: place, to: &specs, at: index)
    }
    guard let (early, reader) = suppliers(among: added, of: imported, for: known) else {
      return insert(added, of: imported, at: .behind(last), to: &specs, at: index)
    }
    let read = early.reduce(into: Set<String>()) { $0.formUnion(imported.readNames(of: $1)) }
    let source = known.lastIndex { !$0.node.captureNames.isDisjoint(with: read) } ?? -1
    if lastIndex < reader, source <= lastIndex {
      return insert(added, of: imported, at: .behind(last), to: &specs, at: index)
    }
    let place = source < reader ? Place.before(known[reader].path) : .behind(known[source].path)
    if lastIndex < max(reader, source) { return insert(added, of: imported, at: place, to: &specs, at: index) }
    let paths = Set(early.map(\.path))
    siblings[stage] = (index, last)
    insert(early, of: imported, at: place, to: &specs, at: index)
    let rest = added.filter { !paths.contains($0.path) }
    insert(rest, of: imported, at: .behind(siblings[stage]?.path ?? last), to: &specs, at: index)
  }

  /// The added requests that capture what known ones read and none of them captures, with all that these read, and the
  /// first of the known ones that reads it; nil if there are none.
  private func suppliers(
    among added: [UpdatedSpec.Request], of imported: UpdatedSpec,
    for known: [(path: [YAMLEditor.Step], node: YAMLNode)]
  ) -> (early: [UpdatedSpec.Request], reader: Int)? {
    let captured = added.reduce(into: Set<String>()) { $0.formUnion(imported.captureNames(of: $1)) }
      .subtracting(known.flatMap(\.node.captureNames))
    if captured.isEmpty { return nil }
    let reads = known.map { $0.node.readNames.intersection(captured) }
    guard let reader = reads.firstIndex(where: { !$0.isEmpty }) else { return nil }
    var wanted = reads.reduce(into: Set<String>()) { $0.formUnion($1) }
    var early: [UpdatedSpec.Request] = []
    // An import has what captures before what reads.
    for request in added.reversed() where !imported.captureNames(of: request).isDisjoint(with: wanted) {
      early.append(request)
      wanted.formUnion(imported.readNames(of: request))
    }
    return (early.reversed(), reader)
  }

  /// The requests all of whose names the spec has now; the others are left to a person.
  private mutating func readable(
    _ added: [UpdatedSpec.Request], of imported: UpdatedSpec, in spec: inout UpdatedSpec, projectNames: Set<String>
  ) -> [UpdatedSpec.Request] {
    let project = self.new.paths.first { isProjectName($0) }.flatMap { self.new.specs[$0] }
    let document = imported.editor.document.withValues(of: project?.editor.document)
    let captured = imported.requests.flatMap { imported.captureNames(of: $0) }
    var missing = document.declaredNames.union(captured)
    missing.subtract(spec.editor.document.declaredNames)
    missing.subtract(projectNames)
    missing.subtract(spec.editor.document.requestPaths.flatMap(\.node.captureNames))
    let own = document.values.intersection(missing)
    missing.subtract(own)
    var read: Set<String> = []
    let readable = added.filter { request in
      let names = imported.readNames(of: request)
      guard let name = names.intersection(missing).min() else {
        missing.subtract(imported.captureNames(of: request))
        read.formUnion(names)
        return true
      }
      let text = "\(request.news), and reads `\(name)`, which \(imported.path) of a new import declares: left to add"
      changes.append(Change(path: spec.path, text: text, isLeft: true))
      return false
    }
    let old = document.withValues { _ in false }
    // Variables may read others, and secrets.
    for name in own where read.contains(name) { read.formUnion(document["variables"]?[name]?.readNames ?? []) }
    let new = document.withValues { own.contains($0) && read.contains($0) }
    var merge = SpecMerge(path: spec.path, editor: spec.editor)
    merge.changes = changes
    merge.merge(old, new, at: [], name: nil)
    (spec.editor, changes) = (merge.editor, merge.changes)
    return readable
  }

  /// The place of new requests in a file.
  private enum Place {
    case before([YAMLEditor.Step])
    case behind([YAMLEditor.Step])
    /// A list that isn't there yet.
    case new([YAMLEditor.Step])

    /// The place of the first of them.
    var first: [YAMLEditor.Step] {
      switch self {
      case .before(let path): path
      case .behind(let path): path.item(behind: 0)
      case .new(let list): list + [.item(0)]
      }
    }
  }

  /// The place of the list of a stage, which is in the flow that has the others of the same file.
  private func list(of stage: Stage) -> [YAMLEditor.Step] {
    let other = siblings[Stage(file: stage.file, isTeardown: !stage.isTeardown)]?.path ?? []
    return other.dropLast(2) + [.key(stage.isTeardown ? "teardown" : "requests")]
  }

  private mutating func insert(
    _ added: [UpdatedSpec.Request], of imported: UpdatedSpec, at place: Place, to specs: inout [UpdatedSpec],
    at index: Int
  ) {
    if added.isEmpty { return }
    let first = place.first
    do throws(YAMLEditor.Problem) {
      let before = specs[index].editor.utf8.count { $0 == 0x0A }
      switch place {
      case .before(let path):
        try specs[index].editor.insert(added.map { imported.lines(of: $0) }, before: path)
      case .behind(let path):
        try specs[index].editor.insert(added.map { imported.lines(of: $0) }, behind: path)
      case .new(let list):
        let nodes = added.compactMap { imported.editor.value(at: $0.path) }
        try specs[index].editor.set(.list(nodes), at: list)
      }
      let spec = specs[index]
      for (stage, sibling) in siblings where sibling.spec == index {
        siblings[stage]?.path = sibling.path.withItems(added.count, insertedAt: first)
      }
      let start = spec.line(of: first) ?? 0
      changes.shift(in: spec.path, behind: start - 1, by: spec.editor.utf8.count { $0 == 0x0A } - before)
      for (number, request) in added.enumerated() {
        let line = spec.line(of: number == 0 ? first : first.item(behind: number - 1))
        changes.append(Change(path: spec.path, line: line, text: request.news, isLeft: false))
      }
    } catch {
      changes += added.map { Change(path: specs[index].path, text: "\($0.news): left to add", isLeft: true) }
    }
  }
}

extension UpdatedSpec.Request {
  /// `GET /pets as listPets is new`
  fileprivate var news: String { "\(label)\(name.map { " as \($0)" } ?? "") is new" }
}

extension UpdatedSpec {
  fileprivate func captureNames(of request: Request) -> Set<String> {
    editor.value(at: request.path)?.captureNames ?? []
  }

  fileprivate func readNames(of request: Request) -> Set<String> { editor.value(at: request.path)?.readNames ?? [] }
}

extension YAMLNode {
  /// The names that a file declares beside the captures of its requests.
  fileprivate var declaredNames: Set<String> {
    values.union(self["needs"]?.members?.map(\.key) ?? []).union(self["secrets"]?.members?.map(\.key) ?? [])
  }

  /// The names of a file's variables, and of the secrets that it reads from the environment.
  fileprivate var values: Set<String> {
    Set((self["variables"]?.members ?? []).map(\.key) + (self["secrets"]?.items ?? []).compactMap { $0.scalar?.text })
  }

  /// The document with the values of its project, too.
  fileprivate func withValues(of project: YAMLNode?) -> YAMLNode {
    let variables = [project, self].flatMap { $0?["variables"]?.members ?? [] }.map { ($0.key, $0.value) }
    let secrets = [project, self].flatMap { $0?["secrets"]?.items ?? [] }
    let others = (members ?? []).filter { $0.key != "variables" && ($0.key != "secrets" || $0.value.items == nil) }
    return .mapping(
      (variables.isEmpty ? [] : [("variables", .mapping(variables))])
        + (secrets.isEmpty ? [] : [("secrets", .list(secrets))]) + others.map { ($0.key, $0.value) })
  }

  /// The document with some of its values alone.
  fileprivate func withValues(_ isKept: (String) -> Bool) -> YAMLNode {
    .mapping(
      (members ?? []).compactMap { member in
        switch member.key {
        case "variables":
          let kept = (member.value.members ?? []).filter { isKept($0.key) }.map { ($0.key, $0.value) }
          return kept.isEmpty ? nil : (member.key, .mapping(kept))
        case "secrets" where member.value.items != nil:
          let kept = (member.value.items ?? []).filter { isKept($0.scalar?.text ?? "") }
          return kept.isEmpty ? nil : (member.key, .list(kept))
        default: return (member.key, member.value)
        }
      })
  }

  /// The names that a request captures from its response.
  var captureNames: Set<String> { Set((self["capture"]?.members ?? []).map(\.key)) }

  /// The names that templates anywhere in it read.
  var readNames: Set<String> {
    var names: Set<String> = []
    addReadNames(to: &names)
    return names
  }

  private func addReadNames(to names: inout Set<String>) {
    func add(_ text: String) {
      var ignored = DiagnosticBag()
      let template = Template.parse(text, place: { _ in range }, into: &ignored)
      names.formUnion(template?.references.map(\.name) ?? [])
    }
    if let text = scalar?.text, Template.isTemplate(text) { add(text) }
    // These keys are expressions.
    for member in self["values"]?.members ?? [] { add("${{ \(member.key) }}") }
    for item in items ?? members?.map(\.value) ?? [] { item.addReadNames(to: &names) }
  }
}
