package import JSONQueries

/// Schemas, compiled: they never change, and any number of threads may validate by them.
package final class SchemaSet: Sendable {
  let nodes: [SchemaNode]
  let resources: [CompiledResource]
  let documents: [SchemaDocument]

  init(nodes: [SchemaNode], resources: [CompiledResource], documents: [SchemaDocument]) {
    self.nodes = nodes
    self.resources = resources
    self.documents = documents
  }

  /// Which way a message goes: a request may leave out what is `readOnly`, an answer what is `writeOnly`.
  package enum Direction: Sendable { case request, response }

  /// What a schema says of a node, and of all within it.
  ///
  /// - Parameter limit: how many failures are told; further ones are only counted.
  package func validate(
    _ instance: JSONNode, against schema: SchemaID, direction: Direction? = nil, limit: Int = 20
  ) -> SchemaResult {
    var evaluation = Evaluation(set: self, document: instance.document, direction: direction)
    if evaluation.holds(schema, instance.position) { return SchemaResult() }
    if let problem = evaluation.problem { return SchemaResult(problem: problem) }
    let report = FailureReport(limit: limit)
    evaluation = Evaluation(set: self, document: instance.document, direction: direction)
    _ = evaluation.evaluate(schema, instance.position, nil, report)
    if let problem = evaluation.problem { return SchemaResult(problem: problem) }
    let failures = report.failures.map { SchemaFailure($0, of: self, in: instance.document) }
    return SchemaResult(failures: failures, more: report.more)
  }

  func schema(_ id: SchemaID) -> SchemaNode { nodes[Int(id.index)] }

  /// The node of the document where a schema or its keyword stands.
  func source(of node: SchemaNode, at place: Int32) -> (document: SchemaDocument, node: JSONNode) {
    let document = documents[Int(node.document)]
    return (document, document.json.node(at: Int(place)))
  }
}

/// What a schema says of an instance.
package struct SchemaResult: Sendable {
  /// The first failures, in the order of the instance.
  package var failures: [SchemaFailure] = []
  /// How many more there are.
  package var more = 0
  /// Why no verdict could be reached.
  package var problem: String?

  package var isValid: Bool { failures.isEmpty && more == 0 && problem == nil }
}
