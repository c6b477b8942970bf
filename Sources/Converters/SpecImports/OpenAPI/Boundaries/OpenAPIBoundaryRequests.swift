import APIContracts
import Values
import YAMLNodes

/// Writes the rows of an operation as requests.
struct OpenAPIBoundaryRequests {
  let operation: Operation
  let request: ImportedRequest
  let example: RequestExample
  /// The captures by the names of parameters in the path.
  let links: [String: String]
  /// Indicates an operation that is refused without credentials.
  let needsCredentials: Bool
  /// The values of members of the body that are captured or chosen.
  let bodyLinks: [String: ImportedText]

  func requests(_ boundaries: OperationBoundaries) -> [ImportedRequest] {
    var results: [ImportedRequest] = []
    var isDeleted = false
    for field in fields(of: boundaries) {
      var rows = field.rows.filter { !$0.isAllowed || !isIdentifier(field.target) }.map {
        row($0.name, "value", $0.value, isAllowed: $0.isAllowed, field.target)
      }
      let template = ImportedValue.text(ImportedText(.expression("row.value")))
      var result = plain(field.label)
      switch field.target {
      case .path(let name):
        result.settings.set(.path, name, template)
        // The first, before a row that happens to have its identifier; it is deleted once only.
        if let capture = links[name], !isUncertain, !isDeleted {
          rows.insert(row("the one made above", "value", .text(ImportedText(.variable(capture))), success), at: 0)
          isDeleted = operation.method == "DELETE"
        }
      case .query(let name):
        result.settings.set(.query, name, template)
        if field.isRequired { rows.append(row("missing", "value", .null, isAllowed: false, field.target)) }
      case .header, .cookie, .form:
        result.replace(field.target, with: ImportedText(.expression("row.value")))
        if field.isRequired {
          var missing = plain("\(field.label) missing")
          missing.replace(field.target, with: nil)
          missing.expect = [("status", statuses(isAllowed: false, field.target))]
          results.append(missing)
        }
      case .field(let path):
        set(linked(ImportedValue(body: field.body, path[...], template), but: path.first), in: &result)
      }
      if !rows.isEmpty { results.append(result.each(rows)) }
    }
    let rows = boundaries.bodies.map { body in
      row(
        body.name, "body", linked(ImportedValue(exactly: body.value)), statuses(isAllowed: body.isAllowed, .field([])))
    }
    if !rows.isEmpty {
      var result = plain("body")
      set(.text(ImportedText(.expression("row.body"))), in: &result)
      results.append(result.each(rows))
    }
    // A resource is deleted once only.
    if operation.method == "DELETE" { return results + (withoutCredentials.map { [$0] } ?? []) }
    return results + others(boundaries)
  }

  /// The requests without what is optional, with what is unknown, without a body, and without credentials.
  private func others(_ boundaries: OperationBoundaries) -> [ImportedRequest] {
    var results: [ImportedRequest] = []
    func add(_ label: String, _ status: ImportedValue, _ change: (inout ImportedRequest) -> Void) {
      var result = plain(label)
      change(&result)
      result.expect = [("status", status)]
      results.append(result)
    }
    if !boundaries.optional.isEmpty {
      add("without optional parameters", statuses(isAllowed: true, .field([]))) { result in
        for target in boundaries.optional { result.replace(target, with: nil) }
      }
    }
    if boundaries.fields.contains(where: { if case .query = $0.target { true } else { false } }) {
      add("query: an unknown parameter", .text("200..<500")) { result in
        result.settings.set(.query, "unknown", .text("x"))
        result.settings.set(.openapi, .text("none"))
      }
    }
    if boundaries.needsBody {
      add("body missing", statuses(isAllowed: false, .field([]))) { result in
        result.method = ImportedText(operation.method)
        result.removeBody()
      }
    }
    return results + (withoutCredentials.map { [$0] } ?? [])
  }

