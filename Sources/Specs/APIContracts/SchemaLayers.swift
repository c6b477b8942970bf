import DocumentQueries
import Values

/// A schema with all that must hold beside it: the targets of references and the members of `allOf`.
struct SchemaLayers {
  /// The schema itself and the targets of its references, whose examples are examples of the whole.
  private(set) var own: [DocumentNode] = []
  private(set) var all: [DocumentNode] = []
  /// The names of the schemas that references lead to, such as `Pet`.
  private(set) var names: [(reference: String, name: String)] = []
  /// Indicates a reference that leads to nothing.
  private(set) var isBroken = false
  private var seen: Set<SchemaPlace> = []

  /// The maximum number of schemas that are combined.
  private static let limit = 200

  init(_ schema: DocumentNode, _ documents: DocumentSet) {
    add(schema, documents, isOwn: true)
  }

  /// Adds a schema, and what it refers to.
  mutating func add(_ schema: DocumentNode, _ documents: DocumentSet, isOwn: Bool = false) {
    var pending = [(node: schema, isOwn: isOwn)]
    while let (node, isOwn) = pending.popLast(), all.count < SchemaLayers.limit {
      guard seen.insert(SchemaPlace(node)).inserted else { continue }
      all.append(node)
      if isOwn { own.append(node) }
      if let reference = node["$ref"]?.string {
        guard let target = try? documents.resolved(node) else {
          isBroken = true
          continue
        }
        names.append((reference, String(reference.split(separator: "/").last ?? "")))
        pending.append((target, isOwn))
      }
      let parts = node["allOf"]?.items ?? []
      // A single schema in `allOf` is a reference with something beside it.
      for part in parts.reversed() { pending.append((part, isOwn && parts.count == 1)) }
    }
  }

  var places: Set<SchemaPlace> { seen }

  /// The values of a keyword, one for each schema that has it.
  func values(_ keyword: String) -> [DocumentNode] { all.compactMap { $0[keyword] } }

  func first(_ keyword: String) -> DocumentNode? { all.lazy.compactMap { $0[keyword] }.first }

  /// The type that a value has: that of the schema, else the one that its keywords are for. Nil if it may have any.
  var type: String? {
    for node in values("type") {
      if let type = node.string { return type }
      let types = node.items.compactMap(\.string)
      if let type = types.first(where: { $0 != "null" }) ?? types.first { return type }
    }
    for (keyword, type) in [
      ("properties", "object"), ("additionalProperties", "object"), ("required", "object"), ("items", "array"),
      ("prefixItems", "array"), ("pattern", "string"), ("format", "string"), ("minLength", "string"),
      ("minimum", "number"), ("maximum", "number"),
    ] where all.contains(where: { $0[keyword] != nil }) { return type }
    return nil
  }

  var mayBeNull: Bool {
    all.contains { node in
      node["nullable"]?.isTrue ?? node["type"]?.items.contains { $0.string == "null" } ?? false
    }
  }

  var required: Set<String> { Set(values("required").flatMap { $0.items.compactMap(\.string) }) }

  /// The properties in order, each with the schema that says most.
  var properties: [(name: String, schema: DocumentNode)] {
    var result: [(name: String, schema: DocumentNode)] = []
    var places: [String: Int] = [:]
    for node in values("properties") {
      for (name, schema) in node.node.members.map({ ($0.key, DocumentNode(file: node.file, node: $0.value)) }) {
        if let place = places[name] {
          // A later schema may only add a constant, such as that of a discriminator.
          if schema["const"] != nil || schema["enum"] != nil { result[place].schema = schema }
        } else {
          places[name] = result.count
          result.append((name, schema))
        }
      }
    }
    return result
  }

  /// The property that distinguishes alternatives, and its value for these schemas.
  var discriminator: (name: String, value: String)? {
    for node in values("discriminator") {
      guard let name = node["propertyName"]?.string else { continue }
      for (reference, word) in names {
        if let mapping = node["mapping"],
          let entry = mapping.node.members.first(where: { $0.value.string == reference || $0.value.string == word })
        {
          return (name, entry.key)
        }
      }
      // The schema that has the discriminator is the common part of the others, not one of them.
      if let word = names.first?.name { return (name, word) }
    }
    return nil
  }
}

/// The place of a schema, by which one is known again.
struct SchemaPlace: Hashable {
  private let file: ObjectIdentifier
  private let position: Int

  init(_ node: DocumentNode) {
    file = ObjectIdentifier(node.file)
    position = node.node.position
  }
}
