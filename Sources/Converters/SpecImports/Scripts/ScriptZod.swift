import YAMLNodes

/// Schemas of Zod as those of JSON.
extension ScriptEvaluation {
  typealias Members = [(key: String, value: ImportedValue)]

  /// The schema that an expression makes; nil for what JSON Schema has in another way, or not at all.
  func zod(_ expression: JavaScriptExpression) -> (schema: Members, isOptional: Bool)? {
    switch expression {
    case .name(let name):
      if case .schema(let schema, let isOptional)? = names[name] { return (schema, isOptional) }
      return nil
    case .call(.member(.name("z"), let kind), let arguments): return made(kind, arguments).map { ($0, false) }
    case .call(.member(let base, let method), let arguments):
      return zod(base).flatMap { changed($0.schema, method, arguments, isOptional: $0.isOptional) }
    default: return nil
    }
  }

  private func made(_ kind: String, _ arguments: [JavaScriptExpression]) -> Members? {
    switch (kind, arguments.first) {
    case ("string", nil), ("number", nil), ("boolean", nil), ("null", nil): return [("type", .text(kind))]
    case ("int", nil): return [("type", .text("integer"))]
    case ("any", nil), ("unknown", nil): return []
    case ("literal", let value?): return self.value(value)?.literal.map { [("const", $0)] }
    case ("enum", .list(let items)?):
      return value(.list(items))?.literal.map { [("enum", $0)] }
    case ("array", let item?): return zod(item).map { [("type", .text("array")), ("items", .mapping($0.schema))] }
    case ("record", _?):
      return arguments.last.flatMap(zod).map {
        [("type", .text("object")), ("additionalProperties", .mapping($0.schema))]
      }
    case ("union", .list(let items)?):
      let schemas = items.compactMap { zod($0)?.schema }
      return schemas.count == items.count ? [("anyOf", .list(schemas.map { .mapping($0) }))] : nil
    case ("object", .object(let members)?):
      let found = members.compactMap { name, value in zod(value).map { (key: name, value: $0) } }
      guard found.count == members.count else { return nil }
      let required = found.filter { !$0.value.isOptional }.map { ImportedValue.text($0.key) }
      return [("type", .text("object"))] + (required.isEmpty ? [] : [("required", .list(required))])
        + [("properties", .mapping(found.map { ($0.key, .mapping($0.value.schema)) }))]
    default: return nil
    }
  }

  private func changed(
    _ schema: Members, _ method: String, _ arguments: [JavaScriptExpression], isOptional: Bool
  ) -> (schema: Members, isOptional: Bool)? {
    var result = schema
    let number = arguments.first.flatMap { value($0)?.literal }
    let kind = schema.first { $0.key == "type" }?.value.word ?? ""
    let unit = ["string": "Length", "array": "Items", "number": "imum", "integer": "imum"][kind]
    switch (method, number) {
    case ("optional", nil): return (schema, true)
    case ("nullable", nil), ("nullish", nil):
      let null = ImportedValue.mapping([("type", .text("null"))])
      return ([("anyOf", .list([.mapping(schema), null]))], isOptional || method == "nullish")
    case ("describe", _), ("passthrough", nil), ("loose", nil): break
    case ("strict", nil): result.append(("additionalProperties", .bool(false)))
    case ("int", nil): result.set("type", .text("integer"))
    case ("positive", nil): result.append(("exclusiveMinimum", .integer(0)))
    case ("nonnegative", nil): result.append(("minimum", .integer(0)))
    case ("min", let limit?), ("max", let limit?), ("gte", let limit?), ("lte", let limit?):
      guard let unit else { return nil }
      result.append(((["min", "gte"].contains(method) ? "min" : "max") + unit, limit))
    case ("nonempty", nil):
      guard let unit, unit != "imum" else { return nil }
      result.append(("min" + unit, .integer(1)))
    case ("length", let count?):
      guard let unit, unit != "imum" else { return nil }
      result += [("min" + unit, count), ("max" + unit, count)]
    default: return nil
    }
    return (result, isOptional)
  }

  /// The schema of the whole body that `schema.parse(body)` or `schema.safeParse(body)` validates a part of it against.
  func zodValidation(_ expression: JavaScriptExpression) -> ImportedValue? {
    guard case .call(.member(let base, let method), let arguments) = expression,
      ["parse", "safeParse"].contains(method),
      let schema = zod(base)?.schema, arguments.count == 1,
      case .subject(.json(var path, isEach: false))? = value(arguments[0])
    else { return nil }
    var result = ImportedValue.mapping(schema)
    while path != "$" {
      guard let (parent, name) = jsonPathParent(path) else { return nil }
      result = .mapping([
        ("type", .text("object")), ("required", .list([.text(name)])), ("properties", .mapping([(name, result)])),
      ])
      path = parent
    }
    return result
  }
}

extension ImportedValue {
  fileprivate var word: String? { if case .node(let node) = self { node.scalar?.text } else { nil } }
}
