import DocumentQueries
import Values

/// A schema resource: a schema with its own URL, by `$id` or as a whole document.
struct SchemaResource {
  /// Absolute, without a fragment.
  let url: URIReference
  let document: Int
  let root: JSONNode
  var dialect: SchemaDialect
  /// The schemas that `$anchor`, `$dynamicAnchor` or a `$id` of draft 7 such as `#name` names.
  var anchors: [String: JSONNode] = [:]
  var dynamicAnchors: [String: JSONNode] = [:]
}

/// A node of one of the documents.
struct NodeKey: Hashable {
  let document: Int32
  let place: Int32

  init(_ document: Int, _ node: JSONNode) {
    self.document = Int32(truncatingIfNeeded: document)
    place = Int32(truncatingIfNeeded: node.position)
  }
}

/// The positions of subschemas in a keyword's value.
enum SubschemaShape {
  case schema
  case list
  case mapping
  /// One schema, or a list of them, as `items` was before draft 2020-12.
  case schemaOrList
  /// A mapping of schemas and of lists of names, as `dependencies` is.
  case dependencies
}

extension SchemaDialect {
  func shape(of keyword: String) -> SubschemaShape? {
    switch keyword {
    case "properties": .mapping
    case "items": version == .openAPI30 || version == .draft2020 ? .schema : .schemaOrList
    case "additionalProperties", "not": .schema
    case "allOf", "anyOf", "oneOf": .list
    default: version == .openAPI30 ? nil : shapeBeyondOpenAPI30(keyword)
    }
  }

  private func shapeBeyondOpenAPI30(_ keyword: String) -> SubschemaShape? {
    switch keyword {
    case "propertyNames", "contains", "if", "then", "else": version > .draft4 ? .schema : nil
    case "patternProperties", "definitions": .mapping
    case "dependencies": .dependencies
    case "additionalItems": version < .draft2020 ? .schema : nil
    case "$defs", "dependentSchemas": version > .draft7 ? .mapping : nil
    case "unevaluatedItems", "unevaluatedProperties", "contentSchema": version > .draft7 ? .schema : nil
    case "prefixItems": version == .draft2020 ? .list : nil
    default: nil
    }
  }

  /// The subschemas of a schema, with their keywords.
  func subschemas(of schema: JSONNode) -> [JSONNode] {
    guard schema.kind == .mapping else { return [] }
    var result: [JSONNode] = []
    var name = schema.firstChild
    for _ in 0..<schema.count {
      let value = name.following
      defer { name = value.following }
      switch shape(of: name.string) {
      case nil: break
      case .schema: result.append(value)
      case .list: result += value.items
      case .schemaOrList: result += value.kind == .list ? value.items : [value]
      case .mapping: result += value.members.map(\.value)
      case .dependencies: result += value.members.map(\.value).filter { $0.kind != .list }
      }
    }
    return result
  }
}
