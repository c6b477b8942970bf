import DocumentQueries
import Values

/// Keywords that no draft knows, and which differ from a known one by a typo or are the words of other tools: they would
/// have no effect, and nobody would notice.
extension SchemaCompiler {
  mutating func checkNames(_ reader: KeywordReader) {
    let unknown = reader.keywords.filter { keywordTypes[$0.key] == nil && !$0.key.hasPrefix("x-") }
    for (name, value) in unknown.sorted(by: { $0.value.position < $1.value.position }) {
      if isSchema(value) {
        let near = nearestWord(to: name, among: likelyKeywords.filter { reader.dialect.shape(of: $0) != nil })
        misplaced.append(Misplaced(reader: reader, name: name, value: value, near: near))
      } else if let meant = foreignMeaning(of: name, value) ?? nearestWord(to: name, among: likelyKeywords) {
        warnOfUnknown(name, value, reader, "did you mean `\(meant)`?")
      }
    }
    for name in ["id", "title", "description"] {
      guard let value = reader.keywords[name], isSchema(value) else { continue }
      misplaced.append(Misplaced(reader: reader, name: name, value: value, near: nil))
    }
    if reader.dialect.version != .openAPI30, let value = reader.keywords["nullable"], value.text == "true" {
      let type = reader.keywords["type"].flatMap { $0.kind == .text ? $0.string : nil }
      warn(
        "`nullable` is a keyword of OpenAPI 3.0 alone, and has no effect here", of: "nullable", value, reader,
        "write `type: [\(type ?? "…"), \"null\"]`")
    }
  }

  /// A member of a schema that is itself a schema, under a name that is not a keyword.
  struct Misplaced {
    let reader: KeywordReader
    let name: String
    let value: JSONNode
    /// The keyword with a schema that the name is near to.
    let near: String?
  }

  /// Warns of schemas under names of their own, to which nothing refers: those of properties, without `properties`.
  mutating func checkMisplaced() {
    for member in misplaced where !isCompiled(member.value, in: member.reader.document) {
      warnOfUnknown(
        member.name, member.value, member.reader,
        member.near.map { "did you mean `\($0)`?" }
          ?? "write `properties: {\(jsonEscaped(member.name)): …}` for the schema of a property")
    }
    misplaced = []
  }

  /// Warns of a format that is checked nowhere, and differs from a known one by a typo.
  mutating func checkFormat(_ name: String, at value: JSONNode, _ reader: KeywordReader) {
    let meant =
      TypeSet(word: name) == nil
      ? nearestWord(to: name, among: TextFormat.allCases.map(\.rawValue))
      : reader.keywords["type"] == nil ? "type: \(name)" : nil
    guard !otherFormats.contains(name), let meant else { return }
    bag.warning(
      .suspiciousSchema, "there is no format `\(jsonEscaped(name))`: it checks nothing",
      at: documents[reader.document].range(of: value), help: "did you mean `\(meant)`?")
  }

  private mutating func warnOfUnknown(_ name: String, _ value: JSONNode, _ reader: KeywordReader, _ help: String) {
    warn("`\(jsonEscaped(name))` is not a keyword of schemas, and checks nothing", of: name, value, reader, help)
  }

  /// - Parameter value: the keyword's value.
  mutating func warn(_ message: String, of name: String, _ value: JSONNode, _ reader: KeywordReader, _ help: String) {
    let document = documents[reader.document]
    let range = document.nameRange(of: value)
    // Of some documents only the lines are known, and the name may seem to be on the line before.
    bag.warning(
      .suspiciousSchema, message, at: range.text.contains(name) ? range : document.range(of: value), help: help)
  }
}

/// Returns whether a value is certainly meant as a schema.
private func isSchema(_ value: JSONNode) -> Bool {
  guard value.kind == .mapping else { return false }
  let types = value[member: "type"].map { $0.kind == .list ? $0.items : [$0] } ?? []
  return !types.isEmpty && types.allSatisfy { $0.kind == .text && TypeSet(word: $0.string) != nil }
    || value[member: "$ref"]?.kind == .text
}

/// The keyword for a word of another tool, of predicates, or of draft 3.
private func foreignMeaning(of name: String, _ value: JSONNode) -> String? {
  switch value.kind {
  case .list where listNames.contains(name): "enum"
  case .number where sizeNames.contains(name): "minLength` and `maxLength"
  default: otherNames[name.lowercased().replacing("_", with: "")]
  }
}

/// Those that a typo may mean; too many words are near short ones.
private let likelyKeywords = keywordTypes.keys.filter { $0.utf8.count > 3 }.sorted()

/// The keywords for other words, these in lower case and without `_`.
private let otherNames = [
  "min": "minimum", "max": "maximum", "between": "minimum` and `maximum", "regex": "pattern", "regexp": "pattern",
  "matches": "pattern", "startswith": "pattern", "endswith": "pattern", "equals": "const",
  "notequals": "not: {const: …}", "greaterthan": "exclusiveMinimum", "lessthan": "exclusiveMaximum",
  "atleast": "minimum", "atmost": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum", "gte": "minimum",
  "lte": "maximum", "exists": "required", "optional": "required", "mandatory": "required", "divisibleby": "multipleOf",
  "disallow": "not", "extends": "allOf", "property": "properties", "fields": "properties", "every": "items",
  "each": "items", "none": "not: {contains: …}",
]
private let listNames: Set = ["values", "options", "choices", "one_of", "in", "allowed"]
private let sizeNames: Set = ["length", "len", "size", "count"]

/// Formats of OpenAPI's registry that aren't checked.
private let otherFormats = Set(
  """
  base64url binary byte char commonmark cuid date-time-local decimal decimal128 double double-int duration float html \
  http-date int16 int32 int64 int8 media-range password sf-binary sf-boolean sf-decimal sf-integer sf-string sf-token \
  time-local uint16 uint32 uint64 uint8 ulid
  """.split(separator: " ").map(String.init))
