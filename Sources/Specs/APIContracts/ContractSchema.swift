import DocumentQueries
import JSONSchemas
import Matching
import Values

/// A schema of a document, compiled at first use.
struct ContractSchema: Sendable {
  private let node: DocumentNode
  private let documents: DocumentSet
  private let direction: SchemaSet.Direction

  init(_ node: DocumentNode, _ documents: DocumentSet, _ direction: SchemaSet.Direction) {
    self.node = node
    self.documents = documents
    self.direction = direction
  }

  /// The schema's place; for a mere reference, that of its target.
  var place: String { ((try? documents.resolved(node)) ?? node).place }

  /// Compiles it before a value needs it.
  func compile() throws(ContractProblem) { _ = try documents.compiled(node) }

  /// The parts of a value that the schema rejects.
  func differences(of instance: JSONNode) throws(ContractProblem) -> ValueDifferences {
    let schema = try documents.compiled(node)
    let result = schema.set.validate(instance, against: schema.id, direction: direction, limit: DifferenceList.limit)
    if let problem = result.problem { throw ContractProblem(.invalidContract, problem, at: node) }
    return ValueDifferences(result)
  }

  /// Returns whether a value is valid; nil if the validator can't say.
  func allows(_ value: Value) -> Bool? {
    guard let document = try? JSONDocument(parsing: value.jsonText().string) else { return nil }
    return (try? differences(of: document.root))?.listed.isEmpty
  }

  /// A description of valid texts, when a text is read as any kind of value that its schema allows; nil if a reading is
  /// valid.
  func expectation(reading: (_ prefersText: Bool) -> Value) throws(ContractProblem) -> String? {
    var first: String?
    for prefersText in [false, true] {
      guard let document = try? JSONDocument(parsing: reading(prefersText).jsonText().string) else { continue }
      let differences = try differences(of: document.root)
      guard let difference = differences.listed.first else { return nil }
      let path = difference.path == ValueDifferences.root ? "" : "\(difference.path): "
      first = first ?? path + difference.phrase
    }
    return first
  }
}

/// The first places of a value that violate its schema.
struct ValueDifferences {
  /// The name of the value itself.
  static let root = "$"

  private(set) var listed: [SchemaDifference] = []
  private(set) var more: Int
  private(set) var hint: String?
  /// The name in a valid value that the schema certainly misspells.
  let misspelling: String?
  private var firstHint: (path: String, text: String)?

  init(_ result: SchemaResult) {
    more = result.more
    misspelling = result.misspelling
    for failure in result.failures { add(failure) }
    hint = firstHint.map { listed.count > 1 ? "\($0.path): \($0.text)" : $0.text }
  }

  private mutating func add(_ failure: SchemaFailure) {
    let path = failure.pointer.isEmpty ? ValueDifferences.root : failure.pointer
    if firstHint == nil, let hint = failure.hint { firstHint = (path, hint) }
    guard listed.count < DifferenceList.limit else {
      more += 1
      return
    }
    let place = "`\(failure.keyword)`, \(failure.range.source.name):\(failure.range.start.line)"
    let nearest = failure.nearest.map { "the nearest is \($0.name)" }
    let difference = SchemaDifference(
      path: path, expected: failure.expected,
      actual: failure.isMissing ? nil : ValueDifferences.shown(failure.instance),
      note: [failure.remark, nearest, place].compactMap(\.self).joined(separator: "; "),
      bytes: failure.instance.byteRange)
    // Adjacent schemas often expect the same.
    if path == ValueDifferences.root, listed.contains(where: { $0.path == path && $0.expected == difference.expected })
    {
      return
    }
    listed.append(difference)
    for inner in failure.nearest?.failures ?? [] { add(inner) }
    more += failure.nearest?.more ?? 0
  }

  /// A short description of a value.
  private static func shown(_ node: JSONNode) -> String {
    switch node.kind {
    case .list: node.count == 0 ? "[]" : "an array of \(node.count)"
    case .mapping:
      node.count == 0
        ? "{}"
        : "an object with " + node.members.prefix(5).map { "`\(Excerpt($0.key, limit: 60))`" }.joined(separator: ", ")
          + (node.count > 5 ? ", …" : "")
    default: "\(Excerpt(node.text, limit: 120))"
    }
  }
}
