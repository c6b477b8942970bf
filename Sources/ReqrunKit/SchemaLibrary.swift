import Diagnostics
import JSONSchemas
import OperatingSystem
import RequestSpecs
import SpecExecution
import Synchronization

/// The schemas of a run: each file is read once, and what several requests name alike is compiled once.
final class SchemaLibrary: Sendable {
  private let fileRoot: @Sendable (_ spec: String) -> String
  private let shelves = Mutex(Shelves())

  private struct Shelves {
    var documents: [String: Result<SchemaDocument, SchemaFetchProblem>] = [:]
    var compiled: [SchemaKey: (schema: CompiledSchema?, problems: [Diagnostic])] = [:]
  }

  /// What makes two schemas the same.
  private struct SchemaKey: Hashable {
    let content: String
    let resources: [String]
    let options: SchemaOptions
    let root: String
  }

  init(fileRoot: @escaping @Sendable (_ spec: String) -> String) {
    self.fileRoot = fileRoot
  }

  /// The schema that a spec names or holds, compiled; nil, and what is wrong in the bag, if it is none.
  func schema(_ spec: SchemaSpec, of specPath: String, into bag: inout DiagnosticBag) -> CompiledSchema? {
    let root = fileRoot(specPath)
    let access = FileAccess(root: root)
    var paths: [String] = []
    for resource in spec.resources {
      if let path = locate(resource, access, into: &bag) { paths.append(path) }
    }
    guard paths.count == spec.resources.count, let (content, fragment) = content(of: spec, access, into: &bag) else {
      return nil
    }
    let key = SchemaKey(content: content, resources: paths, options: spec.options, root: root)
    let (schema, problems) = shelves.withLock { shelves in
      if let known = shelves.compiled[key] { return known }
      var loading = SchemaLoading(access: access, documents: shelves.documents)
      let found = loading.compile(spec, at: content, fragment: fragment, resources: paths)
      shelves.documents = loading.documents.known
      shelves.compiled[key] = found
      return found
    }
    bag.add(contentsOf: problems)
    return schema
  }

  /// What the schema is known by, and the fragment of its path.
  private func content(
    of spec: SchemaSpec, _ access: FileAccess, into bag: inout DiagnosticBag
  ) -> (String, fragment: String)? {
    switch spec.content {
    case .inline:
      let place = canonicalPath(spec.range.source.name) ?? spec.range.source.name
      return ("\(SchemaURL.file(place))?\(spec.range.bytes.lowerBound)", "")
    case .file(let path):
      let parts = path.value.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      guard let file = locate(Located(String(parts[0]), at: path.range), access, into: &bag) else { return nil }
      return (file + (parts.count > 1 ? "#" + parts[1] : ""), parts.count > 1 ? String(parts[1]) : "")
    }
  }

  private func locate(
    _ path: Located<String>, _ access: FileAccess, into bag: inout DiagnosticBag
  ) -> String? {
    if path.value.hasPrefix("http://") || path.value.hasPrefix("https://") {
      bag.error(
        "schemas are not fetched from the network", at: path.range, help: "save it in a file, and name that file")
      return nil
    }
    do throws(DecodingProblem) {
      return try access.locate(path.value, beside: path.range.source.name)
    } catch {
      bag.error(error.message, at: path.range, help: error.help)
      return nil
    }
  }
}

/// Loads one schema with all that it refers to.
private struct SchemaLoading {
  let documents: SchemaDocuments

  init(access: FileAccess, documents: [String: Result<SchemaDocument, SchemaFetchProblem>]) {
    self.documents = SchemaDocuments(access: access, known: documents)
  }

