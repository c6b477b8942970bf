import DocumentQueries
import HTTPSemantics
import Values

/// The parameters and the members of the body that an operation declares for its requests.
struct RequestFields: Sendable {
  struct Field: Sendable {
    /// `query limit`, `body.address.zip`, `body.tags[]`
    let label: String
    /// The values of its `enum`, as text.
    let values: [String]
  }

  private(set) var fields: [Field] = []
  private var indexes: [String: Int] = [:]

  private static let limit = 1_000
  private static let depthLimit = 8

  init(_ contract: OperationContract, _ documents: DocumentSet) {
    for parameter in contract.parameters {
      guard let schema = ParameterForm.schema(of: parameter.node) else {
        add(RequestFields.label(of: parameter), [])
        continue
      }
      let layers = SchemaLayers(schema, documents)
      let items = layers.first("items").map { RequestFields.values(of: SchemaLayers($0, documents)) } ?? []
      add(RequestFields.label(of: parameter), RequestFields.values(of: layers) + items)
    }
    for media in contract.requestBody?.content.types ?? [] {
      guard let schema = media.node["schema"] else { continue }
      if isJSON(media.key) {
        addMembers(of: schema, "body", [], documents)
      } else if media.key.hasPrefix(RequestFields.form) {
        for (name, property) in SchemaLayers(schema, documents).properties {
          add("form \(name)", RequestFields.values(of: SchemaLayers(property, documents)))
        }
      }
    }
  }

  private static let form = "application/x-www-form-urlencoded"

  static func label(of parameter: ParameterContract) -> String { "\(parameter.location.rawValue) \(parameter.name)" }

  private static func values(of layers: SchemaLayers) -> [String] {
    var known: Set<String> = []
    return (layers.first("enum")?.items ?? []).map { text($0.node.value) }.filter { known.insert($0).inserted }
  }

  private static func text(_ value: Value) -> String {
    if case .text(let text) = value { text.string } else { value.jsonText().string }
  }

  private mutating func add(_ label: String, _ values: [String]) {
    guard fields.count < RequestFields.limit, indexes[label] == nil else { return }
    indexes[label] = fields.count
    fields.append(Field(label: label, values: values))
  }

  /// - Parameter outer: the schemas around it, of which none is entered again.
  private mutating func addMembers(
    of schema: DocumentNode, _ label: String, _ outer: Set<SchemaPlace>, _ documents: DocumentSet
  ) {
    guard outer.count < RequestFields.depthLimit, fields.count < RequestFields.limit else { return }
    var layers = SchemaLayers(schema, documents)
    for node in layers.all {
      for keyword in ["anyOf", "oneOf"] { for part in node[keyword]?.items ?? [] { layers.add(part, documents) } }
    }
    guard let place = layers.own.last.map({ SchemaPlace($0) }), !outer.contains(place) else { return }
    let outer = outer.union([place])
    for (name, property) in layers.properties where !(property["readOnly"]?.isTrue ?? false) {
      let inner = "\(label).\(name)"
      add(inner, RequestFields.values(of: SchemaLayers(property, documents)))
      addMembers(of: property, inner, outer, documents)
    }
    if let items = layers.first("items") {
      let values = RequestFields.values(of: SchemaLayers(items, documents))
      if !values.isEmpty { add(label + "[]", values) }
      addMembers(of: items, label + "[]", outer, documents)
    }
  }

  // MARK: requests

  /// The indexes of what a request has, each with the indexes of its values.
  struct Sent: Sendable {
    fileprivate(set) var values: [Int: Set<Int>] = [:]
  }

  /// Notes a value and, below it, members and items.
  func note(_ value: Value, _ label: String, in sent: inout Sent, depth: Int = 0) {
    guard depth <= 2 * RequestFields.depthLimit else { return }
    if let index = indexes[label] {
      let own: [Value] = if case .list(let items) = value { items } else { [value] }
      let texts = fields[index].values.isEmpty ? [] : own.filter(\.isScalar).map(RequestFields.text)
      sent.values[index, default: []].formUnion(texts.compactMap { fields[index].values.firstIndex(of: $0) })
    }
    switch value {
    case .mapping(let mapping):
      for member in mapping.members { note(member.value, "\(label).\(member.key.string)", in: &sent, depth: depth + 1) }
    case .list(let items): for item in items { note(item, label + "[]", in: &sent, depth: depth + 1) }
    default: return
    }
  }

  /// Notes the body of a request, if it is JSON or a form.
  func noteBody(_ bytes: [UInt8], contentType: String?, in sent: inout Sent) {
    guard let contentType else { return }
    if isJSON(contentType) {
      guard let document = try? JSONDocument(parsing: bytes) else { return }
      note(document.root.value, "body", in: &sent)
    } else if contentType.lowercased().hasPrefix(RequestFields.form) {
      for pair in formPairs(String(decoding: bytes, as: UTF8.self)) {
        note(.text(Text(pair.value)), "form \(pair.name)", in: &sent)
      }
    }
  }
}

extension APIContract {
  /// Counts what a request has for the coverage of fields.
  func noteFields(of check: RequestCheck) {
    guard countsFields else { return }
    let number = check.operation.number
    let fields = requestFields(of: check.contract, number: number)
    var sent = RequestFields.Sent()
    for parameter in check.contract.parameters {
      if let value = check.value(of: parameter) { fields.note(value, RequestFields.label(of: parameter), in: &sent) }
    }
    if let bytes = check.exchange.requestBody {
      fields.noteBody(bytes, contentType: check.exchange.requestHeaders.first("Content-Type"), in: &sent)
    }
    exercise.withLock { $0.note(sent, of: number) }
  }

  private func requestFields(of contract: OperationContract, number: Int) -> RequestFields {
    exercise.withLock { counts in
      if let known = counts.fields[number] { return known }
      let made = RequestFields(contract, documents)
      counts.fields[number] = made
      return made
    }
  }

  /// The coverage of an operation's fields; empty unless they are counted.
  func fieldCoverage(
    of operation: Operation, _ counts: ExerciseCounts, masked: (String) -> String
  ) -> [ContractCoverage.FieldCoverage] {
    guard countsFields, let contract = try? operation.contract(in: documents) else { return [] }
    let fields = counts.fields[operation.number] ?? RequestFields(contract, documents)
    let sent = counts.entries[operation.number]?.fields ?? [:]
    return fields.fields.enumerated().map { index, field in
      ContractCoverage.FieldCoverage(
        name: masked(field.label), requests: sent[index]?.requests ?? 0,
        values: field.values.enumerated().map { (masked($1), sent[index]?.values[$0] ?? 0) })
    }
  }
}
