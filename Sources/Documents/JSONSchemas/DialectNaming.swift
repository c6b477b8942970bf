import DocumentQueries
import Values

extension SchemaCompiler {
  /// The dialect that a `$schema` names.
  mutating func dialect(_ text: String, at node: JSONNode?, in document: Int) -> SchemaDialect? {
    if var known = SchemaDialect.named(text) {
      known.allowsCircles = known.allowsCircles || options.dialect.allowsCircles
      return known
    }
    let range = node.map { documents[document].range(of: $0) } ?? SourceRange(documents[document].source, 0..<0)
    let url = URIReference(text)
    guard url.scheme != nil, !text.contains("json-schema.org/draft-0"), !text.contains("json-schema.org/schema"),
      let number = resource(at: url, range: range)
    else {
      if missing[url.withoutFragment] == .warning { return nil }
      bag.error(
        .invalidSchema, "the draft `\(text)` is not known here", at: range,
        help: "write https://json-schema.org/draft/2020-12/schema, or such as http://json-schema.org/draft-07/schema#")
      return nil
    }
    let root = resources[number].root
    var result = root[member: "$schema"].flatMap { SchemaDialect.named($0.string) } ?? .draft202012
    guard let vocabulary = root[member: "$vocabulary"] else { return result }
    result.vocabularies = []
    for member in vocabulary.members {
      let name = member.key.split(separator: "/").last ?? ""
      switch (member.key.hasPrefix("https://json-schema.org/draft/"), name) {
      case (true, "applicator"): result.vocabularies.insert(.applicator)
      case (true, "validation"): result.vocabularies.insert(.validation)
      case (true, "unevaluated"): result.vocabularies.insert(.unevaluated)
      case (true, "format-assertion"): result.vocabularies.insert(.formatAssertion)
      case (true, _): break
      default:
        guard member.value.text == "true" else { break }
        bag.error(.invalidSchema, "`$schema` needs the vocabulary \(member.key), which is not known here", at: range)
      }
    }
    // Draft 2019-09 has these two combined.
    if result.version == .draft2019, result.vocabularies.contains(.applicator) {
      result.vocabularies.insert(.unevaluated)
    }
    return result
  }
}
