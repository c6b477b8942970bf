import DocumentQueries
import Values

/// Keywords that no draft knows, and which differ from a known one by a typo: they would have no effect, and nobody
/// would notice.
extension SchemaCompiler {
  mutating func checkNames(_ reader: KeywordReader) {
    let unknown = reader.keywords.filter { !knownKeywords.contains($0.key) && !$0.key.hasPrefix("x-") }
    for (name, value) in unknown.sorted(by: { $0.value.position < $1.value.position }) {
      guard let meant = otherNames[name] ?? nearestWord(to: name, among: likelyKeywords) else { continue }
      warn(
        "`\(jsonEscaped(name))` is not a keyword of schemas, and checks nothing", of: name, value, reader,
        "did you mean `\(meant)`?")
    }
    if reader.dialect.version != .openAPI30, let value = reader.keywords["nullable"], value.text == "true" {
      let type = reader.keywords["type"].flatMap { $0.kind == .text ? $0.string : nil }
      warn(
        "`nullable` is a keyword of OpenAPI 3.0 alone, and has no effect here", of: "nullable", value, reader,
        "write `type: [\(type ?? "…"), \"null\"]`")
    }
  }

  /// Warns of a format that is checked nowhere, and differs from a known one by a typo.
  mutating func checkFormat(_ name: String, at value: JSONNode, _ reader: KeywordReader) {
    guard !otherFormats.contains(name), let meant = nearestWord(to: name, among: TextFormat.allCases.map(\.rawValue))
    else { return }
    bag.warning(
      "there is no format `\(jsonEscaped(name))`: it checks nothing",
      at: documents[reader.document].range(of: value), help: "did you mean `\(meant)`?")
  }

  /// - Parameter value: the keyword's value.
  private mutating func warn(
    _ message: String, of name: String, _ value: JSONNode, _ reader: KeywordReader, _ help: String
  ) {
    let document = documents[reader.document]
    let range = document.nameRange(of: value)
    // Of some documents only the lines are known, and the name may seem to be on the line before.
    bag.warning(message, at: range.text.contains(name) ? range : document.range(of: value), help: help)
  }
}

/// The keywords of all drafts and of OpenAPI's Schema Objects, also those that only describe.
private let knownKeywords = Set(
  """
  $anchor $comment $defs $dynamicAnchor $dynamicRef $id $recursiveAnchor $recursiveRef $ref $schema $vocabulary \
  additionalItems additionalProperties allOf anyOf const contains contentEncoding contentMediaType contentSchema \
  default definitions dependencies dependentRequired dependentSchemas deprecated description discriminator else enum \
  example examples exclusiveMaximum exclusiveMinimum externalDocs format id if items maxContains maxItems maxLength \
  maxProperties maximum minContains minItems minLength minProperties minimum multipleOf not nullable oneOf pattern \
  patternProperties prefixItems properties propertyNames readOnly required then title type unevaluatedItems \
  unevaluatedProperties uniqueItems writeOnly xml
  """.split(separator: " ").map(String.init))

/// Those that a typo may mean; too many words are near short ones.
private let likelyKeywords = knownKeywords.filter { $0.utf8.count > 3 }.sorted()

private let otherNames = ["min": "minimum", "max": "maximum", "regex": "pattern"]

/// Formats of OpenAPI's registry that aren't checked.
private let otherFormats = Set(
  """
  base64url binary byte char commonmark date-time-local decimal decimal128 double double-int duration float html \
  http-date int16 int32 int64 int8 media-range password sf-binary sf-boolean sf-decimal sf-integer sf-string sf-token \
  time-local uint16 uint32 uint64 uint8
  """.split(separator: " ").map(String.init))
