import DocumentQueries
import Values

/// Targets of references, in this document and in others.
extension SchemaCompiler {
  /// The target of a reference; nil, and a problem, if there is none.
  mutating func target(of text: String, from resource: Int, at range: SourceRange) -> (
    id: SchemaID, dynamicAnchor: String?
  )? {
    let url = URIReference(text).resolved(against: resources[resource].url)
    guard let found = self.resource(at: url, range: range, from: resources[resource].dialect) else { return nil }
    let (owner, number) = (resources[found], found)
    guard let fragment = URIReference.percentDecoded(url.fragment ?? "") else {
      bag.error(.unresolvedReference, "the fragment of the reference is not percent-encoded UTF-8", at: range)
      return nil
    }
    if fragment.isEmpty { return (schema(at: owner.root, in: owner.document, resource: number), nil) }
    if fragment.hasPrefix("/") {
      let steps = JSONPointer.path(fragment, from: owner.root) { member($1, of: $0, in: owner.document) }
      guard let path = steps, let node = path.last else {
        bag.error(
          .unresolvedReference, "there is nothing at `#\(fragment)` of \(name(of: found, from: resource))", at: range,
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
        .unresolvedReference, "\(name(of: found, from: resource)) has no anchor `\(fragment)`", at: range,
        help: nearest.map { "did you mean `#\($0)`?" } ?? "a JSON Pointer begins with `#/`")
      return nil
    }
    return (schema(at: node, in: owner.document, resource: number), nil)
  }

  /// A member that many references may lead to.
  private mutating func member(_ name: String, of object: JSONNode, in document: Int) -> JSONNode? {
    guard object.count > 16 else { return object[member: name] }
    let key = NodeKey(document, object)
    if memberTables[key] == nil {
      memberTables[key] = Dictionary(object.members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }
    return memberTables[key]?[name]
  }

  /// A description of how far a pointer leads, and of what is there.
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

  /// The resource at a URL, fetched if it is unknown.
  ///
  /// - Parameter dialect: the dialect of the referring schema, which also applies to a document without `$schema`.
  mutating func resource(at url: URIReference, range: SourceRange, from dialect: SchemaDialect? = nil) -> Int? {
    let wanted = url.withoutFragment
    if let known = resourceNumbers[wanted] { return known }
    guard missing[wanted] == nil else { return nil }
    do throws(SchemaFetchProblem) {
      let document: SchemaDocument
      if let standard = MetaSchemas.document(wanted) { document = standard } else { document = try fetch(wanted) }
      add(document, isSchema: true, dialect: dialect)
      if let known = resourceNumbers[wanted] { return known }
      let known = resources.firstIndex { documents[$0.document] === document }
      resourceNumbers[wanted] = known
      return known
    } catch {
      missing[wanted] = error.severity
      bag.add(contentsOf: error.diagnostics)
      bag.add(Diagnostic(error.severity, error.code, error.message, at: range, help: error.help))
      return nil
    }
  }
}