  /// Nil for an operation that needs none, or whose credentials are a header, a cookie or a pair of the query.
  private var withoutCredentials: ImportedRequest? {
    guard needsCredentials, let credentials = request.credentials, credentials != .none else { return nil }
    var result = plain("without credentials")
    result.credentials = ImportedCredentials.none
    result.settings.set(.openapi, .mapping([("undeclared", .bool(true))]))
    result.expect = [("status", list([401, 403]))]
    return result
  }

  /// The request with methods that are not declared, and without a body.
  func request(undeclared methods: [String]) -> ImportedRequest {
    var result = plain("")
    result.name = "\(operation.path): methods that are not declared"
    result.isTeardown = false
    result.removeBody()
    result.method = ImportedText(.expression("row.case"))
    result.settings.set(.openapi, .text("none"))
    result = result.each(methods.map { .mapping([("case", .text(ImportedText($0)))]) })
    result.expect = [("status", list([404, 405, 501]))]
    return result
  }

  /// Indicates a member that identifies something: another valid value would be that of nothing, or of something else.
  private func isIdentifier(_ target: OperationBoundaries.Target) -> Bool {
    guard case .field(let path) = target, path.count == 1, case .name(let name) = path[0] else { return false }
    return bodyLinks[name] != nil
  }

  /// The parts in order; where they delete something, those of the path come first.
  private func fields(of boundaries: OperationBoundaries) -> [OperationBoundaries.Field] {
    guard operation.method == "DELETE" else { return boundaries.fields }
    func isPath(_ field: OperationBoundaries.Field) -> Bool { if case .path = field.target { true } else { false } }
    return boundaries.fields.filter(isPath) + boundaries.fields.filter { !isPath($0) }
  }

  /// A body with the captures that its members take their values from.
  private func linked(_ body: ImportedValue, but changed: OperationBoundaries.Step? = nil) -> ImportedValue {
    guard case .mapping(let members) = body else { return body }
    return .mapping(
      members.map { name, value in
        if case .name(name)? = changed { return (name, value) }
        return (name, bodyLinks[name].map { .text($0) } ?? value)
      })
  }

  private func set(_ json: ImportedValue, in request: inout ImportedRequest) {
    request.method = ImportedText(operation.method)
    request.body = nil
    request.settings.set(.json, json)
  }

  /// The imported request without what is of it alone.
  private func plain(_ label: String) -> ImportedRequest {
    var result = request
    result.name = "\(request.name ?? operation.label): \(label)"
    result.captures = []
    result.comments = []
    result.untranslated = []
    result.link(links)
    if isUncertain { result.settings.set(.openapi, .mapping([("undeclared", .bool(true))])) }
    return result
  }

  private func row(
    _ name: String, _ key: String, _ value: Value, isAllowed: Bool, _ target: OperationBoundaries.Target
  ) -> ImportedValue {
    row(name, key, ImportedValue(exactly: value), statuses(isAllowed: isAllowed, target))
  }

  private func row(_ name: String, _ key: String, _ value: ImportedValue, _ status: ImportedValue) -> ImportedValue {
    .mapping([("case", .text(ImportedText(name))), (key, value), ("status", status)])
  }

  // MARK: statuses

  /// Indicates a path whose identifiers may be those of nothing.
  private var isUncertain: Bool { example.path.contains { links[$0.name] == nil } }

  private var declared: [Int] { operation.declaredStatuses.compactMap { Int($0) } }

  /// The declared statuses of a request that is as it should be. Its effect may have been there before.
  private var success: ImportedValue {
    let found = declared.filter { 200..<400 ~= $0 || $0 == 409 }
    return found.contains { $0 < 400 } ? list(found) : .text("200..<400")
  }

