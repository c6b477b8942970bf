import DocumentQueries
import JSONSchemas
import Values

extension APIContract {
  /// Checks a document by itself: what no request may ever need, too.
  package func checkAll() -> [Diagnostic] {
    var check = WholeCheck(documents)
    check.run(operations)
    return check.problems
  }
}

/// A walk through all that the files of a contract declare.
private struct WholeCheck {
  private let documents: DocumentSet
  private(set) var problems: [Diagnostic] = []
  /// The number of problems that are shown.
  private static let limit = 100
  private var left = 0
  /// The pointers that are referred to, by the locations of their files.
  private var used: Set<String> = []
  private var operationIDs: [String: DocumentNode] = [:]

  init(_ documents: DocumentSet) { self.documents = documents }

  mutating func run(_ operations: [Operation]) {
    for file in documents.allFiles { walk(file) }
    // A translation refers to parts of what a document refers to.
    for file in documents.filesAsWritten { noteReferences(in: file) }
    for operation in operations { check(operation) }
    checkComponents(hasOperations: !operations.isEmpty)
    if left > 0 {
      problems.append(.warning(.suspiciousSchema, "\(left) more problems of the document are not shown", at: nil))
    }
  }

  private mutating func add(_ problem: Diagnostic) {
    if problems.count < WholeCheck.limit { problems.append(problem) } else { left += 1 }
  }

  private mutating func warn(_ message: String, at node: DocumentNode, help: String? = nil) {
    add(.warning(.suspiciousSchema, message, at: node.range, help: help))
  }

  // MARK: references

  /// The keys whose values are data, where a `$ref` means nothing.
  private static let data: Set<String> = ["example", "examples", "default", "enum", "const", "value", "dataValue"]
  /// The keys whose members have names of their own.
  private static let named: Set<String> = [
    "properties", "patternProperties", "$defs", "definitions", "schemas", "parameters", "responses", "headers",
    "requestBodies", "securitySchemes", "links", "callbacks", "pathItems", "paths", "mapping", "dependentSchemas",
  ]

  private mutating func walk(_ file: DocumentFile) {
    var pending = [(node: file.root, hasNames: false)]
    while let (node, hasNames) = pending.popLast() {
      if !hasNames, let reference = node["$ref"], let text = reference.string { check(text, at: reference, of: node) }
      if !hasNames, let mapping = node["discriminator"]?["mapping"] {
        for (_, value) in mapping.members { note(value.string ?? "", in: file) }
      }
      for (key, value) in node.members where hasNames || !WholeCheck.data.contains(key) {
        pending.append((value, !hasNames && WholeCheck.named.contains(key)))
      }
      pending += node.items.map { ($0, false) }
    }
  }

  private mutating func noteReferences(in file: DocumentFile) {
    var pending = [file.root]
    while let node = pending.popLast() {
      if let text = node["$ref"]?.string { note(text, in: file) }
      pending += node.members.map(\.value) + node.items
    }
  }

  private mutating func check(_ reference: String, at place: DocumentNode, of node: DocumentNode) {
    note(reference, in: place.file)
    // The schema compiler resolves anchors and identifiers, and reports them where they are used.
    let fragment = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
    guard !reference.contains("://"), fragment.map({ $0.isEmpty || $0.hasPrefix("/") }) ?? true,
      place.file.root["$id"] == nil
    else { return }
    do throws(ContractProblem) {
      _ = try documents.resolved(node)
    } catch {
      guard !error.isCircle else { return }
      var problem = error.diagnostic
      if problem.range == nil { problem.range = place.range }
      if !problems.contains(where: { $0.message == problem.message && $0.range == problem.range }) { add(problem) }
    }
  }

  private mutating func note(_ reference: String, in file: DocumentFile) {
    guard let mark = reference.firstIndex(of: "#") else {
      // The name of a schema in a mapping.
      used.insert("/components/schemas/" + reference)
      return
    }
    let pointer = reference[reference.index(after: mark)...]
    used.insert(String(pointer))
    // A reference into a component refers to it.
    let parts = pointer.split(separator: "/", maxSplits: 4)
    for count in [2, 3] where parts.count > count { used.insert("/" + parts.prefix(count).joined(separator: "/")) }
  }

