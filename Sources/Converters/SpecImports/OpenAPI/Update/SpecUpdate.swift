import RequestSpecs
import Values
import YAMLNodes

/// The update of specs to a changed document: what an import of the old document and one of the new one write
/// differently is changed in the specs, where nothing of a person's stands.
package struct SpecUpdate {
  /// A change of a spec, or one that is left to a person.
  package struct Change: Sendable {
    /// The path below the directory.
    package let path: String
    /// The line in the updated text, counted from 1; nil for a whole file.
    package internal(set) var line: Int?
    /// The change in a few words.
    package let text: String
    /// Indicates whether a person has to make it.
    package let isLeft: Bool

    /// The change as one for a person.
    var left: Change { isLeft ? self : Change(path: path, line: line, text: "\(text): left to add", isLeft: true) }
  }

  /// Files with their paths below one directory.
  package typealias Files = [(path: String, bytes: [UInt8])]

  /// The files to write.
  package private(set) var files: Files = []
  package private(set) var changes: [Change] = []

  private let old: ImportedSpecs
  private let new: ImportedSpecs
  /// The calls that the specs make already.
  private var known: Set<RequestCall> = []
  /// The places of the last requests of new files: the index of the spec, and the request.
  private var siblings: [Stage: (spec: Int, path: [YAMLEditor.Step])] = [:]

  /// The requests of a new file, or its teardown.
  private struct Stage: Hashable {
    let file: String
    let isTeardown: Bool
  }

  /// - Parameters:
  ///   - old: the files of an import of the old document.
  ///   - new: the files of an import of the new document.
  ///   - current: the files as they are.
  ///   - directory: the directory of the files, for messages.
  package init(
    from old: Files, to new: Files, of current: Files, in directory: String, into bag: inout DiagnosticBag
  ) {
    var ignored = DiagnosticBag()
    self.old = ImportedSpecs(old, into: &ignored)
    self.new = ImportedSpecs(new, into: &ignored)
    var specs = current.filter { !$0.path.isCopyOfDocument }.compactMap { path, bytes in
      UpdatedSpec(path: path, bytes: bytes, name: "\(directory)/\(path)", into: &bag)
    }
    for index in specs.indices { update(&specs[index], at: index) }
    let originals = Dictionary(current, uniquingKeysWith: { $1 })
    addRequests(to: &specs, originals)
    for spec in specs where originals[spec.path] != spec.editor.utf8 { files.append((spec.path, spec.editor.utf8)) }
    copyFiles(old: Dictionary(old, uniquingKeysWith: { $1 }), new, originals)
  }

  // MARK: changed requests

  private mutating func update(_ spec: inout UpdatedSpec, at index: Int) {
    var merge = SpecMerge(path: spec.path, editor: spec.editor)
    if let before = old.specs[spec.path], let after = new.specs[spec.path] {
      merge.merge(before.editor.document, after.editor.document, at: [], name: nil)
    }
    var updated: Set<RequestCall> = []
    var removed: [(path: [YAMLEditor.Step], label: String)] = []
    for request in named(spec.requests) {
      guard let before = old.request(for: request.call) else {
        // It calls what is new in the document: a person was faster.
        if let after = new.request(for: request.call) { note(after, request, index) }
        continue
      }
      guard let after = new.request(replacing: before) else {
        removed.append((request.path, before.label))
        continue
      }
      note(after, request, index)
      guard let oldNode = before.node, let newNode = after.node else { continue }
      merge.isMoved = after.spec != spec.path
      if updated.insert(before.call).inserted {
        merge.mergeRequest(oldNode, newNode, at: request.path, name: request.name ?? before.label)
      } else if !oldNode.isSame(as: newNode, exceptFor: "name") {
        merge.leave(
          "\(after.label) has changed, and this request of it is left as it is", at: request.path)
      }
    }
    merge.finishRequests()
    if removed.count == spec.requests.count, !removed.isEmpty {
      merge.leave("the document has none of these operations any more: remove them, or the file", at: removed[0].path)
      removed = []
    }
    // From the last to the first, so that the paths of the others stay.
    for (path, label) in removed.sorted(by: { $1.path.isBefore($0.path) })
    where merge.commentOut(path, "\(label) is not in the document any more") {
      for (file, sibling) in siblings where sibling.spec == index {
        siblings[file]?.path = sibling.path.withoutItem(at: path)
      }
    }
    spec.editor = merge.editor
    changes += merge.changes
  }

  /// Requests with those first that are named as the import named them.
  private func named(_ requests: [UpdatedSpec.Request]) -> [UpdatedSpec.Request] {
    let marked = requests.map { request in
      (request: request, isNamed: request.name != nil && old.request(for: request.call)?.name == request.name)
    }
    return (marked.filter(\.isNamed) + marked.filter { !$0.isNamed }).map(\.request)
  }

  private mutating func note(_ imported: ImportedSpecs.Request, _ request: UpdatedSpec.Request, _ index: Int) {
    known.insert(imported.call)
    let stage = Stage(file: imported.spec, isTeardown: request.path.isTeardown)
    if siblings[stage].map({ $0.spec < index || $0.path.isBefore(request.path) }) ?? true {
      siblings[stage] = (index, request.path)
    }
  }

  // MARK: new requests and files

  private mutating func addRequests(to specs: inout [UpdatedSpec], _ originals: [String: [UInt8]]) {
    var created: [(path: String, editor: YAMLEditor)] = []
    for path in new.paths {
      guard let imported = new.specs[path] else { continue }
      let added = imported.requests.filter { !known.contains($0.call) && old.exact($0.call) == nil }
      if added.isEmpty { continue }
      let stages = [false, true].map { Stage(file: path, isTeardown: $0) }
      guard let home = stages.compactMap({ siblings[$0]?.spec }).first ?? specs.firstIndex(where: { $0.path == path })
      else {
        // A file of a new tag.
        guard originals[path] == nil else { continue }
        created.append((path, imported.editor))
        changes.append(Change(path: path, text: "a new file with \(counted(added.count, "request"))", isLeft: false))
        continue
      }
      for stage in stages {
        let added = added.filter { $0.path.isTeardown == stage.isTeardown }
        if added.isEmpty { continue }
        let sibling = siblings[stage]
        let spec = sibling?.spec ?? home
        let place = sibling?.path ?? specs[spec].requests.last { $0.path.isTeardown == stage.isTeardown }?.path
        add(added, of: imported, behind: place, isTeardown: stage.isTeardown, to: &specs[spec])
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

  private mutating func add(
    _ added: [UpdatedSpec.Request], of imported: UpdatedSpec, behind place: [YAMLEditor.Step]?, isTeardown: Bool,
    to spec: inout UpdatedSpec
  ) {
    let texts = added.map { "\($0.label)\($0.name.map { " as \($0)" } ?? "") is new" }
    let missing = imported.editor.document.suppliers.subtracting(spec.editor.document.suppliers).sorted()
    let unknown = added.lazy.compactMap { request in
      let lines = imported.lines(of: request)
      return missing.first { name in lines.contains { $0.contains("${{ \(name)") } }
    }
    if let name = unknown.first {
      changes += texts.map { text in
        Change(
          path: spec.path,
          text: "\(text), and reads `\(name)`, which \(imported.path) of a new import declares: left to add",
          isLeft: true)
      }
      return
    }
    do throws(YAMLEditor.Problem) {
      let before = spec.editor.utf8.count { $0 == 0x0A }
      var first: [YAMLEditor.Step] = [.key(isTeardown ? "teardown" : "requests"), .item(0)]
      if let place {
        first = place.item(behind: 0)
        try spec.editor.insert(added.map { imported.lines(of: $0) }, behind: place)
      } else {
        let nodes = added.compactMap { imported.editor.value(at: $0.path) }
        try spec.editor.set(.list(nodes), at: [first[0]])
      }
      let start = spec.line(of: first) ?? 0
      changes.shift(in: spec.path, behind: start - 1, by: spec.editor.utf8.count { $0 == 0x0A } - before)
      for (number, text) in texts.enumerated() {
        let line = spec.line(of: number == 0 ? first : first.item(behind: number - 1))
        changes.append(Change(path: spec.path, line: line, text: text, isLeft: false))
      }
    } catch {
      changes += texts.map { Change(path: spec.path, text: "\($0): left to add", isLeft: true) }
    }
  }

  /// Copies of the document, and files that requests send.
  private mutating func copyFiles(old: [String: [UInt8]], _ new: Files, _ current: [String: [UInt8]]) {
    let copies = new.filter { $0.path.isCopyOfDocument && current[$0.path] != $0.bytes }
    files += copies
    if !copies.isEmpty {
      let text = "\(counted(copies.count, "file")) of the document replaced or added"
      changes.append(Change(path: OpenAPICopies.folder, text: text, isLeft: false))
    }
    let others = new.filter { path, bytes in
      !path.isCopyOfDocument && current[path] != bytes && (self.new.specs[path] == nil || isProjectName(path))
    }
    for (path, bytes) in others {
      guard let own = current[path] else {
        // A person has deleted it, or it is new.
        guard old[path] == nil else { continue }
        files.append((path, bytes))
        changes.append(Change(path: path, text: "a new file", isLeft: false))
        continue
      }
      if self.new.specs[path] != nil || old[path] == bytes { continue }
      if own == old[path] { files.append((path, bytes)) }
      let text = own == old[path] ? "replaced" : "has changed in the document: left as it is"
      changes.append(Change(path: path, text: text, isLeft: own != old[path]))
    }
  }
}

extension String {
  fileprivate var isCopyOfDocument: Bool { hasPrefix(OpenAPICopies.folder + "/") }
}

/// The specs of an import.
struct ImportedSpecs {
  struct Request {
    let spec: String
    let call: RequestCall
    /// The method and the path as the document has them.
    let label: String
    let name: String?
    let node: YAMLNode?
  }

  private(set) var paths: [String] = []
  private(set) var specs: [String: UpdatedSpec] = [:]
  private var requests: [Request] = []
  private var byCall: [RequestCall: Int] = [:]
  private var byName: [String: [Int]] = [:]

  init(_ files: SpecUpdate.Files, into bag: inout DiagnosticBag) {
    for (path, bytes) in files where path.hasSuffix(".yaml") && !path.isCopyOfDocument {
      guard let spec = UpdatedSpec(path: path, bytes: bytes, into: &bag) else { continue }
      paths.append(path)
      specs[path] = spec
      for request in spec.requests {
        byCall[request.call] = requests.count
        request.name.map { byName[Self.key(path, request.call.method, $0), default: []].append(requests.count) }
        let node = spec.editor.value(at: request.path)
        requests.append(Request(spec: path, call: request.call, label: request.label, name: request.name, node: node))
      }
    }
  }

  func exact(_ call: RequestCall) -> Request? { byCall[call].map { requests[$0] } }

  /// The operation that a request calls: the one with the most segments as written.
  func request(for call: RequestCall) -> Request? {
    if let exact = exact(call) { return exact }
    let likely = requests.compactMap { request in request.call.likeness(to: call).map { ($0, request) } }
    return likely.max { $0.0 < $1.0 }?.1
  }

  /// The operation of the same method and path, or else the one of the same name whose path has changed.
  func request(replacing old: Request) -> Request? {
    if let same = exact(old.call) { return same }
    guard let name = old.name, let places = byName[Self.key(old.spec, old.call.method, name)], places.count == 1
    else { return nil }
    return requests[places[0]]
  }

  /// The key of a name: the file of boundaries repeats requests of the spec.
  private static func key(_ spec: String, _ method: String, _ name: String) -> String {
    "\(spec.hasSuffix(".boundaries.yaml")) \(method) \(name)"
  }
}

extension YAMLNode {
  /// The names that a spec declares for the files that it needs and for its secrets.
  fileprivate var suppliers: Set<String> {
    Set((self["needs"]?.members?.map(\.key) ?? []) + (self["secrets"]?.items?.compactMap { $0.scalar?.text } ?? []))
  }

  /// Compares mappings without one of their keys.
  fileprivate func isSame(as other: YAMLNode, exceptFor key: String) -> Bool {
    let (own, others) = (members?.filter { $0.key != key }, other.members?.filter { $0.key != key })
    guard let own, let others, own.count == others.count else { return false }
    return zip(own, others).allSatisfy { $0.key == $1.key && $0.value.isSame(as: $1.value) }
  }
}
