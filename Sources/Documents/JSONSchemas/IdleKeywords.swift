import DocumentQueries
import Values

/// Keywords that check nothing where they stand: they are about other types than the schema's, need another keyword, or
/// belong to a later draft.
extension SchemaCompiler {
  mutating func checkEffects(_ reader: KeywordReader) {
    var idle: [(name: String, value: JSONNode, reason: String, help: String)] = []
    let stated = reader.statedTypes
    for (name, value) in reader.keywords {
      guard let types = keywordTypes[name] else { continue }
      if let version = reader.dialect.versionMissing(name) {
        idle.append((name, value, "checks nothing in \(version)", laterHelp(name)))
      } else if let (partner, help) = missingPartner(of: name, value, reader) {
        idle.append((name, value, "checks nothing without \(partner)", help))
      } else if let stated, !types.isEmpty, types.isDisjoint(with: stated) {
        let reason = "is about \(types.plural), and checks nothing beside `type: \(reader.typeText)`"
        idle.append((name, value, reason, typeHelp(name, types, stated)))
      }
    }
    // Keywords in their order; for one wrong type one message.
    for (name, value, reason, help) in idle.sorted(by: { $0.value.position < $1.value.position }) {
      warn("`\(name)` \(reason)", of: name, value, reader, help)
    }
    checkRequired(reader)
  }

  /// Warns of keywords beside a reference, of which that dialect takes nothing else.
  mutating func checkSiblings(_ reader: KeywordReader) {
    let ignored = reader.keywords.filter { name, _ in
      keywordTypes[name]?.isEmpty == false || ["allOf", "anyOf", "oneOf", "not", "enum", "const"].contains(name)
    }
    guard let (name, value) = ignored.min(by: { $0.value.position < $1.value.position }) else { return }
    warn(
      "`\(name)` beside `$ref` checks nothing in \(reader.dialect.version.name)", of: name, value, reader,
      "write `allOf: [{$ref: …}, {\(name): …}]`")
  }

  /// Warns of required names that are near those of properties, which then check nothing.
  private mutating func checkRequired(_ reader: KeywordReader) {
    guard let required = reader.keywords["required"], required.kind == .list,
      let properties = reader.keywords["properties"], properties.kind == .mapping, properties.count <= 200
    else { return }
    let known = properties.members.map(\.key)
    let names = Set(known)
    for item in required.items.prefix(200) where item.kind == .text && !names.contains(item.string) {
      guard let near = misspelt(item.string, among: known) else { continue }
      bag.warning(
        "`\(jsonEscaped(item.string))` is required, and `properties` has `\(jsonEscaped(near))`",
        at: documents[reader.document].range(of: item), help: "write the same name in both")
    }
  }

  /// The keyword without which another one has no effect.
  private func missingPartner(
    of name: String, _ value: JSONNode, _ reader: KeywordReader
  ) -> (partner: String, help: String)? {
    func lacks(_ names: String...) -> Bool { names.allSatisfy { reader.keywords[$0] == nil } }
    switch name {
    case "if" where lacks("then", "else", "unevaluatedProperties", "unevaluatedItems"):
      return ("`then` or `else`", "write `then:` with what is valid under the condition")
    case "then" where lacks("if"), "else" where lacks("if"): return ("`if`", "write `if:` with the condition")
    case "minContains" where lacks("contains"), "maxContains" where lacks("contains"):
      return ("`contains`", "write `contains:`, or `\(name.prefix(3))Items` for all items")
    case "exclusiveMinimum" where reader.dialect.isOfDraft4 && value.text == "true" && lacks("minimum"):
      return ("`minimum`", "write `minimum:` with the bound")
    case "exclusiveMaximum" where reader.dialect.isOfDraft4 && value.text == "true" && lacks("maximum"):
      return ("`maximum`", "write `maximum:` with the bound")
    default: return nil
    }
  }

  private func laterHelp(_ name: String) -> String {
    switch name {
    case "const": "write `enum: […]` with the one value"
    case "prefixItems": "write `items: […]`"
    case "dependentRequired", "dependentSchemas": "write `dependencies`"
    default: "write `$schema` or `draft` of a later draft, or remove it"
    }
  }

