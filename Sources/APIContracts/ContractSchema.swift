internal import Diagnostics
internal import JSONQueries
internal import JSONSchemas
internal import Values

/// A schema of a document, compiled when it is first needed.
struct ContractSchema: Sendable {
  private let node: DocumentNode
  private let documents: DocumentSet
  private let direction: SchemaSet.Direction

  init(_ node: DocumentNode, _ documents: DocumentSet, _ direction: SchemaSet.Direction) {
    self.node = node
    self.documents = documents
    self.direction = direction
  }

  /// Where the schema stands; that of a mere reference is what it leads to.
  var place: String { ((try? documents.resolved(node)) ?? node).place }

  /// What of a value the schema does not allow.
  func differences(of instance: JSONNode) throws(ContractProblem) -> ValueDifferences {
    let schema = try documents.compiled(node)
    let result = schema.set.validate(instance, against: schema.id, direction: direction)
    if let problem = result.problem { throw ContractProblem(problem, at: node) }
    return ValueDifferences(result)
  }

  /// What would be valid for a text, read as whichever kinds of value its schema allows; nil if a reading is valid.
  func expectation(reading: (_ prefersText: Bool) -> Value) throws(ContractProblem) -> String? {
    var first: String?
    for prefersText in [false, true] {
      guard let document = try? JSONDocument(parsing: reading(prefersText).jsonText().string) else { continue }
      let differences = try differences(of: document.root)
      guard let difference = differences.listed.first else { return nil }
      let path = difference.path == ValueDifferences.root ? "" : "\(difference.path): "
      first = first ?? path + (difference.expected ?? "nothing there")
    }
    return first
  }
}

/// What of a value breaks its schema, the first places of it.
struct ValueDifferences {
  /// How the value itself is named.
  static let root = "$"
  private static let limit = 20

  private(set) var listed: [SchemaDifference] = []
  private(set) var more: Int
  private(set) var hint: String?
  private var firstHint: (path: String, text: String)?

  init(_ result: SchemaResult) {
    more = result.more
    for failure in result.failures { add(failure) }
    hint = firstHint.map { listed.count > 1 ? "\($0.path): \($0.text)" : $0.text }
  }

  private mutating func add(_ failure: SchemaFailure) {
    let path = failure.pointer.isEmpty ? ValueDifferences.root : failure.pointer
    if firstHint == nil, let hint = failure.hint { firstHint = (path, hint) }
    guard listed.count < ValueDifferences.limit else {
      more += 1
      return
    }
    let place = "\(failure.range.source.name):\(failure.range.start.line)"
    var expected = failure.expected
    if let nearest = failure.nearest { expected = (expected ?? "another value") + ", the nearest \(nearest.name)" }
    let value = failure.isMissing ? nil : ValueDifferences.shown(failure.instance)
    listed.append(
      SchemaDifference(
        path: path, expected: expected.map { "\($0) (`\(failure.keyword)`, \(place))" },
        actual: value.map { value in failure.remark.map { "\(value), \($0)" } ?? value },
        bytes: failure.instance.byteRange))
    for inner in failure.nearest?.failures ?? [] { add(inner) }
    more += failure.nearest?.more ?? 0
  }

  /// A value in a few words.
  private static func shown(_ node: JSONNode) -> String {
    switch node.kind {
    case .list: node.count == 0 ? "[]" : "an array of \(node.count)"
    case .mapping:
      node.count == 0
        ? "{}"
        : "an object with " + node.members.prefix(5).map { "`\($0.key)`" }.joined(separator: ", ")
          + (node.count > 5 ? ", …" : "")
    default: node.text.count > 120 ? node.text.prefix(119) + "…" : node.text
    }
  }
}
