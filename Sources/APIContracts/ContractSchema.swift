internal import JSONQueries
internal import Values

/// Which way a message goes.
enum SchemaDirection: Sendable { case request, response }

/// A schema of a document, compiled when it is first needed.
struct ContractSchema: Sendable {
  let node: DocumentNode
  let documents: DocumentSet
  let direction: SchemaDirection

  init(_ node: DocumentNode, _ documents: DocumentSet, _ direction: SchemaDirection) {
    self.node = node
    self.documents = documents
    self.direction = direction
  }

  var place: String { node.place }

  func differences(of instance: JSONNode) throws(ContractProblem) -> (listed: [SchemaDifference], more: Int) {
    ([], 0)
  }

  /// What a text breaks, whatever kind of value it is read as; nil if one of the readings is valid.
  func failures(reading: (_ prefersText: Bool) -> Value) -> (expected: String, actual: String)? { nil }
}
