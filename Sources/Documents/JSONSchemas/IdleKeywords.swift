import DocumentQueries
import Values

/// Keywords that check nothing where they stand: they are about other types than the schema's, need another keyword, or
/// belong to a later draft.
extension SchemaCompiler {
  mutating func checkEffects(_ reader: KeywordReader) {
    var idle: [(name: String, value: JSONNode, reason: String, help: String)] = []
    let stated = reader.statedTypes
    for (name, value) in reader.keywords {
      // Another form of `required` is reported.
      guard let types = keywordTypes[name], name != "required" || value.kind == .list else { continue }
      if let version = reader.dialect.versionMissing(name) {
        idle.append((name, value, "checks nothing in \(version)", laterHelp(name)))
      } else if let (partner, help) = missingPartner(of: name, value, reader) {
        idle.append((name, value, "checks nothing without \(partner)", help))
      } else if let stated, !types.isEmpty, types.isDisjoint(with: stated) {
        let reason = "is about \(types.plural), and checks nothing beside `type: \(reader.typeText)`"
        idle.append((name, value, reason, typeHelp(name, types, stated)))
      }
    }
    if let stated, let value = reader.keywords["format"], let format = TextFormat(rawValue: value.string),
      !format.isNumeric, !stated.contains(.string)
    {
      let reason = "is about strings, and checks nothing beside `type: \(reader.typeText)`"
      idle.append(("format", value, reason, "write `type: string` if it is meant, or remove it"))
    }
    if let stated, let value = reader.keywords["not"], excludes(stated, value) {
      let reason = "denies what is not of `type: \(reader.typeText)` anyway, and checks nothing"
      idle.append(("not", value, reason, "write values of that type"))
    }
    if let value = reader.keywords["allOf"], value.kind == .list,
      value.items.allSatisfy({ $0.kind == .mapping && $0.members.allSatisfy { describing.contains($0.key) } })
    {
      idle.append(("allOf", value, "has only descriptions, and checks nothing", "write keywords such as `required`"))
    }
    // Some generators write `{}` for any value beside one for null.
    if let value = reader.keywords["anyOf"], value.kind == .list,
      value.items.allSatisfy({ $0[member: "type"]?.string != "null" }),
      let any = value.items.first(where: { $0.text == "true" || $0.isEmptyMapping })
    {
      idle.append(("anyOf", any, "has an alternative that every value meets, and checks nothing", "leave it out"))
    }
    for (name, value) in reader.keywords["properties"]?.members ?? []
    where value.kind == .boolean && ["additionalProperties", "unevaluatedProperties", "uniqueItems"].contains(name) {
      idle.append((name, value, "is the name of a property here", "write it beside `properties`"))
    }
    for (pattern, value) in reader.keywords["patternProperties"]?.members ?? []
    where ["", ".*", "^.*$", ".+", "^.+$"].contains(pattern) && (value.text == "true" || value.isEmptyMapping) {
      let reason = "allows every name with any value, and `additionalProperties` has nothing left to check"
      if reader.keywords["additionalProperties"] != nil {
        idle.append(("patternProperties", value, reason, "write the names that are allowed"))
      }
    }
    // Keywords in their order; for one wrong type one message.
    for (name, value, reason, help) in idle.sorted(by: { $0.value.position < $1.value.position }) {
      warn("`\(name)` \(reason)", of: name, value, reader, help)
    }
    checkRequired(reader)
    checkDefinitions(reader)
  }

  /// Returns whether all values that a denied schema names are of other types.
  private func excludes(_ types: TypeSet, _ denied: JSONNode) -> Bool {
    let values = denied[member: "const"].map { [$0] } ?? denied[member: "enum"]?.items ?? []
    return !values.isEmpty && !values.contains { types.contains($0) }
  }

  /// Warns of a whole schema with definitions, and nothing that refers to them.
  private mutating func checkDefinitions(_ reader: KeywordReader) {
    guard reader.node.position == 0, reader.keywords.keys.allSatisfy({ $0 == "type" || describing.contains($0) }),
      let (name, value) = reader.keywords.first(where: { $0.key == "$defs" || $0.key == "definitions" })
    else { return }
    warn(
      "nothing refers to `\(name)`, which checks nothing by itself", of: name, value, reader,
      "write `$ref: \"#/\(name)/…\"` beside it")
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
        .suspiciousSchema, "`\(jsonEscaped(item.string))` is required, and `properties` has `\(jsonEscaped(near))`",
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
    case "contains"
    where reader.keywords["minContains"]?.text == "0" && lacks("maxContains", "unevaluatedItems"):
      return ("`maxContains` beside `minContains: 0`", "leave out `minContains`")
    // A list under `items` is an error in this draft.
    case "additionalItems" where reader.dialect.version == .draft2020 && reader.keywords["items"]?.kind != .list:
      return ("the list under `items` of older drafts", "write `items:` for those after `prefixItems`")
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

extension JSONNode {
  fileprivate var isEmptyMapping: Bool { kind == .mapping && count == 0 }
}

/// Keywords that neither check a value nor apply other schemas to it.
private let describing: Set = [
  "$anchor", "$comment", "$defs", "$id", "$schema", "default", "definitions", "deprecated", "description", "example",
  "examples", "externalDocs", "id", "readOnly", "title", "writeOnly", "xml",
]

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
  /// The types that the keywords are about if they are all about the same, and the schema says nothing else.
  var impliedTypes: TypeSet {
    var implied: TypeSet = []
    for name in keywords.keys {
      guard let types = keywordTypes[name] else { continue }
      if types.isEmpty {
        let isUnknown = name == "format" && keywords[name].flatMap { TextFormat(rawValue: $0.string) } == nil
        if isUnknown || describing.contains(name) { continue }
        return []
      }
      if !implied.isEmpty, implied != types { return [] }
      implied = types
    }
    return implied
  }

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
  var word: String {
    contains(.number) ? "number" : TypeSet.words.first { contains($0.type) }?.word ?? ""
  }
  fileprivate var plural: String { word + "s" }
}
