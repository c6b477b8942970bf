import Values

/// The JSON Schema (draft-07) of spec files and project files, from the tables of their keys.
package enum FormatSchema {
  package static let text: String = {
    var writer = ShapeWriter()
    let files: [ValueShape] = [
      .named("file") { fileKeys.shape() },
      .named("request_file") { singleRequestKeys.shape(needed: ["url"]) },
      .named("project_file") { projectKeys.shape() },
    ]
    let root = writer.schema(.any(files))
    let members: [(String, Value)] =
      [
        ("$schema", .text("http://json-schema.org/draft-07/schema#")),
        ("title", .text("A file of reqrun: requests, one request, or the project file reqrun.yaml")),
      ] + root.members.map { ($0.key.string, $0.value) }
      + [("definitions", .mapping(Mapping(writer.definitions)))]
    return Value.mapping(Mapping(members)).jsonText(.pretty).string + "\n"
  }()
}

/// Writes shapes as JSON Schema.
private struct ShapeWriter {
  var definitions: [(String, Value)] = []
  private var names: Set<String> = []

  mutating func schema(_ shape: ValueShape) -> Mapping {
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

  private mutating func object(_ keys: [ValueShape.Key], _ needed: [String]) -> Mapping {
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
      ("patternProperties", .mapping(Mapping([("^x-", .mapping(Mapping()))]))), ("additionalProperties", .bool(false)),
    ]
    if !needed.isEmpty { members.append(("required", .list(needed.map { .text(Text($0)) }))) }
    return Mapping(members)
  }

  private mutating func union(_ shapes: [ValueShape]) -> Mapping {
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

  private func flattened(_ shapes: [ValueShape]) -> [ValueShape] {
    var result: [ValueShape] = []
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

  private mutating func reference(_ name: String, _ shape: () -> ValueShape) -> Mapping {
    if names.insert(name).inserted {
      let schema = schema(shape())
      definitions.append((name, .mapping(schema)))
    }
    return Mapping([("$ref", .text(Text("#/definitions/\(name)")))])
  }
}
