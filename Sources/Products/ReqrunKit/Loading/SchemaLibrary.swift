import JSONSchemas
import OperatingSystem
import RequestSpecs
import SpecExecution
import Synchronization
import Values

/// The schemas of a run: each file is read once, and a schema that several requests name is compiled once.
///
/// Schemas that refer to remote ones are compiled again when those have been fetched: see ``takeWanted()``.
final class SchemaLibrary: Sendable {
  private let fileAccess: @Sendable (_ spec: String) -> FileAccess
  private let network: SchemaNetwork
  private let state = Mutex(State())

  private struct State {
    /// Documents by their absolute paths and URLs.
    var documents: [String: Result<SchemaDocument, SchemaFetchProblem>] = [:]
    var compiled: [SchemaKey: (schema: CompiledSchema?, problems: [Values.Diagnostic])] = [:]
    var wanted = WantedSchemas()
  }

  /// The identity of a schema.
  private struct SchemaKey: Hashable {
    let content: String
    let resources: [String]
    let options: SchemaOptions
    let root: String
  }

  init(network: SchemaNetwork, fileAccess: @escaping @Sendable (_ spec: String) -> FileAccess) {
    self.network = network
    self.fileAccess = fileAccess
  }

  /// The documents to fetch before the specs that refer to them are planned again; nil for none.
  func takeWanted() -> WantedSchemas? {
    state.withLock { state in
      defer { state.wanted = WantedSchemas() }
      return state.wanted.urls.isEmpty ? nil : state.wanted
    }
  }

  func add(_ document: Result<SchemaDocument, SchemaFetchProblem>, at url: String) {
    state.withLock { $0.documents[url] = document }
  }

  /// Compiles a schema that a spec names or contains; nil, with problems in the bag, if it is invalid.
  func schema(_ spec: SchemaSpec, of specPath: String, into bag: inout DiagnosticBag) -> CompiledSchema? {
    let access = fileAccess(specPath)
    var paths: [String] = []
    for resource in spec.resources {
      if let path = locate(resource, access, into: &bag) { paths.append(path) }
    }
    guard paths.count == spec.resources.count, let (content, fragment) = content(of: spec, access, into: &bag) else {
      return nil
    }
    let key = SchemaKey(content: content, resources: paths, options: spec.options, root: access.root ?? "")
    let (schema, problems) = state.withLock { state in
      if let known = state.compiled[key] { return known }
      let loading = SchemaLoading(
        documents: SchemaDocuments(access: access, network: network, known: state.documents))
      let found = loading.compile(spec, at: content, fragment: fragment, resources: paths)
      state.documents = loading.documents.known
      if loading.documents.wanted.isEmpty {
        state.compiled[key] = found
      } else {
        state.wanted.add(loading.documents.wanted, for: specPath)
      }
      return found
    }
    bag.add(contentsOf: problems)
    return schema
  }

  /// The identity of the schema, and the fragment of its path.
  private func content(
    of spec: SchemaSpec, _ access: FileAccess, into bag: inout DiagnosticBag
  ) -> (String, fragment: String)? {
    switch spec.content {
    case .inline:
      let place = canonicalPath(spec.range.source.name) ?? spec.range.source.name
      return ("\(SchemaURL.file(place))?\(spec.range.bytes.lowerBound)", "")
    case .file(let path):
      let parts = path.value.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      guard let file = locate(Located(String(parts[0]), at: path.range), access, into: &bag) else {
        return nil
      }
      return (file + (parts.count > 1 ? "#" + parts[1] : ""), parts.count > 1 ? String(parts[1]) : "")
    }
  }

  /// The absolute path of a file, or a remote URL.
  private func locate(
    _ path: Located<String>, _ access: FileAccess, into bag: inout DiagnosticBag
  ) -> String? {
    if SchemaURL.isRemote(path.value) {
      guard network == .refused else { return path.value }
      bag.error(
        .unresolvedReference, "schemas are not fetched from the network", at: path.range,
        help: "save it in a file, and name that file; or allow it with --remote-schemas")
      return nil
    }
    do throws(DecodingProblem) {
      return try access.locate(path.value, beside: path.range.source.name)
    } catch {
      bag.error(error.code, error.message, at: path.range, help: error.help)
      return nil
    }
  }
}

/// Loads one schema with all that it refers to.
private struct SchemaLoading {
  let documents: SchemaDocuments

  func compile(
    _ spec: SchemaSpec, at content: String, fragment: String, resources: [String]
  ) -> (schema: CompiledSchema?, problems: [Values.Diagnostic]) {
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
    let schema = id.map { CompiledSchema(set: set, id: $0) }
    if schema?.asksNothing == true, !documents.lacksSome, !bag.hasErrors,
      !compiler.problems.contains(where: { $0.severity == .error })
    {
      bag.error(
        .invalidSchema, "the schema asks nothing: every body is valid against it", at: spec.range,
        help: compiler.problems.first?.help ?? "a schema has keywords such as `type`, `properties` or `required`")
      return (nil, bag.diagnostics)
    }
    bag.add(contentsOf: compiler.problems)
    guard let schema, !bag.hasErrors else { return (nil, bag.diagnostics) }
    return (schema, bag.diagnostics)
  }

  private func document(_ path: String, _ spec: SchemaSpec, into bag: inout DiagnosticBag) -> SchemaDocument? {
    do throws(SchemaFetchProblem) {
      return try documents.document(
        at: SchemaURL.isRemote(path) ? SchemaURL.withoutFragment(path) : SchemaURL.file(path))
    } catch {
      bag.add(contentsOf: error.diagnostics)
      if error.diagnostics.isEmpty {
        bag.add(Values.Diagnostic(error.severity, error.code, error.message, at: spec.range, help: error.help))
      }
      return nil
    }
  }
}
