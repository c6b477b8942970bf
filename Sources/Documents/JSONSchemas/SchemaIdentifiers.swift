import DocumentQueries
import Values

/// Names of schemas: `$id`, `$anchor` and the like.
extension SchemaCompiler {
  /// Registers the names in a schema and in all schemas within it.
  mutating func scan(_ schema: JSONNode, in resource: Int) {
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

  /// The resource of a schema: a new one if it has its own `$id`.
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
      guard words.reference == nil, let id = dialect.version == .draft4 ? words.plainID : words.id, id.kind == .text
      else { return }
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

/// The keywords that name and identify a schema.
struct IdentifyingKeywords {
  var id: JSONNode?
  /// The value of `id`, draft 4's name for it.
  var plainID: JSONNode?
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
      if name.utf8.count == 2, name.string == "id" { plainID = value }
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

  /// The `$id`, or `id` of draft 4, if it is a URL and not just a name.
  func id(in dialect: SchemaDialect) -> String? {
    guard dialect.version != .openAPI30, let id = dialect.version == .draft4 ? plainID : id, id.kind == .text else {
      return nil
    }
    if dialect.ignoresSiblingsOfReferences, reference != nil { return nil }
    let text = id.string
    return text.hasPrefix("#") ? nil : text
  }
}
