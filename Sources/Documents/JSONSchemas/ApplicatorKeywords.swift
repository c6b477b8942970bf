import DocumentQueries

/// Keywords that apply other schemas to the instance or parts of it.
extension SchemaCompiler {
  mutating func readApplicators(_ reader: inout KeywordReader) {
    memberRules(&reader)
    itemRules(&reader)
    for keyword in ["allOf", "anyOf", "oneOf"] {
      guard let value = reader.keywords[keyword], let schemas = subschemas(value, of: keyword, reader) else { continue }
      reader.add(
        keyword == "allOf" ? .allOf(schemas) : keyword == "anyOf" ? .anyOf(schemas) : .oneOf(schemas), at: value)
    }
    if let value = reader.keywords["not"] { reader.add(.not(subschema(value, reader)), at: value) }
    guard reader.dialect.version != .openAPI30 else { return }
    if reader.dialect.version > .draft4 { laterApplicators(&reader) }
    dependentSchemas(&reader)
    compileDefinitions(reader)
    guard reader.dialect.version > .draft7, reader.dialect.vocabularies.contains(.unevaluated) else { return }
    if let value = reader.keywords["unevaluatedItems"] {
      reader.add(.unevaluatedItems(subschema(value, reader)), at: value)
    }
    if let value = reader.keywords["unevaluatedProperties"] {
      reader.add(.unevaluatedProperties(subschema(value, reader)), at: value)
    }
  }

  /// Compiles applicators that draft 4 lacks.
  private mutating func laterApplicators(_ reader: inout KeywordReader) {
    contains(&reader)
    if let value = reader.keywords["propertyNames"] { reader.add(.propertyNames(subschema(value, reader)), at: value) }
    if let value = reader.keywords["if"] {
      let then = reader.keywords["then"].map { subschema($0, reader) }
      let otherwise = reader.keywords["else"].map { subschema($0, reader) }
      let condition = subschema(value, reader)
      reader.add(
        .conditional(ConditionalRule(condition: condition, then: then, otherwise: otherwise)), at: value)
    }
  }

  /// Compiles definitions, including those without references.
  private mutating func compileDefinitions(_ reader: KeywordReader) {
    for keyword in ["$defs", "definitions"] where reader.dialect.shape(of: keyword) != nil {
      for (_, value) in members(keyword, reader) { _ = subschema(value, reader) }
    }
  }

  private mutating func placed(_ value: JSONNode, _ reader: KeywordReader) -> PlacedSchema {
    PlacedSchema(schema: subschema(value, reader), place: Int32(truncatingIfNeeded: value.position))
  }

  private mutating func memberRules(_ reader: inout KeywordReader) {
    var names = NameTable()
    var properties: [PlacedSchema] = []
    for (name, value) in members("properties", reader) {
      let index = names.insert(Array(name.utf8))
      let schema = placed(value, reader)
      if index < properties.count { properties[index] = schema } else { properties.append(schema) }
    }
    var patterns: [(pattern: RegularExpression, schema: PlacedSchema)] = []
    if reader.dialect.version != .openAPI30 {
      for (name, value) in members("patternProperties", reader) {
        if let pattern = pattern(name, reader) { patterns.append((pattern, placed(value, reader))) }
      }
    }
    let additional = reader.keywords["additionalProperties"].map { placed($0, reader) }
    guard
      let place = reader.keywords["properties"] ?? reader.keywords["patternProperties"]
        ?? reader.keywords["additionalProperties"], !properties.isEmpty || !patterns.isEmpty || additional != nil
    else { return }
    reader.add(
      .members(MemberRules(names: names, properties: properties, patterns: patterns, additional: additional)), at: place
    )
  }

  private mutating func itemRules(_ reader: inout KeywordReader) {
    var prefix: [PlacedSchema] = []
    var rest: PlacedSchema?
    let items = reader.keywords["items"]
    if reader.dialect.version == .draft2020 {
      if let value = reader.keywords["prefixItems"] {
        guard subschemas(value, of: "prefixItems", reader) != nil else { return }
        prefix = value.items.map { placed($0, reader) }
      }
      if let items, items.kind == .list {
        problem(
          "`items` is a schema in this draft, found an array", at: items, in: reader.document,
          help: "write `prefixItems` for schemas by position")
        return
      }
      rest = items.map { placed($0, reader) }
    } else if let items, items.kind == .list, reader.dialect.version != .openAPI30 {
      prefix = items.items.map { placed($0, reader) }
      rest = reader.keywords["additionalItems"].map { placed($0, reader) }
    } else {
      rest = items.map { placed($0, reader) }
    }
    guard let place = items ?? reader.keywords["prefixItems"], !prefix.isEmpty || rest != nil else { return }
    reader.add(.items(ItemRules(prefix: prefix, rest: rest)), at: place)
  }

  private mutating func contains(_ reader: inout KeywordReader) {
    guard let value = reader.keywords["contains"] else { return }
    var bounds: [(count: Int, place: Int32)?] = [nil, nil]
    if reader.dialect.version > .draft7, reader.dialect.asserts {
      for (index, keyword) in ["minContains", "maxContains"].enumerated() {
        bounds[index] = size(keyword, reader).map { ($0.count, Int32(truncatingIfNeeded: $0.value.position)) }
      }
    }
    let rule = ContainsRule(
      schema: subschema(value, reader), minimum: bounds[0], maximum: bounds[1],
      evaluates: reader.dialect.version == .draft2020)
    reader.add(.contains(rule), at: value)
  }

  private mutating func dependentSchemas(_ reader: inout KeywordReader) {
    for keyword in ["dependencies", "dependentSchemas"] where reader.dialect.shape(of: keyword) != nil {
      let rules = members(keyword, reader).filter { keyword == "dependentSchemas" || $0.value.kind != .list }
        .map { (name: Array($0.name.utf8), schema: subschema($0.value, reader)) }
      if let value = reader.keywords[keyword], !rules.isEmpty { reader.add(.dependentSchemas(rules), at: value) }
    }
  }
}