  // MARK: operations

  private mutating func check(_ operation: Operation) {
    if operation.responses?.members.isEmpty ?? true {
      warn(
        "\(operation.label) declares no responses: nothing can be checked", at: operation.node,
        help: "write `responses:`")
    }
    if let id = operation.operationID {
      if let other = operationIDs[id] {
        warn(
          "two operations have the operationId \(id): the other one is in line \(other.range.start.line)",
          at: operation.node)
      } else {
        operationIDs[id] = operation.node
      }
    }
    guard let contract = try? operation.contract(in: documents), let template = PathTemplate(operation.path) else {
      return
    }
    let declared = contract.parameters.filter { $0.location == .path }
    for parameter in declared where !template.parameterNames.contains(parameter.name) {
      let near = nearestWord(to: parameter.name, among: template.parameterNames)
      warn(
        "the path \(operation.path) has no parameter \(parameter.name)", at: parameter.node,
        help: near.map { "did you mean `\($0)`?" })
    }
    for name in template.parameterNames where !declared.contains(where: { $0.name == name }) {
      warn("\(operation.label) does not declare its path parameter \(name)", at: operation.node)
    }
    for parameter in contract.parameters { checkExamples(of: parameter.node, parameter.schema, parameter.label) }
    for media in contract.requestBody?.content.types ?? [] where isJSON(media.key) {
      checkExamples(of: media.node, media.schema, "body of the request")
    }
    for key in contract.statusKeys {
      for media in (try? contract.response(key))?.content?.types ?? [] where isJSON(media.key) {
        checkExamples(of: media.node, media.schema, "body of the response \(key)")
      }
    }
  }

  private var checkedExamples: Set<String> = []

  private mutating func checkExamples(of node: DocumentNode, _ schema: ContractSchema?, _ name: String) {
    guard let schema, checkedExamples.insert("\(node.file.location)\(node.node.position)").inserted else { return }
    var examples: [DocumentNode] = []
    if let example = node["example"] { examples.append(example) }
    for (_, example) in node["examples"]?.members ?? [] {
      if let value = (try? documents.resolved(example))?["value"] { examples.append(value) }
    }
    for example in examples {
      guard let value = try? JSONDocument(parsing: example.node.value.jsonText().string),
        let first = try? schema.differences(of: value.root).listed.first
      else { continue }
      let place = first.path == ValueDifferences.root ? "" : "\(first.path): "
      warn(
        "the example of the \(name) breaks its schema: \(place)expected \(first.phrase), actual \(first.actual ?? "nothing")",
        at: example)
    }
  }

  // MARK: components

  private mutating func checkComponents(hasOperations: Bool) {
    let root = documents.asWritten
    let kinds = ["schemas", "responses", "parameters", "requestBodies", "headers"]
    let sections =
      kinds.map { (name: $0, pointer: "/components/\($0)/", node: root["components"]?[$0]) }
      // Those of Swagger 2.0.
      + ["definitions", "responses", "parameters"].map { (name: $0, pointer: "/\($0)/", node: root[$0]) }
    for (name, pointer, node) in sections {
      guard let members = node?.members else { continue }
      if name == "schemas" { for member in members { compile(member.value) } }
      // A document without operations is one of parts for others.
      let unused = members.filter { !isUsed(pointer + JSONPointer.escaped($0.key)) }
      guard hasOperations, let first = unused.first else { continue }
      let names = unused.prefix(8).map { "`\($0.key)`" }.joined(separator: ", ")
      let more = unused.count > 8 ? " and \(unused.count - 8) more" : ""
      warn("nothing refers to \(names)\(more) of `\(name)`", at: first.value)
    }
  }

  private mutating func compile(_ schema: DocumentNode) {
    do throws(ContractProblem) {
      try ContractSchema(schema, documents, .response).compile()
    } catch {
      if !problems.contains(where: { $0.range == error.diagnostic.range }) { add(error.diagnostic) }
    }
  }

  private func isUsed(_ pointer: String) -> Bool {
    used.contains(pointer) || used.contains(percentEncoded(pointer, allowed: .pathSegment.inserting("/")))
  }
}
