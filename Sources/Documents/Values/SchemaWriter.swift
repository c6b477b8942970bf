/// Writes shapes as a JSON Schema (draft-07).
package struct SchemaWriter {
  /// The pattern of further keys that objects may have; nil for none.
  private let extensions: String?
  private var definitions: [(String, Value)] = []
  private var names: Set<String> = []

  package init(patternOfExtensions extensions: String? = nil) {
    self.extensions = extensions
  }

  package mutating func document(of shape: SchemaShape, title: String) -> String {
    let root = schema(shape)
    var members: [(String, Value)] =
      [("$schema", .text("http://json-schema.org/draft-07/schema#")), ("title", .text(Text(title)))]
      + root.members.map { ($0.key.string, $0.value) }
    if !definitions.isEmpty { members.append(("definitions", .mapping(Mapping(definitions)))) }
    return Value.mapping(Mapping(members)).jsonText(.pretty).string + "\n"
  }

  private mutating func schema(_ shape: SchemaShape) -> Mapping {
    switch shape {
    case .anything: Mapping()
    case .null: type("null")
    case .boolean: type("boolean")
    case .number: type("number")
    case .text: type("string")
    case .integer(let range):
      Mapping([
        ("type", .text("integer")), ("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound)),
      ])
    case .pattern(let pattern): Mapping([("type", .text("string")), ("pattern", .text(Text(pattern)))])
    case .constants(let values): Mapping([("enum", .list(values))])
    case .list(let item, let count):
      Mapping([("type", .text("array")), ("minItems", .integer(count)), ("items", .mapping(schema(item)))])
    case .names(let value):
      Mapping([("type", .text("object")), ("additionalProperties", .mapping(schema(value)))])
    case .keys(let keys, let needed): object(keys, needed)
    case .any(let shapes): union(shapes)
    case .named(let name, let shape): reference(name, shape)
    }
  }

  private func type(_ name: String) -> Mapping { Mapping([("type", .text(Text(name)))]) }

  private mutating func object(_ keys: [SchemaShape.Key], _ needed: [String]) -> Mapping {
    let properties = keys.map { key -> (String, Value) in
      var property = schema(key.shape)
      // Beside a reference draft-07 ignores all else.
      if property["$ref"] != nil { property = Mapping([("allOf", .list([.mapping(property)]))]) }
      property.members.insert(
        Mapping.Member(key: Text("description"), value: .text(Text(key.documentation))), at: 0)
      return (key.name, .mapping(property))
    }
    var members: [(String, Value)] = [
      ("type", .text("object")), ("properties", .mapping(Mapping(properties))),
    ]
    if let extensions {
      members.append(("patternProperties", .mapping(Mapping([(extensions, .mapping(Mapping()))]))))
    }
    members.append(("additionalProperties", .bool(false)))
    if !needed.isEmpty { members.append(("required", .list(needed.map { .text(Text($0)) }))) }
    return Mapping(members)
  }

  private mutating func union(_ shapes: [SchemaShape]) -> Mapping {
    var types: [Value] = []
    var schemas: [Value] = []
    let flat = flattened(shapes)
    let takesText = flat.contains { if case .text = $0 { true } else { false } }
    for shape in flat {
      switch shape {
      case .anything: return Mapping()
      case .pattern where takesText: continue
      case .null, .boolean, .number, .text: if let type = schema(shape)["type"] { types.append(type) }
      default: schemas.append(.mapping(schema(shape)))
      }
    }
    if !types.isEmpty { schemas.append(.mapping(Mapping([("type", .list(types))]))) }
    if schemas.count == 1, case .mapping(let only) = schemas[0] { return only }
    return Mapping([("anyOf", .list(schemas))])
  }

  private func flattened(_ shapes: [SchemaShape]) -> [SchemaShape] {
    var result: [SchemaShape] = []
    var seen: Set<String> = []
    for shape in shapes {
      if case .any(let inner) = shape {
        result += flattened(inner)
      } else {
        result.append(shape)
      }
    }
    return result.filter { shape in
      switch shape {
      case .null, .boolean, .number, .text, .pattern: seen.insert("\(shape)").inserted
      default: true
      }
    }
  }

  private mutating func reference(_ name: String, _ shape: () -> SchemaShape) -> Mapping {
    if names.insert(name).inserted {
      let schema = schema(shape())
      definitions.append((name, .mapping(schema)))
    }
    return Mapping([("$ref", .text(Text("#/definitions/\(name)")))])
  }
}
