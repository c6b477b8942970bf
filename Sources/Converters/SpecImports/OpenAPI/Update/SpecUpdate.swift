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
  package internal(set) var files: Files = []
  package internal(set) var changes: [Change] = []

  let old: ImportedSpecs
  let new: ImportedSpecs
  /// The calls that the specs make already.
  private(set) var known: Set<RequestCall> = []
  /// The places of the last requests of new files: the index of the spec, and the request.
  var siblings: [Stage: (spec: Int, path: [YAMLEditor.Step])] = [:]

  /// The specs none of whose requests is in the document any more.
  private var emptied: [Int] = []

  /// The requests of a new file, or its teardown.
  struct Stage: Hashable {
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
    for index in emptied { removeRequests(from: &specs[index]) }
    for index in specs.indices { removeDeclarations(from: &specs, at: index) }
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
      // There may be new ones.
      emptied.append(index)
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

  /// Makes comments of the requests that aren't in the document any more, if others are left.
  private mutating func removeRequests(from spec: inout UpdatedSpec) {
    var ignored = DiagnosticBag()
    let requests = UpdatedSpec(path: spec.path, bytes: spec.editor.utf8, into: &ignored)?.requests ?? []
    // One that was added may be like an old one.
    let removed = requests.filter { request in
      new.exact(request.call) == nil
        && old.request(for: request.call).map { new.request(replacing: $0) == nil } ?? false
    }
    guard let first = removed.first else { return }
    var merge = SpecMerge(path: spec.path, editor: spec.editor)
    merge.changes = changes
    if removed.count == requests.count {
      merge.leave("the document has none of these operations any more: remove them, or the file", at: first.path)
    } else {
      for request in removed.sorted(by: { $1.path.isBefore($0.path) }) {
        let label = old.request(for: request.call)?.label ?? request.label
        merge.commentOut(request.path, "\(label) is not in the document any more")
      }
    }
    (spec.editor, changes) = (merge.editor, merge.changes)
  }

  /// Removes variables and needs that the document doesn't have any more and that nothing reads.
  private mutating func removeDeclarations(from specs: inout [UpdatedSpec], at index: Int) {
    let spec = specs[index]
    guard let before = old.specs[spec.path]?.editor.document, let after = new.specs[spec.path]?.editor.document else {
      return
    }
    var merge = SpecMerge(path: spec.path, editor: spec.editor)
    merge.changes = changes
    merge.removeDeclarations(before, after) {
      // All specs read the variables of their project.
      let readers = isProjectName(spec.path) ? specs : [spec]
      return readers.reduce(into: []) { $0.formUnion($1.editor.document.readNames) }
    }
    (specs[index].editor, changes) = (merge.editor, merge.changes)
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

  // MARK: files

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
    /// The part of the specs in which its name is unique.
    let scope: String
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
        request.name.map {
          byName[Self.key(request.scope, request.call.method, $0), default: []].append(requests.count)
        }
        let node = spec.editor.value(at: request.path)
        requests.append(
          Request(
            spec: path, call: request.call, label: request.label, name: request.name, scope: request.scope, node: node))
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
    guard let name = old.name, let places = byName[Self.key(old.scope, old.call.method, name)], places.count == 1
    else { return nil }
    return requests[places[0]]
  }

  private static func key(_ scope: String, _ method: String, _ name: String) -> String {
    "\(scope) \(method) \(name)"
  }
}

extension YAMLNode {
  /// Compares mappings without one of their keys.
  fileprivate func isSame(as other: YAMLNode, exceptFor key: String) -> Bool {
    let (own, others) = (members?.filter { $0.key != key }, other.members?.filter { $0.key != key })
    guard let own, let others, own.count == others.count else { return false }
    return zip(own, others).allSatisfy { $0.key == $1.key && $0.value.isSame(as: $1.value) }
  }
}
