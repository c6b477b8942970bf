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
    /// A valid body that has the object or list of the field.
    package let body: Value
  }

  package fileprivate(set) var fields: [Field] = []
  /// Whole bodies.
  package fileprivate(set) var bodies: [BoundaryRow] = []
  /// Indicates that the request is wrong without a body.
  package fileprivate(set) var needsBody = false
  /// The optional parameters that the example sends.
  package fileprivate(set) var optional: [Target] = []
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
      for parameter in contract.parameters {
        result.add(parameter, documents)
        if !parameter.isRequired, !example.omitted.contains(parameter.label) { result.addOptional(parameter) }
      }
      switch (example.body, contract.requestBody) {
      case (.json(let value, let type)?, let body?):
        if let schema = body.content.types.first(where: { $0.key == type })?.node["schema"] {
          result.needsBody = body.isRequired
          result.add(schema, value, documents)
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
  private mutating func append(
    _ target: Target, _ label: String, _ rows: [BoundaryRow], isRequired: Bool = false, body: Value = .null
  ) {
    let kept = Array(rows.prefix(room))
    room -= kept.count
    more += rows.count - kept.count
    if !kept.isEmpty || isRequired && room > 0 {
      fields.append(Field(target: target, label: label, rows: kept, isRequired: isRequired, body: body))
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
    let place: BoundaryRows.Place = isPath ? .segment : parameter.location == .query ? .query : .text
    var rows = BoundaryRows(schema, base: made.value, place, documents).rows
    // Servers disagree on other values of cookies.
    if case .cookie = target { rows.removeAll { !$0.value.asText.string.isCookieValue } }
    append(target, "\(parameter.location.rawValue) \(name)", rows, isRequired: parameter.isRequired && !isPath)
  }

  fileprivate mutating func addOptional(_ parameter: ParameterContract) {
    switch parameter.location {
    case .path: return
    case .query: optional.append(.query(parameter.name))
    case .header: optional.append(.header(parameter.name))
    case .cookie: optional.append(.cookie(parameter.name))
    }
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

  fileprivate mutating func add(_ schema: DocumentNode, _ body: Value, _ documents: DocumentSet) {
    let contract = ContractSchema(schema, documents, .request)
    func isWrong(_ value: Value) -> Bool { contract.allows(value) == false }
    guard !isWrong(body) else { return }
    let whole = BoundaryRows(schema, base: body, .json, documents)
    bodies = whole.rows.map {
      BoundaryRow(name: "body: \($0.name)", value: $0.value, isAllowed: $0.isAllowed)
    }
    // Without a body, null may mean that there is none.
    if !needsBody { bodies.removeAll { if case .null = $0.value { true } else { false } } }
    if case .mapping(let mapping) = body {
      let required = SchemaLayers(schema, documents).required
      let least = Value.mapping(Mapping(mapping.members.filter { required.contains($0.key.string) }))
      if least != body, !isWrong(least) {
        bodies.append(BoundaryRow(name: "body: only required members", value: least, isAllowed: true))
      }
    }
    var changed: [BoundaryRow] = []
    visit(Place(layers: whole.layers, value: body, label: "body", body: body), documents) {
      place, name, label, isMember in
      let value = place.changing { $0[name] = isMember ? nil : .text("x") }
      guard let value, isWrong(value) else { return }
      changed.append(BoundaryRow(name: isMember ? "\(label) missing" : label, value: value, isAllowed: false))
    } isWrong: {
      isWrong($0)
    }
    bodies += changed
    more += max(0, bodies.count - room)
    bodies = Array(bodies.prefix(room))
    room -= bodies.count
  }

  /// A value in a body.
  private struct Place {
    /// The layers of its schema.
    var layers: SchemaLayers
    var value: Value
    var label: String
    /// The whole.
    var body: Value
    var path: [Step] = []
    /// Indicates a value within an optional member that the example doesn't have.
    var isAdded = false

    func inner(_ step: Step, _ layers: SchemaLayers, _ value: Value, _ label: String) -> Place {
      Place(
        layers: layers, value: value, label: self.label + label, body: body, path: path + [step], isAdded: isAdded)
    }

    /// The whole with a change of the members at the place.
    func changing(_ change: (inout Mapping) -> Void) -> Value? {
      body.changing(path[...]) { value in
        guard case .mapping(var mapping) = value else { return nil }
        change(&mapping)
        return .mapping(mapping)
      }
    }
  }

  /// Visits the members of a body, in order.
  ///
  /// - Parameter change: gets the place of an object, a name in it, and whether it is one of its members or another one.
  private mutating func visit(
    _ place: Place, _ documents: DocumentSet, change: (Place, String, String, Bool) -> Void, isWrong: (Value) -> Bool
  ) {
    guard place.path.count < OperationBoundaries.depthLimit, room > 0 else { return }
    let layers = place.layers
    switch place.value {
    case .mapping(let mapping):
      let required = layers.required
      for (name, property) in layers.properties where !(property["readOnly"]?.isTrue ?? false) {
        let own = mapping[name]
        guard let base = own ?? SchemaExample.make(property, given: [], documents)?.value else { continue }
        let made = BoundaryRows(property, base: base, .json, documents)
        var inner = place.inner(.name(name), made.layers, base, ".\(name)")
        append(.field(inner.path), inner.label, made.rows, body: place.body)
        if own == nil {
          guard !place.isAdded, !base.isScalar, let body = place.changing({ $0[name] = base }), !isWrong(body) else {
            continue
          }
          inner.body = body
          inner.isAdded = true
        } else if required.contains(name) {
          change(place, name, inner.label, true)
        }
        visit(inner, documents, change: change, isWrong: isWrong)
      }
      change(place, "unexpected", "\(place.label): an additional property", false)
    case .list(let items):
      guard let first = items.first, let item = layers.first("items") else { return }
      let made = BoundaryRows(item, base: first, .json, documents)
      let inner = place.inner(.index(0), made.layers, first, "[0]")
      append(.field(inner.path), inner.label, made.rows, body: place.body)
      visit(inner, documents, change: change, isWrong: isWrong)
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
