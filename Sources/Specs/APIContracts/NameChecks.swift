import Values

/// Warnings of names in documents that differ from known ones by a typo, or stand in the wrong object: what is below them
/// checks nothing.
struct NameChecks: Sendable {
  /// A kind of object in a document, with the names that it may have.
  struct Object: Sendable {
    let phrase: String
    let names: [String]
    /// Indicates whether it has a schema in a member.
    let hasSchema: Bool

    init(_ phrase: String, _ names: String, hasSchema: Bool = false) {
      self.phrase = phrase
      self.names = names.split(separator: " ").map(String.init)
      self.hasSchema = hasSchema
    }

    static let operation = Object(
      "an operation",
      "tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security "
        + "servers")
    static let response = Object("a response", "description summary headers content links")
    static let requestBody = Object("a request body", "description content required")
    static let mediaType = Object(
      "a media type", "schema itemSchema example examples encoding prefixEncoding itemEncoding", hasSchema: true)
    private static let valueNames =
      "description required deprecated allowEmptyValue style explode allowReserved schema example examples content"
    static let header = Object("a header", valueNames, hasSchema: true)
    static let parameter = Object("a parameter", "name in " + valueNames, hasSchema: true)
  }

  private struct Place: Hashable {
    let file: ObjectIdentifier
    let position: Int
  }

  private(set) var warnings: [Diagnostic] = []
  /// The objects that were checked: several others may refer to one.
  private var known: Set<Place> = []

  mutating func check(_ node: DocumentNode, _ object: Object) {
    let unknown = node.members.filter { !object.names.contains($0.key) && $0.key != "$ref" }
    guard !unknown.isEmpty,
      known.insert(Place(file: ObjectIdentifier(node.file), position: node.node.position)).inserted
    else { return }
    for (name, value) in unknown {
      let near = nearestWord(to: name, among: object.names).map { "did you mean `\($0)`?" }
      guard let help = near ?? (object.hasSchema && schemaWords.contains(name) ? "write it in `schema`" : nil) else {
        continue
      }
      warnings.append(
        .warning(
          .suspiciousSchema, "`\(jsonEscaped(name))` is not a part of \(object.phrase), and checks nothing",
          at: value.range, help: help))
    }
  }
}

/// Keywords of schemas, which Swagger 2.0 has in parameters and headers themselves.
private let schemaWords: Set = [
  "type", "format", "enum", "minimum", "maximum", "minLength", "maxLength", "pattern", "items", "properties",
  "minItems", "maxItems", "multipleOf",
]
