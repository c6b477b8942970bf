extension SchemaDialect {
  /// The keywords that can stand in a schema at a path from another one; none where no schema stands.
  ///
  /// - Parameter path: keys, and nil for the items of lists.
  package func keywords(at path: some Sequence<String?>) -> [String] {
    var place: SubschemaShape? = .schema
    for step in path {
      switch (place, step) {
      case (.schema, let name?): place = shape(of: name)
      case (.schemaOrList, let name?): place = shape(of: name)
      case (.mapping, .some), (.dependencies, .some), (.list, nil), (.schemaOrList, nil): place = .schema
      default: return []
      }
    }
    return place == .schema || place == .schemaOrList ? SchemaDialect.current : []
  }

  /// Those of draft 2020-12.
  private static let current = keywordTypes.keys.filter { !notCurrent.contains($0) }.sorted()
  private static let notCurrent: Set = [
    "$recursiveAnchor", "$recursiveRef", "additionalItems", "definitions", "dependencies", "discriminator", "example",
    "externalDocs", "id", "nullable", "xml",
  ]

  /// The values of a keyword, where these are known.
  package static func words(of keyword: String) -> [String] {
    switch keyword {
    case "type": TypeSet.words.map(\.word)
    case "format": TextFormat.allCases.map(\.rawValue)
    default: keywordTypes[keyword] == .boolean ? ["true", "false"] : []
    }
  }
}
