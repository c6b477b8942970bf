import DocumentQueries
import Values

/// The values at the bounds of an operation's parameters and body, and beyond them.
package struct OperationBoundaries: Sendable {
  /// A step into a body.
  package enum Step: Sendable {
    case name(String)
    case index(Int)
  }

  package enum Target: Sendable {
    case path(String)
    case query(String)
    case header(String)
    case cookie(String)
    /// A field of a form, or a part of a multipart body.
    case form(String)
    case field([Step])
  }

  /// A part of the request, with a row for each value.
  package struct Field: Sendable {
    package let target: Target
    /// `query limit`, `body.age`
    package let label: String
    package let rows: [BoundaryRow]
    /// Indicates that the request is wrong without it.
    package let isRequired: Bool
  }

  package fileprivate(set) var fields: [Field] = []
  /// Whole bodies.
  package fileprivate(set) var bodies: [BoundaryRow] = []
  /// The number of rows that are beyond the limit.
  package fileprivate(set) var more = 0

  fileprivate static let rowLimit = 200
  fileprivate static let depthLimit = 6
  fileprivate var room = rowLimit
}

extension Operation {
  /// Makes the rows of the operation.
  ///
  /// - Parameter example: a valid request.
  /// - Returns: Nil if the time is over.
  package func boundaries(
    of example: RequestExample, in documents: DocumentSet, within time: ExampleTime
  ) throws(ContractProblem) -> OperationBoundaries? {
    if time.budget.isExhausted { return nil }
    let contract = try contract(in: documents)
    let result = time.budget.limit {
      var result = OperationBoundaries()
      for parameter in contract.parameters { result.add(parameter, documents) }
      switch (example.body, contract.requestBody) {
      case (.json(let value, let type)?, let body?):
        if let schema = body.content.types.first(where: { $0.key == type })?.node["schema"] {
          result.add(schema, value, documents, isRequired: body.isRequired)
        }
      case (.form(let pairs)?, let body?): result.add(body, .form, isLone: pairs.count < 2, example, documents)
      case (.multipart(let parts)?, let body?):
        result.add(body, .multipart, isLone: parts.count < 2, example, documents)
      default: break
      }
      return result
    }
    return time.budget.isExhausted ? nil : result
  }
}

extension OperationBoundaries {
  private mutating func append(_ target: Target, _ label: String, _ rows: [BoundaryRow], isRequired: Bool) {
    let kept = Array(rows.prefix(room))
    room -= kept.count
    more += rows.count - kept.count
    if !kept.isEmpty || isRequired && room > 0 {
      fields.append(Field(target: target, label: label, rows: kept, isRequired: isRequired))
    }
  }

  fileprivate mutating func add(_ parameter: ParameterContract, _ documents: DocumentSet) {
    guard let schema = ParameterForm.schema(of: parameter.node),
      let made = SchemaExample.make(schema, given: [], documents), made.problem == nil
    else { return }
    let form = parameter.form
    let name = parameter.name
    let target: Target
    switch parameter.location {
    case .path:
      guard form.style == .simple, form.mediaType == nil, made.value.isScalar else { return }
      target = .path(name)
    case .query:
      guard let pairs = form.plainPairs(made.value, name: name), pairs.count == 1, pairs[0].name == name else { return }
      target = .query(name)
    case .header:
      guard form.mediaType == nil, made.value.isScalar else { return }
      target = .header(name)
    case .cookie:
      guard form.mediaType == nil, made.value.isScalar else { return }
      target = .cookie(name)
    }
    let isPath = parameter.location == .path
    var rows = BoundaryRows(schema, base: made.value, isPath ? .segment : .text, documents).rows
    // Servers disagree on other values of cookies.
    if case .cookie = target { rows.removeAll { !$0.value.asText.string.isCookieValue } }
    append(target, "\(parameter.location.rawValue) \(name)", rows, isRequired: parameter.isRequired && !isPath)
  }

  fileprivate enum FormKind: String {
    case form = "application/x-www-form-urlencoded"
    case multipart = "multipart/form-data"
  }