  private func typeHelp(_ name: String, _ types: TypeSet, _ stated: TypeSet) -> String {
    if stated == .array, ["properties", "required", "additionalProperties"].contains(name) {
      return "write `items: {\(name): …}` for each item"
    }
    if stated == .object, name == "items" { return "write `additionalProperties:` for the members, or `type: array`" }
    let bound = boundWords.first { name == "min" + $0.word || name == "max" + $0.word }
    if bound != nil, let own = boundWords.first(where: { !$0.types.isDisjoint(with: stated) }) {
      return "write `\(name.prefix(3))\(own.word)`"
    }
    return "write `type: \(types.word)` if it is meant, or remove it"
  }
}

private let boundWords: [(word: String, types: TypeSet)] = [
  ("Length", .string), ("imum", [.number, .integer]), ("Items", .array), ("Properties", .object),
]

/// The keywords of all drafts and of OpenAPI's Schema Objects, with the types that they are about; those without types
/// describe, or are about all.
let keywordTypes: [String: TypeSet] = {
  var result: [String: TypeSet] = [:]
  func add(_ types: TypeSet, _ names: String) {
    for name in names.split(separator: " ") { result[String(name)] = types }
  }
  add([.number, .integer], "exclusiveMaximum exclusiveMinimum maximum minimum multipleOf")
  add(.string, "maxLength minLength pattern")
  add(
    .array,
    "additionalItems contains items maxContains maxItems minContains minItems prefixItems unevaluatedItems uniqueItems")
  add(
    .object,
    """
    additionalProperties dependencies dependentRequired dependentSchemas maxProperties minProperties patternProperties \
    properties propertyNames required unevaluatedProperties
    """)
  add(
    [],
    """
    $anchor $comment $defs $dynamicAnchor $dynamicRef $id $recursiveAnchor $recursiveRef $ref $schema $vocabulary allOf \
    anyOf const contentEncoding contentMediaType contentSchema default definitions deprecated description discriminator \
    else enum example examples externalDocs format id if not nullable oneOf readOnly then title type writeOnly xml
    """)
  return result
}()

extension SchemaDialect {
  /// The name of the dialect if it lacks a keyword of a later one.
  fileprivate func versionMissing(_ keyword: String) -> String? {
    let isMissing =
      switch keyword {
      case "const", "contains", "propertyNames", "if", "then", "else": isOfDraft4
      case "patternProperties": version == .openAPI30
      case "dependentRequired", "dependentSchemas", "minContains", "maxContains", "unevaluatedItems",
        "unevaluatedProperties":
        version <= .draft7
      case "prefixItems": version < .draft2020
      default: false
      }
    return isMissing ? version.name : nil
  }
}

extension SchemaDialect.Version {
  var name: String {
    switch self {
    case .draft4: "draft 4"
    case .openAPI30: "OpenAPI 3.0"
    case .draft7: "draft 7"
    case .draft2019: "draft 2019-09"
    case .draft2020: "draft 2020-12"
    }
  }
}

extension KeywordReader {
  /// The types that the schema itself allows; nil if it allows all, or any is unknown.
  fileprivate var statedTypes: TypeSet? {
    guard let value = keywords["type"] else { return nil }
    var types: TypeSet = []
    for item in value.kind == .list ? value.items : [value] {
      guard item.kind == .text, let type = TypeSet(word: item.string) else { return nil }
      types.insert(type)
    }
    // Every integer is a number.
    if types.contains(.integer) { types.insert(.number) }
    return types.isEmpty ? nil : types
  }

  fileprivate var typeText: String {
    guard let value = keywords["type"] else { return "" }
    return value.kind == .list ? "[\(value.items.map(\.string).joined(separator: ", "))]" : value.string
  }
}

extension TypeSet {
  fileprivate var word: String {
    contains(.number) ? "number" : TypeSet.words.first { contains($0.type) }?.word ?? ""
  }
  fileprivate var plural: String { word + "s" }
}
