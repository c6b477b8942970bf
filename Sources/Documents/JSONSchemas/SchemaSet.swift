import DocumentQueries
import OperatingSystem
import Values
internal import Synchronization

/// Compiled schemas: immutable, so that any number of threads may validate with them.
package final class SchemaSet: Sendable {
  let nodes: [SchemaNode]
  let resources: [CompiledResource]
  let documents: [SchemaDocument]

  init(nodes: [SchemaNode], resources: [CompiledResource], documents: [SchemaDocument]) {
    self.nodes = nodes
    self.resources = resources
    self.documents = documents
  }

  /// The direction of a message: a request may and must omit `readOnly` properties, a response `writeOnly` ones.
  package enum Direction: Sendable { case request, response }

  /// Validates a node, and all within it, against a schema.
  ///
  /// - Parameter limit: the number of failures to report; further ones are only counted.
  package func validate(
    _ instance: JSONNode, against schema: SchemaID, direction: Direction? = nil, limit: Int = 20
  ) -> SchemaResult {
    let validation = Validation(
      set: self, instance: instance, schema: schema, direction: direction, limit: limit, room: 192 << 10)
    if let result = validation.result() { return result }
    // Each level takes some kilobytes, more than a thread of macOS has for deep nesting.
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

  /// Returns whether a schema names a property.
  func hasProperty(_ name: [UInt8]) -> Bool {
    nodes.contains { node in
      node.rules.contains { rule in
        if case .members(let members) = rule.check { members.names.index(of: name[...]) != nil } else { false }
      }
    }
  }

  func schema(_ id: SchemaID) -> SchemaNode { nodes[Int(id.index)] }

  /// The node of the document that contains a schema or its keyword.
  func source(of node: SchemaNode, at place: Int32) -> (document: SchemaDocument, node: JSONNode) {
    let document = documents[Int(node.document)]
    return (document, document.json.node(at: Int(place)))
  }
}

/// The result of validating an instance.
package struct SchemaResult: Sendable {
  /// The first failures, in the order of the instance.
  package var failures: [SchemaFailure] = []
  /// The number of further failures.
  package var more = 0
  /// The reason why there is no result.
  package var problem: String?
  /// A name in a valid instance that a property without a value certainly misspells, so that it checks nothing.
  package var misspelling: String?
  /// The doubt about a part of the schema that checks nothing of a valid instance.
  package var doubt: Doubt?

  package var isValid: Bool { failures.isEmpty && more == 0 && problem == nil }
}

/// The validation of one instance against one schema.
private struct Validation: Sendable {
  let set: SchemaSet
  let instance: JSONNode
  let schema: SchemaID
  let direction: SchemaSet.Direction?
  let limit: Int
  /// The number of bytes by which the stack may grow.
  var room: Int

  /// Nil if the stack is too small.
  func result() -> SchemaResult? {
    var evaluation = newEvaluation()
    if evaluation.holds(schema, instance.position), evaluation.problem == nil {
      return SchemaResult(
        misspelling: evaluation.misspelling,
        doubt: evaluation.idle.map { doubt(about: $0.schema, $0.instance) }
          ?? evaluation.otherCase.map { doubt(aboutCaseOf: $0.wanted, $0.instance) })
    }
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

  private func doubt(about idle: SchemaNode, _ place: Int) -> Doubt {
    let value = instance.document.node(at: place)
    let pointer = JSONPointer.pointer(to: value)
    return Doubt(
      "the schema says nothing about this type", expected: Text(idle.impliedTypes.phrase),
      actual: Text(phrase(value) + (pointer.isEmpty ? "" : " at \(pointer)")),
      hint: "write `type: \(idle.impliedTypes.word)` beside the keywords that are about it"
        + (idle.impliedTypes == .string && value.kind == .number ? ", or `minimum` and `maximum` for a number" : ""))
  }

  private func doubt(aboutCaseOf wanted: String, _ place: Int) -> Doubt {
    let value = instance.document.node(at: place)
    let pointer = JSONPointer.pointer(to: value)
    return Doubt(
      "the condition of `if` has the text in another letter case, so that `then` checks nothing",
      expected: Text("\"\(wanted)\""),
      actual: Text("\"\(value.string)\"" + (pointer.isEmpty ? "" : " at \(pointer)")), hint: "write it as it is there")
  }

  private func newEvaluation() -> Evaluation {
    Evaluation(set: set, document: instance.document, direction: direction, room: room)
  }
}
