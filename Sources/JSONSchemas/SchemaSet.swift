internal import EvaluationBudgets
package import JSONQueries
internal import OperatingSystem
internal import Synchronization

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

  /// Which way a message goes: a request may and must leave out what is `readOnly`, an answer what is `writeOnly`.
  package enum Direction: Sendable { case request, response }

  /// What a schema says of a node, and of all within it.
  ///
  /// - Parameter limit: how many failures are told; further ones are only counted.
  package func validate(
    _ instance: JSONNode, against schema: SchemaID, direction: Direction? = nil, limit: Int = 20
  ) -> SchemaResult {
    let validation = Validation(
      set: self, instance: instance, schema: schema, direction: direction, limit: limit, room: 192 << 10)
    if let result = validation.result() { return result }
    // Each level takes some kilobytes, more than a thread of macOS has for what nests deep.
    let result = Mutex(SchemaResult(problem: "schema and value nest together too deep"))
    let stack = 64 << 20
    let budget = EvaluationBudget.current
    _ = runOnStack(of: stack) {
      var deep = validation
      deep.room = stack - 1 << 20
      let found = budget.map { budget in budget.limit { deep.result() } } ?? deep.result()
      if let found { result.withLock { $0 = found } }
    }
    return result.withLock { $0 }
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

/// One instance held against one schema.
private struct Validation: Sendable {
  let set: SchemaSet
  let instance: JSONNode
  let schema: SchemaID
  let direction: SchemaSet.Direction?
  let limit: Int
  /// How far the stack may grow, in bytes.
  var room: Int

  /// Nil where the stack is too small.
  func result() -> SchemaResult? {
    var evaluation = newEvaluation()
    if evaluation.holds(schema, instance.position), evaluation.problem == nil { return SchemaResult() }
    let report = FailureReport(limit: limit)
    if evaluation.problem == nil {
      evaluation = newEvaluation()
      _ = evaluation.evaluate(schema, instance.position, nil, report)
    }
    if evaluation.lacksRoom { return nil }
    if let problem = evaluation.problem { return SchemaResult(problem: problem) }
    let failures = report.failures.map { SchemaFailure($0, of: set, in: instance.document) }
    return SchemaResult(failures: failures, more: report.more)
  }

  private func newEvaluation() -> Evaluation {
    Evaluation(set: set, document: instance.document, direction: direction, room: room)
  }
}