  mutating func compile(
    _ spec: SchemaSpec, at content: String, fragment: String, resources: [String]
  ) -> (schema: CompiledSchema?, problems: [Diagnostic]) {
    var compiler = SchemaCompiler(
      options: spec.options, fetch: { [documents] url throws(SchemaFetchProblem) in try documents.document(at: url) })
    var bag = DiagnosticBag()
    for resource in resources {
      if let document = document(resource, spec, into: &bag) { compiler.add(document) }
    }
    let document: SchemaDocument
    switch spec.content {
    case .inline(let inline): document = inline.moved(to: content)
    case .file:
      let path = fragment.isEmpty ? content : String(content.dropLast(fragment.utf8.count + 1))
      guard let found = self.document(path, spec, into: &bag) else { return (nil, bag.diagnostics) }
      document = found
    }
    compiler.add(document)
    let id = compiler.schema(referredToBy: "#" + fragment, in: document, at: spec.range)
    let set = compiler.finish()
    bag.add(contentsOf: compiler.problems)
    guard let id, !bag.hasErrors else { return (nil, bag.diagnostics) }
    let schema = CompiledSchema(set: set, id: id)
    if schema.asksNothing {
      bag.error(
        "the schema asks nothing: every body is valid against it", at: spec.range,
        help: "a schema has keywords such as `type`, `properties` or `required`")
      return (nil, bag.diagnostics)
    }
    return (schema, bag.diagnostics)
  }

  private func document(_ path: String, _ spec: SchemaSpec, into bag: inout DiagnosticBag) -> SchemaDocument? {
    do throws(SchemaFetchProblem) {
      return try documents.document(at: SchemaURL.file(path))
    } catch {
      bag.add(contentsOf: error.diagnostics)
      if error.diagnostics.isEmpty { bag.error(error.message, at: spec.range, help: error.help) }
      return nil
    }
  }
}

/// The files that schemas stand in.
private final class SchemaDocuments {
  private let access: FileAccess
  private(set) var known: [String: Result<SchemaDocument, SchemaFetchProblem>]
  /// The folders of files by those of the URLs that their `$id` claims: what one refers to lies beside it.
  private var folders: [(url: String, path: String)] = []

  init(access: FileAccess, known: [String: Result<SchemaDocument, SchemaFetchProblem>]) {
    self.access = access
    self.known = known
  }

  func document(at url: String) throws(SchemaFetchProblem) -> SchemaDocument {
    if let path = SchemaURL.path(of: url) { return try file(path, for: url) }
    for folder in folders where url.hasPrefix(folder.url) {
      let path = folder.path + url.dropFirst(folder.url.count)
      if pathKind(path) == .file { return try file(path, for: url) }
    }
    throw SchemaFetchProblem(
      "there is no schema \(url) among the files: nothing is fetched from the network",
      help: "save it in a file with this `$id`, and name that file: `schema: {file: …, resources: [that file]}`")
  }

  private func file(_ path: String, for url: String) throws(SchemaFetchProblem) -> SchemaDocument {
    let name = pathFromHere(path)
    let location: String
    do throws(DecodingProblem) {
      location = try access.locate(path, beside: path)
    } catch {
      throw SchemaFetchProblem(
        pathKind(path) == .nothing
          ? "there is no file \(name) for this reference" : "\(name) lies outside the file root",
        help: pathKind(path) == .nothing ? "references are relative to the file that holds them" : error.help)
    }
    if let found = known[location] {
      let document = try found.get()
      remember(document, at: location)
      return document
    }
    do throws(SchemaFetchProblem) {
      let document = try read(location, name)
      known[location] = .success(document)
      remember(document, at: location)
      return document
    } catch {
      known[location] = .failure(error)
      throw error
    }
  }

  private func read(_ path: String, _ name: String) throws(SchemaFetchProblem) -> SchemaDocument {
    let bytes: [UInt8]
    do throws(DecodingProblem) {
      bytes = try access.read(path, beside: path)
    } catch {
      throw SchemaFetchProblem(error.message, help: error.help)
    }
    var bag = DiagnosticBag()
    guard let document = SchemaDocument(bytes: bytes, url: SchemaURL.file(path), name: name, into: &bag) else {
      throw SchemaFetchProblem("\(name) cannot be read", diagnostics: bag.diagnostics)
    }
    return document
  }

  private func remember(_ document: SchemaDocument, at path: String) {
    guard let id = document.root[member: "$id"]?.value.asText.string, let url = SchemaURL.folder(of: id),
      !folders.contains(where: { $0.url == url })
    else { return }
    folders.append((url, directory(of: path) + "/"))
  }
}
