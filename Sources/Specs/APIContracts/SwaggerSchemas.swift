import DocumentQueries
import Values

/// The schemas and parameters of Swagger 2.0 in OpenAPI 3.0.
struct SwaggerSchemas {
  func schema(_ node: JSONNode) -> TranslatedValue {
    guard node.kind == .mapping, node[member: "$ref"]?.kind != .text else { return .copy(node) }
    return .object(keywords(node.members), from: node)
  }

  /// The schema of a parameter's or header's value.
  func value(_ parameter: JSONNode) -> TranslatedValue {
    .object(keywords(parameter.members.filter { !SwaggerSchemas.isOfParameter($0.key) }), from: parameter)
  }

  /// A parameter or a header; one of the body or of a form stays where it is for references.
  func parameter(_ node: JSONNode) -> TranslatedValue {
    guard node.kind == .mapping, node[member: "$ref"] == nil else { return .copy(node) }
    if node[member: "in"]?.isString("body") ?? false {
      return node.mapMembers { name, value in name == "schema" ? schema(value) : .copy(value) }
    }
    let own = node.members.filter { SwaggerSchemas.isOfParameter($0.key) && $0.key != "collectionFormat" }
    return .object(
      own.map { (name: $0.key, value: .copy($0.value)) } + style(of: node) + [("schema", value(node))], from: node)
  }

  private static func isOfParameter(_ name: String) -> Bool {
    ["name", "in", "description", "required", "allowEmptyValue", "deprecated", "collectionFormat"].contains(name)
      || name.hasPrefix("x-") && name != "x-nullable"
  }

  /// `collectionFormat` of a list as `style` and `explode`.
  func style(of node: JSONNode) -> [(name: String, value: TranslatedValue)] {
    guard node[member: "type"]?.isString("array") ?? false else { return [] }
    let isInQuery = ["query", "formData"].contains(node[member: "in"]?.string)
    let format = node[member: "collectionFormat"]
    let style =
      switch format?.string {
      case "ssv": "spaceDelimited"
      case "tsv": "tabDelimited"
      case "pipes": "pipeDelimited"
      default: isInQuery ? "form" : "simple"
      }
    let isExploded = isInQuery && format?.isString("multi") ?? false
    return [
      ("style", .text(style, from: format ?? node)), ("explode", .literal("\(isExploded)", from: format ?? node)),
    ]
  }

  private func keywords(_ members: [(key: String, value: JSONNode)]) -> [(name: String, value: TranslatedValue)] {
    let isFile = members.contains { $0.key == "type" && $0.value.isString("file") }
    var result: [(name: String, value: TranslatedValue)] = []
    for (name, value) in members {
      switch name {
      case "properties": result.append((name, value.mapMembers(schema)))
      case "items", "additionalProperties", "not":
        result.append((name, value.kind == .list ? value.mapItems(schema) : schema(value)))
      case "allOf", "anyOf", "oneOf": result.append((name, value.mapItems(schema)))
      case "x-nullable": result.append(("nullable", .copy(value)))
      case "discriminator" where value.kind == .text:
        result.append((name, .object([("propertyName", .copy(value))], from: value)))
      case "type" where isFile:
        result += [(name, .text("string", from: value)), ("format", .text("binary", from: value))]
      case "format" where isFile: continue
      default: result.append((name, .copy(value)))
      }
    }
    return result
  }
}

extension JSONNode {
  /// The texts of a list.
  var texts: [String] { items.filter { $0.kind == .text }.map(\.string) }

  /// The object with other values of its members; anything else as it is.
  func mapMembers(_ translation: (String, JSONNode) -> TranslatedValue) -> TranslatedValue {
    guard kind == .mapping else { return .copy(self) }
    return .object(members.map { ($0.key, translation($0.key, $0.value)) }, from: self)
  }

  func mapMembers(_ translation: (JSONNode) -> TranslatedValue) -> TranslatedValue {
    mapMembers { _, value in translation(value) }
  }

  /// The list with other items; anything else as it is.
  func mapItems(_ translation: (JSONNode) -> TranslatedValue) -> TranslatedValue {
    kind == .list ? .list(items.map(translation), from: self) : .copy(self)
  }
}
