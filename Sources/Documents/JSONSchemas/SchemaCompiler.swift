import DocumentQueries
import Values

/// Compiles schemas, anywhere in documents, to one ``SchemaSet``.
///
/// ```swift
/// var compiler = SchemaCompiler(options: SchemaOptions(dialect: .openAPI30), fetch: { url in … })
/// compiler.add(document, isSchema: false)                   // an OpenAPI document isn't a schema itself
/// let user = compiler.schema(at: node, of: document)         // any node of `document.json`
/// let set = compiler.finish()                                // compiles the requested schemas and their references
/// guard compiler.problems.isEmpty else { … }                 // diagnostics with places; broken schemas have no effect
/// let result = set.validate(body.root, against: user)        // thread-safe; a node of any JSONDocument
/// ```
///
/// Only what is reachable is compiled; a schema that several refer to is compiled once.
package struct SchemaCompiler {
  /// The document at an absolute URL, without a fragment.
  package typealias Fetch = (_ url: String) throws(SchemaFetchProblem) -> SchemaDocument

  let options: SchemaOptions
  let fetch: Fetch
  var bag = DiagnosticBag()
  var documents: [SchemaDocument] = []
  var resources: [SchemaResource] = []
  var nodes: [SchemaNode] = []
  /// The anchors that any `$dynamicRef` names.
  var dynamicNames: Set<String> = []
  /// The number of ``nodes`` that an earlier ``finish()`` has checked.
  private var finished = 0
  private var documentNumbers: [ObjectIdentifier: Int] = [:]
  /// Resources by their absolute URLs.
  var resourceNumbers: [String: Int] = [:]
  /// Unavailable documents, each reported once, with the severity.
  var missing: [String: Severity] = [:]
  /// The resource of each schema that was visited.
  var owners: [NodeKey: Int] = [:]
  private var ids: [NodeKey: SchemaID] = [:]
  /// The members of large objects by their names.
  var memberTables: [NodeKey: [String: JSONNode]] = [:]
  private var queue: [(id: SchemaID, node: JSONNode)] = []
  /// Schemas under names that are not keywords, until all references are known.
  var misplaced: [Misplaced] = []
  /// The schemas that were requested, not only referred to.
  var asked: [SchemaID] = []

  package init(options: SchemaOptions, fetch: @escaping Fetch) {
    self.options = options
    self.fetch = fetch
  }

  /// The problems in the schemas so far.
  package var problems: [Diagnostic] { bag.diagnostics }

  // MARK: Documents

  /// Adds a document, once, so that references find it.
  ///
  /// - Parameters:
  ///   - isSchema: true for a schema as a whole; otherwise its schemas are those requested and referred to.
  ///   - outer: the dialect of a document without `$schema`; nil for that of the options.
  @discardableResult
  package mutating func add(
    _ document: SchemaDocument, isSchema: Bool = true, dialect outer: SchemaDialect? = nil
  ) -> Int {
    if let known = documentNumbers[ObjectIdentifier(document)] { return known }
    let number = documents.count
    documents.append(document)
    documentNumbers[ObjectIdentifier(document)] = number
    let own = URIReference(document.url)
    var url = own
    var dialect = outer ?? options.dialect
    if isSchema {
      let words = IdentifyingKeywords(document.root)
      if let text = words.schema?.string, let named = self.dialect(text, at: words.schema, in: number) {
        dialect = named
      }
      if let id = words.id(in: dialect) {
        url = URIReference(id).resolved(against: own)
        url.fragment = nil
      }
    }
    let resource = resources.count
    resources.append(SchemaResource(url: url, document: number, root: document.root, dialect: dialect))
    resourceNumbers[own.withoutFragment] = resource
    resourceNumbers[url.withoutFragment] = resource
    if isSchema { scan(document.root, in: resource) }
    return number
  }

  /// The schema at a node of a document; ``finish()`` compiles it with all that it leads to.
  package mutating func schema(at node: JSONNode, of document: SchemaDocument) -> SchemaID {
    let number = add(document, isSchema: node.position == 0)
    return asked(schema(at: node, in: number, resource: owner(of: node, in: number)))
  }

  /// The schema that a pointer leads to from the root of a document; nil if there is nothing.
  package mutating func schema(at pointer: String, of document: SchemaDocument) -> SchemaID? {
    guard let node = JSONPointer.path(pointer, from: document.root)?.last else { return nil }
    let number = add(document, isSchema: true)
    return asked(schema(at: node, in: number, resource: owner(of: node, in: number)))
  }

  /// The schema that a reference such as `#/$defs/user` leads to, written at a place outside of the document.
  package mutating func schema(
    referredToBy reference: String, in document: SchemaDocument, at range: SourceRange
  ) -> SchemaID? {
    let number = add(document)
    let resource = owner(of: document.root, in: number)
    return target(of: reference, from: resource, at: range).map { asked($0.id) }
  }

  /// Registers the `$id` and `$anchor` of schemas before others refer to them.
  package mutating func register(_ schemas: [JSONNode], of document: SchemaDocument) {
    let number = add(document, isSchema: false)
    for node in schemas { scan(node, in: owner(of: node, in: number)) }
  }

  /// The compiled schemas; see ``problems`` for errors.
  package mutating func finish() -> SchemaSet {
    var named = 0
    repeat {
      while let next = queue.popLast() { compile(next.node, as: next.id) }
      named = dynamicNames.count
      for number in resources.indices {
        for (name, node) in resources[number].dynamicAnchors where dynamicNames.contains(name) {
          _ = schema(at: node, in: resources[number].document, resource: number)
        }
      }
    } while !queue.isEmpty || named != dynamicNames.count
    checkMisplaced()
    let compiledResources = resources.map { resource in
      var result = CompiledResource()
      for (name, node) in resource.dynamicAnchors {
        result.dynamicAnchors[name] = ids[NodeKey(resource.document, node)]
      }
      return result
    }
    // The targets of names that are looked up during validation may have changed.
    findCircles(compiledResources, from: dynamicNames.isEmpty ? finished : 0)
    finished = nodes.count
    return SchemaSet(nodes: nodes, resources: compiledResources, documents: documents)
  }

  private mutating func asked(_ id: SchemaID) -> SchemaID {
    asked.append(id)
    return id
  }

  // MARK: Schemas

  /// Returns whether a node was requested or referred to as a schema.
  func isCompiled(_ node: JSONNode, in document: Int) -> Bool { ids[NodeKey(document, node)] != nil }

  /// The resource that a node belongs to: that of the nearest schema around it.
  private func owner(of node: JSONNode, in document: Int) -> Int {
    let own = resources.indices.lazy.filter { resources[$0].document == document }
    // Among the members of a large document, the search takes long; most documents are a single resource.
    guard own.prefix(2).count > 1 else { return own.first ?? 0 }
    let pointer = JSONPointer.pointer(to: node)
    return owner(along: JSONPointer.path(pointer, from: documents[document].root) ?? [], in: document)
      ?? own.first ?? 0
  }

  func owner(along path: [JSONNode], in document: Int) -> Int? {
    for node in path.reversed() {
      if let known = owners[NodeKey(document, node)] { return known }
    }
    return nil
  }

  func resource(of node: JSONNode, in document: Int) -> Int { owners[NodeKey(document, node)] ?? 0 }

  /// The identity of a schema, which is compiled later.
  mutating func schema(at node: JSONNode, in document: Int, resource: Int) -> SchemaID {
    let key = NodeKey(document, node)
    if let known = ids[key] { return known }
    if owners[key] == nil { scan(node, in: resource) }
    let id = SchemaID(nodes.count)
    ids[key] = id
    nodes.append(
      SchemaNode(
        document: key.document, place: key.place, resource: Int32(truncatingIfNeeded: owners[key] ?? resource)))
    queue.append((id, node))
    return id
  }
}