  /// Adds the texts and numbers of a form.
  ///
  /// - Parameter isLone: whether the example has a single field, without which there is no body.
  fileprivate mutating func add(
    _ body: RequestBodyContract, _ kind: FormKind, isLone: Bool, _ example: RequestExample, _ documents: DocumentSet
  ) {
    let media = body.content.types.first { $0.key.lowercased().hasPrefix(kind.rawValue) }
    guard let media, let schema = media.node["schema"], !example.problems.contains(where: { $0.label == "body" })
    else { return }
    let layers = SchemaLayers(schema, documents)
    for (name, property) in layers.properties {
      guard media.node["encoding"]?[name]?.members.isEmpty ?? true, !(property["readOnly"]?.isTrue ?? false),
        !RequestExample.isFile(SchemaLayers(property, documents)),
        let made = SchemaExample.make(property, given: [], documents), made.problem == nil, made.value.isScalar
      else { continue }
      let isRequired = layers.required.contains(name)
      // An empty field is none to many servers.
      let rows = BoundaryRows(property, base: made.value, .text, documents).rows.filter {
        isRequired && !$0.isAllowed || !$0.value.asText.string.isEmpty
      }
      append(.form(name), "form \(name)", rows, isRequired: isRequired && (body.isRequired || !isLone))
    }
  }

  fileprivate mutating func add(
    _ schema: DocumentNode, _ body: Value, _ documents: DocumentSet, isRequired: Bool
  ) {
    let contract = ContractSchema(schema, documents, .request)
    func isWrong(_ value: Value) -> Bool {
      guard let document = try? JSONDocument(parsing: value.jsonText().string),
        let found = try? contract.differences(of: document.root)
      else { return false }
      return !found.listed.isEmpty
    }
    guard !isWrong(body) else { return }
    bodies = BoundaryRows(schema, base: body, .json, documents).rows.map {
      BoundaryRow(name: "body: \($0.name)", value: $0.value, isAllowed: $0.isAllowed)
    }
    // Without a body, null may mean that there is none.
    if !isRequired { bodies.removeAll { if case .null = $0.value { true } else { false } } }
    var changed: [BoundaryRow] = []
    visit(schema, body, [], "body", documents) { path, name, label, isMember in
      let value = body.changing(path[...]) { parent in
        guard case .mapping(var mapping) = parent else { return nil }
        mapping[name] = isMember ? nil : .text("x")
        return .mapping(mapping)
      }
      guard let value, isWrong(value) else { return }
      changed.append(BoundaryRow(name: isMember ? "\(label) missing" : label, value: value, isAllowed: false))
    }
    bodies += changed
    more += max(0, bodies.count - room)
    bodies = Array(bodies.prefix(room))
    room -= bodies.count
  }

  /// Visits the members of a body, in order.
  ///
  /// - Parameter change: gets the place of an object, a name in it, and whether it is one of its members or another one.
  private mutating func visit(
    _ schema: DocumentNode, _ value: Value, _ path: [Step], _ label: String, _ documents: DocumentSet,
    change: ([Step], String, String, Bool) -> Void
  ) {
    guard path.count < OperationBoundaries.depthLimit, room > 0 else { return }
    let layers = BoundaryRows(schema, base: value, .json, documents).layers
    switch value {
    case .mapping(let mapping):
      for (name, property) in layers.properties {
        guard !(property["readOnly"]?.isTrue ?? false) else { continue }
        let inner = path + [.name(name)]
        let own = mapping[name]
        guard let base = own ?? SchemaExample.make(property, given: [], documents)?.value else { continue }
        let rows = BoundaryRows(property, base: base, .json, documents).rows
        append(.field(inner), "\(label).\(name)", rows, isRequired: false)
        guard let own else { continue }
        if layers.required.contains(name) { change(path, name, "\(label).\(name)", true) }
        visit(property, own, inner, "\(label).\(name)", documents, change: change)
      }
      change(path, "unexpected", "\(label): an additional property", false)
    case .list(let items):
      guard let first = items.first, let item = layers.first("items") else { return }
      let inner = path + [.index(0)]
      append(
        .field(inner), "\(label)[0]", BoundaryRows(item, base: first, .json, documents).rows, isRequired: false)
      visit(item, first, inner, "\(label)[0]", documents, change: change)
    default: return
    }
  }
}

extension String {
  /// Indicates a value of a cookie that needs no encoding (RFC 6265).
  fileprivate var isCookieValue: Bool {
    !isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\",;\\%".utf8.contains($0) }
  }
}

extension Value {
  /// The value with a change at a place in it; nil if it has no such place.
  fileprivate func changing(_ path: ArraySlice<OperationBoundaries.Step>, _ change: (Value) -> Value?) -> Value? {
    guard let step = path.first else { return change(self) }
    switch (step, self) {
    case (.name(let name), .mapping(var mapping)):
      guard let inner = mapping[name], let changed = inner.changing(path.dropFirst(), change) else { return nil }
      mapping[name] = changed
      return .mapping(mapping)
    case (.index(let index), .list(var items)) where items.indices.contains(index):
      items[index] = items[index].changing(path.dropFirst(), change) ?? items[index]
      return .list(items)
    default: return nil
    }
  }
}
