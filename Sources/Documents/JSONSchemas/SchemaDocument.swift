import DocumentQueries
import Values

/// A JSON or YAML document with schemas in it, and the places of its nodes in the file.
package final class SchemaDocument: Sendable {
  /// The absolute URL that references resolve against and lead to, without a fragment.
  package let url: String
  package let json: JSONDocument
  package let source: SourceText
  /// The bytes of each node of `json` in the source, in the order of its flat array; nil if they are the same as in
  /// `json`.
  private let places: [Range<Int>]?

  package init(url: String, json: JSONDocument, source: SourceText, places: [Range<Int>]? = nil) {
    self.url = url
    self.json = json
    self.source = source
    self.places = places
  }

  /// The same document at another URL.
  package func moved(to url: String) -> SchemaDocument {
    SchemaDocument(url: url, json: json, source: source, places: places)
  }

  package var root: JSONNode { json.root }

  /// The place of a node of ``json``.
  package func range(of node: JSONNode) -> SourceRange {
    guard let places else { return SourceRange(source, node.byteRange) }
    return SourceRange(source, places.indices.contains(node.position) ? places[node.position] : 0..<0)
  }

  /// The place of a member's name, by its value.
  func nameRange(of value: JSONNode) -> SourceRange {
    value.position > 0 ? range(of: json.node(at: value.position - 1)) : range(of: value)
  }
}
