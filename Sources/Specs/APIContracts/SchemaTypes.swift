import DocumentQueries

/// The types that a schema allows, which determine how a parameter's text is read.
struct SchemaTypes {
  /// The schema with all that it combines: references, `allOf`, `anyOf`, `oneOf`.
  private let schemas: [DocumentNode]
  private let documents: DocumentSet

  private static let limit = 200

  init(_ schema: DocumentNode?, _ documents: DocumentSet) {
    self.init(schema.map { [$0] } ?? [], documents)
  }

  private init(_ roots: [DocumentNode], _ documents: DocumentSet) {
    self.documents = documents
    var found: [DocumentNode] = []
    var pending = roots
    var seen: Set<SchemaPlace> = []
    while let next = pending.popLast(), found.count < SchemaTypes.limit {
      // A broken reference is ignored here; the schema itself reports it.
      guard let node = try? documents.resolved(next), seen.insert(SchemaPlace(node)).inserted else { continue }
      found.append(node)
      for key in ["allOf", "anyOf", "oneOf"] { pending += node[key]?.items ?? [] }
    }
    schemas = found
  }

  /// The types `string`, `integer`, …; empty if any is allowed.
  var types: Set<String> {
    var result: Set<String> = []
    for schema in schemas {
      if let type = schema["type"] {
        result.formUnion(type.string.map { [$0] } ?? type.items.compactMap(\.string))
      } else if let values = schema["enum"]?.items ?? schema["const"].map({ [$0] }) {
        result.formUnion(values.map { SchemaTypes.type(of: $0.node) })
      } else if schema["properties"] != nil {
        result.insert("object")
      } else if schema["items"] != nil {
        result.insert("array")
      }
      if schema["nullable"]?.isTrue ?? false { result.insert("null") }
    }
    return result
  }

  private static func type(of node: JSONNode) -> String {
    switch node.kind {
    case .null: "null"
    case .boolean: "boolean"
    case .number: "number"
    case .list: "array"
    case .mapping: "object"
    default: "string"
    }
  }

  var propertyNames: [String] { schemas.flatMap { $0["properties"]?.node.members.map(\.key) ?? [] } }
  /// Indicates whether an object may have properties other than the declared ones.
  var isOpen: Bool {
    propertyNames.isEmpty || schemas.contains { $0["additionalProperties"]?.isObject ?? false }
  }

  /// The delimiter of a list within a list, by `collectionFormat` of Swagger 2.0; nil for any other list.
  var delimiter: String? {
    switch schemas.lazy.compactMap({ $0["collectionFormat"]?.string }).first {
    case "csv": ","
    case "ssv": " "
    case "tsv": "\t"
    case "pipes": "|"
    default: nil
    }
  }

  var items: SchemaTypes { SchemaTypes(schemas.compactMap { $0["items"] }, documents) }

  func property(_ name: String) -> SchemaTypes {
    let own = schemas.compactMap { $0["properties"]?[name] }
    return SchemaTypes(own.isEmpty ? schemas.compactMap { $0["additionalProperties"] } : own, documents)
  }
}
