package import Diagnostics
package import JSONQueries

/// Compiles schemas, wherever they stand in documents, into one ``SchemaSet``.
///
/// ```swift
/// var compiler = SchemaCompiler(options: SchemaOptions(dialect: .openAPI30), fetch: { url in … })
/// compiler.add(document, isSchema: false)                   // an OpenAPI document is no schema itself
/// let user = compiler.schema(at: node, of: document)         // any node of `document.json`
/// let set = compiler.finish()                                // compiles what was asked for and what it leads to
/// guard compiler.problems.isEmpty else { … }                 // diagnostics with places; what is broken asks nothing
/// let result = set.validate(body.root, against: user)        // thread-safe; a node of any JSONDocument
/// ```
///
/// Only what is reachable is compiled; a schema that several refer to is compiled once.
package struct SchemaCompiler {
  /// The document at an absolute URL, without a fragment.
  package typealias Fetch = (_ url: String) throws(SchemaFetchProblem) -> SchemaDocument

  let options: SchemaOptions
  private let fetch: Fetch
  var bag = DiagnosticBag()
  var documents: [SchemaDocument] = []
  var resources: [SchemaResource] = []
  var nodes: [SchemaNode] = []
  /// The anchors that `$dynamicRef` names anywhere.
  var dynamicNames: Set<String> = []
  /// How many of ``nodes`` an earlier ``finish()`` has looked at.
  private var finished = 0
  private var documentNumbers: [ObjectIdentifier: Int] = [:]
  /// Resources by their absolute URLs.
  private var resourceNumbers: [String: Int] = [:]
  /// What could not be had, which is told once, and how grave that is.
  private var missing: [String: Severity] = [:]
  /// The resource of each schema that was looked at.
  private var owners: [NodeKey: Int] = [:]
  private var ids: [NodeKey: SchemaID] = [:]
  /// The members of large objects by their names.
  private var memberTables: [NodeKey: [String: JSONNode]] = [:]
  private var queue: [(id: SchemaID, node: JSONNode)] = []

  package init(options: SchemaOptions, fetch: @escaping Fetch) {
    self.options = options
    self.fetch = fetch
  }

  /// What is wrong with the schemas so far.
  package var problems: [Diagnostic] { bag.diagnostics }

  // MARK: Documents

  /// Adds a document, once, so that references find it.
  ///
  /// - Parameter isSchema: whether it is a schema as a whole; else its schemas are those asked for and referred to.
  @discardableResult
  package mutating func add(_ document: SchemaDocument, isSchema: Bool = true) -> Int {
    if let known = documentNumbers[ObjectIdentifier(document)] { return known }
    let number = documents.count
    documents.append(document)
    documentNumbers[ObjectIdentifier(document)] = number
    let own = URIReference(document.url)
    var url = own
    var dialect = options.dialect
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

  /// The schema at a node of a document, which is compiled with all that it leads to when this is finished.
  package mutating func schema(at node: JSONNode, of document: SchemaDocument) -> SchemaID {
    let number = add(document, isSchema: node.position == 0)
    return schema(at: node, in: number, resource: owner(of: node, in: number))
  }

  /// The schema that a pointer leads to from the root of a document; nil if there is nothing.
  package mutating func schema(at pointer: String, of document: SchemaDocument) -> SchemaID? {
    guard let node = JSONPointer.path(pointer, from: document.root)?.last else { return nil }
    let number = add(document, isSchema: true)
    return schema(at: node, in: number, resource: owner(of: node, in: number))
  }

  /// The schema that a reference such as `#/$defs/user` leads to, written at a place outside of the document.
  package mutating func schema(
    referredToBy reference: String, in document: SchemaDocument, at range: SourceRange
  ) -> SchemaID? {
    let number = add(document)
    let resource = owner(of: document.root, in: number)
    return target(of: reference, from: resource, at: range)?.id
  }

  /// Looks for the `$id` and `$anchor` of schemas that others may refer to by them before they are asked for.
  package mutating func register(_ schemas: [JSONNode], of document: SchemaDocument) {
    let number = add(document, isSchema: false)
    for node in schemas { scan(node, in: owner(of: node, in: number)) }
  }

  /// The compiled schemas; what is wrong is in ``problems``.
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
    let compiledResources = resources.map { resource in
      var result = CompiledResource()
      for (name, node) in resource.dynamicAnchors {
        result.dynamicAnchors[name] = ids[NodeKey(resource.document, node)]
      }
      return result
    }
    // What names that are looked up while validating lead to may have changed.
    findCircles(compiledResources, from: dynamicNames.isEmpty ? finished : 0)
    finished = nodes.count
    return SchemaSet(nodes: nodes, resources: compiledResources, documents: documents)
  }

  // MARK: Schemas

  /// The resource that a node belongs to: that of the nearest schema around it.
  private func owner(of node: JSONNode, in document: Int) -> Int {
    let pointer = JSONPointer.pointer(to: node)
    return owner(along: JSONPointer.path(pointer, from: documents[document].root) ?? [], in: document)
      ?? resources.firstIndex { $0.document == document } ?? 0
  }

  private func owner(along path: [JSONNode], in document: Int) -> Int? {
    for node in path.reversed() {
      if let known = owners[NodeKey(document, node)] { return known }
    }
    return nil
  }

  func resource(of node: JSONNode, in document: Int) -> Int { owners[NodeKey(document, node)] ?? 0 }

  /// The identity of a schema; it is compiled later.
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

  // MARK: References

  /// What a reference leads to; nil, and a problem, if there is nothing.
  mutating func target(of text: String, from resource: Int, at range: SourceRange) -> (
    id: SchemaID, dynamicAnchor: String?
  )? {
    let url = URIReference(text).resolved(against: resources[resource].url)
    guard let found = self.resource(at: url, range: range) else { return nil }
    let (owner, number) = (resources[found], found)
    guard let fragment = URIReference.percentDecoded(url.fragment ?? "") else {
      bag.error("the fragment of the reference is not percent-encoded UTF-8", at: range)
      return nil
    }
    if fragment.isEmpty { return (schema(at: owner.root, in: owner.document, resource: number), nil) }
    if fragment.hasPrefix("/") {
      let steps = JSONPointer.path(fragment, from: owner.root) { member($1, of: $0, in: owner.document) }
      guard let path = steps, let node = path.last else {
        bag.error(
          "there is nothing at `#\(fragment)` of \(name(of: found, from: resource))", at: range,
          help: dangling(fragment, owner.root))
        return nil
      }
      let around = self.owner(along: path, in: owner.document) ?? number
      return (schema(at: node, in: owner.document, resource: around), nil)
    }
    if let node = owner.dynamicAnchors[fragment] {
      return (schema(at: node, in: owner.document, resource: number), fragment)
    }
    guard let node = owner.anchors[fragment] else {
      let known = owner.anchors.keys.sorted() + owner.dynamicAnchors.keys.sorted()
      let nearest = nearestWord(to: fragment, among: known)
      bag.error(
        "\(name(of: found, from: resource)) has no anchor `\(fragment)`", at: range,
        help: nearest.map { "did you mean `#\($0)`?" } ?? "a JSON Pointer begins with `#/`")
      return nil
    }
    return (schema(at: node, in: owner.document, resource: number), nil)
  }

  /// A member, which many references may lead to.
  private mutating func member(_ name: String, of object: JSONNode, in document: Int) -> JSONNode? {
    guard object.count > 16 else { return object[member: name] }
    let key = NodeKey(document, object)
    if memberTables[key] == nil {
      memberTables[key] = Dictionary(object.members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }
    return memberTables[key]?[name]
  }

  /// How far a pointer leads, and what there is.
  private func dangling(_ pointer: String, _ root: JSONNode) -> String? {
    let tokens = pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for length in (0..<tokens.count).reversed() {
      let prefix = tokens.prefix(length).map { "/" + $0 }.joined()
      guard let node = JSONPointer.path(prefix, from: root)?.last else { continue }
      let names = node.members.map { JSONPointer.escaped($0.key) }
      let nearest = nearestWord(to: String(tokens[length]), among: names)
      return nearest.map { "did you mean `#\(prefix)/\($0)`?" }
    }
    return nil
  }

  private func name(of resource: Int, from own: Int) -> String {
    let document = documents[resources[resource].document]
    return resource == own ? "this schema" : document.source.name
  }

  private mutating func resource(at url: URIReference, range: SourceRange) -> Int? {
    let wanted = url.withoutFragment
    if let known = resourceNumbers[wanted] { return known }
    guard missing[wanted] == nil else { return nil }
    do throws(SchemaFetchProblem) {
      let document: SchemaDocument
      if let standard = MetaSchemas.document(wanted) { document = standard } else { document = try fetch(wanted) }
      add(document)
      if let known = resourceNumbers[wanted] { return known }
      let known = resources.firstIndex { documents[$0.document] === document }
      resourceNumbers[wanted] = known
      return known
    } catch {
      missing[wanted] = error.severity
      bag.add(contentsOf: error.diagnostics)
      bag.add(Diagnostic(error.severity, error.message, at: range, help: error.help))
      return nil
    }
  }

  // MARK: Dialects

  /// The dialect that a `$schema` names.
  private mutating func dialect(_ text: String, at node: JSONNode?, in document: Int) -> SchemaDialect? {
    if var known = SchemaDialect.named(text) {
      known.allowsCircles = known.allowsCircles || options.dialect.allowsCircles
      return known
    }
    let range = node.map { documents[document].range(of: $0) } ?? SourceRange(documents[document].source, 0..<0)
    let url = URIReference(text)
    guard url.scheme != nil, !text.contains("json-schema.org/draft-0"), !text.contains("json-schema.org/schema"),
      let number = resource(at: url, range: range)
    else {
      if missing[url.withoutFragment] == .warning { return nil }
      bag.error(
        "the draft `\(text)` is not known here", at: range,
        help: "write https://json-schema.org/draft/2020-12/schema or http://json-schema.org/draft-07/schema#")
      return nil
    }
    let root = resources[number].root
    var result = root[member: "$schema"].flatMap { SchemaDialect.named($0.string) } ?? .draft202012
    guard let vocabulary = root[member: "$vocabulary"] else { return result }
    result.vocabularies = []
    for member in vocabulary.members {
      let name = member.key.split(separator: "/").last ?? ""
      switch (member.key.hasPrefix("https://json-schema.org/draft/"), name) {
      case (true, "applicator"): result.vocabularies.insert(.applicator)
      case (true, "validation"): result.vocabularies.insert(.validation)
      case (true, "unevaluated"): result.vocabularies.insert(.unevaluated)
      case (true, "format-assertion"): result.vocabularies.insert(.formatAssertion)
      case (true, _): break
      default:
        guard member.value.text == "true" else { break }
        bag.error("`$schema` needs the vocabulary \(member.key), which is not known here", at: range)
      }
    }
    // Draft 2019-09 has these two in one.
    if result.version == .draft2019, result.vocabularies.contains(.applicator) {
      result.vocabularies.insert(.unevaluated)
    }
    return result
  }

  // MARK: Identifiers

  /// Looks for what names schemas: in this one and all within it.
  private mutating func scan(_ schema: JSONNode, in resource: Int) {
    var stack = [(schema, resource)]
    let document = resources[resource].document
    while let (node, outer) = stack.popLast() {
      let key = NodeKey(document, node)
      guard owners[key] == nil else { continue }
      let words = node.kind == .mapping ? IdentifyingKeywords(node) : IdentifyingKeywords()
      let own = self.resource(of: node, words, in: outer)
      owners[key] = own
      let dialect = resources[own].dialect
      name(node, words, in: own)
      stack += dialect.subschemas(of: node).map { ($0, own) }
    }
  }

  /// The resource of a schema: a new one where it has an `$id` of its own.
  private mutating func resource(of node: JSONNode, _ words: IdentifyingKeywords, in outer: Int) -> Int {
    let owner = resources[outer]
    guard node.position != owner.root.position, let text = words.id(in: owner.dialect) else { return outer }
    var url = URIReference(text).resolved(against: owner.url)
    url.fragment = nil
    if url.withoutFragment == owner.url.withoutFragment { return outer }
    var dialect = owner.dialect
    if let schema = words.schema, let named = self.dialect(schema.string, at: schema, in: owner.document) {
      dialect = named
    }
    let number = resources.count
    resources.append(SchemaResource(url: url, document: owner.document, root: node, dialect: dialect))
    // A URL that two schemas claim stays with the first.
    if resourceNumbers[url.withoutFragment] == nil { resourceNumbers[url.withoutFragment] = number }
    return number
  }

  private mutating func name(_ node: JSONNode, _ words: IdentifyingKeywords, in resource: Int) {
    let dialect = resources[resource].dialect
    if dialect.version <= .draft7 {
      guard words.reference == nil, let id = words.id, id.kind == .text else { return }
      if let fragment = URIReference(id.string).fragment, !fragment.isEmpty {
        resources[resource].anchors[fragment] = node
      }
      return
    }
    if let anchor = words.anchor, anchor.kind == .text { resources[resource].anchors[anchor.string] = node }
    if let anchor = words.dynamicAnchor, anchor.kind == .text {
      resources[resource].dynamicAnchors[anchor.string] = node
    }
    if dialect.version == .draft2019, words.recursiveAnchor?.text == "true" {
      resources[resource].dynamicAnchors[""] = node
    }
  }
}

/// Why a document cannot be had.
package struct SchemaFetchProblem: Error {
  package let message: String
  package let help: String?
  /// What is wrong in the document itself.
  package let diagnostics: [Diagnostic]
  /// A warning where nothing is wrong with the reference; what is missing then asks nothing.
  package let severity: Severity

  package init(
    _ message: String, help: String? = nil, diagnostics: [Diagnostic] = [], severity: Severity = .error
  ) {
    self.message = message
    self.help = help
    self.diagnostics = diagnostics
    self.severity = severity
  }
}

/// The keywords that say what a schema is called, and what it is.
private struct IdentifyingKeywords {
  var id: JSONNode?
  var schema: JSONNode?
  var anchor: JSONNode?
  var dynamicAnchor: JSONNode?
  var recursiveAnchor: JSONNode?
  var reference: JSONNode?

  init() {}

  init(_ node: JSONNode) {
    guard node.kind == .mapping else { return }
    var name = node.firstChild
    for _ in 0..<node.count {
      let value = name.following
      if name.utf8.first == UInt8(ascii: "$") {
        switch name.string {
        case "$id": id = value
        case "$schema": schema = value
        case "$anchor": anchor = value
        case "$dynamicAnchor": dynamicAnchor = value
        case "$recursiveAnchor": recursiveAnchor = value
        case "$ref": reference = value
        default: break
        }
      }
      name = value.following
    }
  }

  /// The `$id` where it gives a URL and not a mere name.
  func id(in dialect: SchemaDialect) -> String? {
    guard dialect.version != .openAPI30, let id, id.kind == .text else { return nil }
    if dialect.ignoresSiblingsOfReferences, reference != nil { return nil }
    let text = id.string
    return text.hasPrefix("#") ? nil : text
  }
}