  private func statuses(isAllowed: Bool, _ target: OperationBoundaries.Target) -> ImportedValue {
    var isPath = false
    if case .path = target { isPath = true }
    if isAllowed {
      // A valid identifier may be that of nothing, or of something that is deleted already.
      return isUncertain || isPath || operation.method == "DELETE" ? .text("200..<500") : success
    }
    let wrong = declared.filter { 400..<500 ~= $0 && ![401, 403].contains($0) }
    let certain = wrong.filter { [400, 422].contains($0) }
    let mayBeMissing = isPath || isUncertain || operation.method == "DELETE"
    let expected = certain.isEmpty ? wrong : certain + (mayBeMissing ? wrong.filter { $0 == 404 } : [])
    return expected.isEmpty ? .text("400..<500") : list(expected)
  }

  private func list(_ statuses: [Int]) -> ImportedValue {
    statuses.count == 1 ? .integer(statuses[0]) : .list(statuses.map { .integer($0) })
  }
}

extension ImportedRequest {
  fileprivate mutating func removeBody() {
    if body != nil { _ = takeHeader("Content-Type") }
    body = nil
    settings.removeAll { $0.key == .bodyOnGet || $0.key == .json }
  }

  /// Replaces the values of a part but a path or a body in JSON; nil removes them.
  fileprivate mutating func replace(_ target: OperationBoundaries.Target, with text: ImportedText?) {
    switch target {
    case .header(let name):
      _ = takeHeader(name)
      if let text { headers.append(Header(name: ImportedText(name), value: text)) }
    case .cookie(let name): cookies.replace(name, with: text)
    case .form(let name):
      if case .form(var pairs)? = body {
        pairs.replace(name, with: text)
        body = pairs.isEmpty ? nil : .form(pairs)
      } else if case .multipart(var parts)? = body {
        parts.removeAll { $0.name.literal == name }
        if let text { parts.append(Part(name: ImportedText(name), content: .text(text))) }
        body = parts.isEmpty ? nil : .multipart(parts)
      }
    case .query(let name):
      var pairs = settings[.query]?.members ?? []
      pairs.removeAll { $0.key == name }
      if let text { pairs.set(name, .text(text)) }
      settings.set(.query, .mapping(pairs))
      if pairs.isEmpty { settings.removeAll { $0.key == .query } }
    case .path, .field: return
    }
  }

  /// The request for each of the rows.
  fileprivate func each(_ rows: [ImportedValue]) -> ImportedRequest {
    var result = self
    result.settings.set(
      .each, .mapping([("in", .list(rows)), ("name", .text(ImportedText(.expression("row.case"))))]))
    result.expect = [("status", .text(ImportedText(.expression("row.status"))))]
    return result
  }
}

extension [ImportedRequest.Pair] {
  fileprivate mutating func replace(_ name: String, with text: ImportedText?) {
    removeAll { $0.name.literal == name }
    if let text { append(Element(name: ImportedText(name), value: text)) }
  }
}

extension ImportedValue {
  /// The value itself, null too.
  fileprivate init(exactly value: Value) {
    switch value {
    case .null: self = .node(.null)
    case .list(let items): self = .list(items.map { ImportedValue(exactly: $0) })
    case .mapping(let mapping):
      self = .mapping(mapping.members.map { ($0.key.string, ImportedValue(exactly: $0.value)) })
    default: self.init(value)
    }
  }

  /// A body with a template at a place in it.
  fileprivate init(body: Value, _ path: ArraySlice<OperationBoundaries.Step>, _ template: ImportedValue) {
    guard let step = path.first else {
      self = template
      return
    }
    let rest = path.dropFirst()
    switch (step, body) {
    case (.name(let name), .mapping(let mapping)):
      var members: [(key: String, value: ImportedValue)] = mapping.members.map {
        ($0.key.string, ImportedValue(exactly: $0.value))
      }
      members.set(name, ImportedValue(body: mapping[name] ?? .null, rest, template))
      self = .mapping(members)
    case (.index(let index), .list(let items)):
      self = .list(
        items.enumerated().map { $0 == index ? ImportedValue(body: $1, rest, template) : ImportedValue(exactly: $1) })
    default: self.init(exactly: body)
    }
  }
}
