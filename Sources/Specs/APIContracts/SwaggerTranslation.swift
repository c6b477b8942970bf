import DocumentQueries
import JSONSchemas
import Values

/// The meaning of Swagger 2.0 in OpenAPI 3.0.
///
/// What is in the file stays at its JSON Pointer, so that references lead where they did, and what 3.0 wants is added
/// beside it.
struct SwaggerTranslation {
  private let file: DocumentFile
  /// The files as written.
  private let written: DocumentSet
  private let schemas = SwaggerSchemas()

  /// The maximum number of media types of a body, each of which has a copy of its schema.
  private static let typeLimit = 32

  static func isSwagger(_ root: DocumentNode) -> Bool { root["swagger"]?.scalarText?.hasPrefix("2") ?? false }

  /// Translates a file.
  ///
  /// - Parameter written: the document that it belongs to, as written.
  static func translated(_ file: DocumentFile, of written: DocumentSet) -> Result<DocumentFile, ContractProblem> {
    let translation = SwaggerTranslation(file: file, written: written)
    let root = file.json.root
    let value = isSwagger(file.root) ? translation.document(root) : translation.fragment(root)
    var text: [UInt8] = []
    var origins: [Int] = []
    value.write(to: &text, &origins)
    guard let json = try? JSONDocument(parsing: text) else {
      return .failure(ContractProblem(.limitExceeded, "the document nests too deep", at: file.root))
    }
    return .success(file.translated(to: json, origins: origins))
  }

  private init(file: DocumentFile, written: DocumentSet) {
    self.file = file
    self.written = written
  }

  // MARK: documents

  private func document(_ root: JSONNode) -> TranslatedValue {
    var members: [(name: String, value: TranslatedValue)] = []
    for (name, value) in root.members {
      switch name {
      case "swagger": members.append(("openapi", .text("3.0.3", from: value)))
      case "paths": members.append((name, value.mapMembers { pathItem($0) }))
      case "definitions": members.append((name, value.mapMembers(schemas.schema)))
      case "parameters": members.append((name, value.mapMembers(schemas.parameter)))
      case "responses": members.append((name, value.mapMembers { .object(declared($0), from: $0) }))
      case "securityDefinitions":
        let schemes = value.mapMembers { SwaggerTranslation.securityScheme($0) }
        members.append(("components", .object([("securitySchemes", schemes)], from: value)))
      case "host", "basePath", "schemes", "consumes", "produces": continue
      default: members.append((name, .copy(value)))
      }
    }
    if let servers = SwaggerTranslation.servers(root, schemes: SwaggerTranslation.schemes(of: root)) {
      members.append(("servers", servers))
    }
    return .object(members, from: root)
  }

  /// A part of another file, whose kind its members show.
  private func fragment(_ node: JSONNode) -> TranslatedValue {
    func isA(_ kind: ValueKind, _ name: String) -> Bool { node[member: name]?.kind == kind }
    let isPathItem = PathItem.methods.contains { method in
      guard let operation = node[member: method] else { return false }
      return operation[member: "responses"] != nil || operation[member: "$ref"] != nil
    }
    if isPathItem { return pathItem(node) }
    if isA(.mapping, "responses") { return operation(node, of: nil) }
    if isA(.text, "in"), isA(.text, "name") { return schemas.parameter(node) }
    let isSchema =
      isA(.text, "$ref") || isA(.text, "type") || isA(.mapping, "properties") || isA(.list, "allOf")
      || isA(.mapping, "items") || isA(.list, "enum")
    if isSchema { return schemas.schema(node) }
    if isA(.text, "description"), isA(.mapping, "schema") || isA(.mapping, "headers") {
      return .object(declared(node), from: node)
    }
    return node.mapMembers(fragment)
  }

  /// The schemes of a document or an operation that a test can use.
  private static func schemes(of node: JSONNode) -> [String] {
    node[member: "schemes"]?.texts.filter { $0 == "http" || $0 == "https" } ?? []
  }

  /// The servers of an operation whose schemes are others than those of the document.
  private func ownServers(of operation: JSONNode) -> TranslatedValue? {
    let root = written.main.root.node
    let own = SwaggerTranslation.schemes(of: operation)
    let others = SwaggerTranslation.schemes(of: root)
    guard file === written.main, root[member: "host"] != nil, !own.isEmpty, !others.isEmpty,
      !own.contains(where: others.contains)
    else { return nil }
    return SwaggerTranslation.servers(root, schemes: own)
  }

  private static func servers(_ root: JSONNode, schemes: [String]) -> TranslatedValue? {
    guard let place = root[member: "host"] ?? root[member: "basePath"] else { return nil }
    var base = root[member: "basePath"]?.string ?? ""
    if base == "/" { base = "" } else if !base.isEmpty, !base.hasPrefix("/") { base = "/" + base }
    var urls = [base.isEmpty ? "/" : base]
    if let host = root[member: "host"]?.string {
      urls = (schemes.isEmpty ? ["https"] : schemes.prefix(2)).map { "\($0)://\(host)\(base)" }
    }
    return .list(urls.map { .object([("url", .text($0, from: place))], from: place) }, from: place)
  }

  private static func securityScheme(_ node: JSONNode) -> TranslatedValue {
    guard let type = node[member: "type"] else { return .copy(node) }
    var members = node.members.filter { $0.key != "type" }.map { (name: $0.key, value: TranslatedValue.copy($0.value)) }
    switch type.string {
    case "basic": members += [("type", .text("http", from: type)), ("scheme", .text("basic", from: type))]
    case "oauth2":
      let flow = node[member: "flow"] ?? type
      let name = ["application": "clientCredentials", "accessCode": "authorizationCode"][flow.string] ?? flow.string
      members = [
        ("type", .copy(type)), ("flows", .object([(name, .object(members, from: node))], from: flow)),
      ]
    default: return .copy(node)
    }
    return .object(members, from: node)
  }

  // MARK: operations

  private func pathItem(_ node: JSONNode) -> TranslatedValue {
    node.mapMembers { name, value in
      if PathItem.methods.contains(name) { return operation(value, of: node) }
      return name == "parameters" ? value.mapItems(schemas.parameter) : .copy(value)
    }
  }

  /// - Parameter path: the path item that has it, if it is known.
  private func operation(_ node: JSONNode, of path: JSONNode?) -> TranslatedValue {
    guard node.kind == .mapping, node[member: "$ref"] == nil else { return .copy(node) }
    var members: [(name: String, value: TranslatedValue)] = []
    let produced = types("produces", of: node)
    for (name, value) in node.members {
      switch name {
      case "consumes", "produces", "schemes": continue
      case "parameters": members.append((name, value.mapItems(schemas.parameter)))
      case "responses":
        members.append((name, responses(value, produced.isEmpty ? ["*/*"] : produced)))
      default: members.append((name, .copy(value)))
      }
    }
    if let body = requestBody(of: node, path) { members.append(("requestBody", body)) }
    if let servers = ownServers(of: node) { members.append(("servers", servers)) }
    return .object(members, from: node)
  }

  /// The media types of an operation, else those of the document.
  private func types(_ name: String, of operation: JSONNode) -> [String] {
    let list = operation[member: name] ?? written.main.root[name]?.node
    return Array((list?.texts ?? []).prefix(SwaggerTranslation.typeLimit))
  }

  /// A parameter or a response, with the place that names it.
  private struct Declaration {
    let node: JSONNode
    let item: JSONNode
    /// The reference that leads to it; nil if it stands there itself.
    let reference: String?

    /// A part of it that a translation makes, or the reference to that.
    func part(_ pointer: String, _ translation: () -> TranslatedValue) -> TranslatedValue {
      guard let reference else { return translation() }
      return .object([("$ref", .text(reference + pointer, from: item))], from: item)
    }
  }

  /// Nil for a reference that leads nowhere, which whoever follows it reports.
  private func declaration(_ item: JSONNode) -> Declaration? {
    guard item[member: "$ref"] != nil else { return Declaration(node: item, item: item, reference: nil) }
    guard let target = try? written.resolved(DocumentNode(file: file, node: item)) else { return nil }
    let location = target.file === file ? "" : target.file.location
    return Declaration(node: target.node, item: item, reference: location + target.pointer)
  }

  private func requestBody(of operation: JSONNode, _ path: JSONNode?) -> TranslatedValue? {
    let items = (operation[member: "parameters"]?.items ?? []) + (path?[member: "parameters"]?.items ?? [])
    let consumed = types("consumes", of: operation)
    var fields: [(name: String, field: Declaration)] = []
    for declared in items.compactMap({ declaration($0) }) {
      switch declared.node[member: "in"]?.string {
      // An operation's own comes first.
      case "body":
        let schema = declared.node[member: "schema"].map { schema in
          [(name: "schema", value: declared.part("/schema") { schemas.schema(schema) })]
        }
        return body(
          declared.item, isRequired: declared.node[member: "required"]?.isBoolean(true) ?? false,
          (consumed.isEmpty ? ["*/*"] : consumed).map { ($0, .object(schema ?? [], from: declared.item)) })
      case "formData":
        let name = declared.node[member: "name"]?.string ?? ""
        if !fields.contains(where: { $0.name == name }) { fields.append((name, declared)) }
      default: continue
      }
    }
    guard let first = fields.first?.field.item else { return nil }
    let required = fields.filter { $0.field.node[member: "required"]?.isBoolean(true) ?? false }
    var schema: [(name: String, value: TranslatedValue)] = [
      ("type", .text("object", from: first)),
      (
        "properties",
        .object(fields.map { name, field in (name, field.part("/schema") { schemas.value(field.node) }) }, from: first)
      ),
    ]
    if !required.isEmpty {
      schema.append(("required", .list(required.map { .text($0.name, from: $0.field.item) }, from: first)))
    }
    let encoding =
      fields.map { name, field in (name, .object(schemas.style(of: field.node), from: field.item)) }
      as [(name: String, value: TranslatedValue)]
    let hasFile = fields.contains { $0.field.node[member: "type"]?.isString("file") ?? false }
    let forms = ["application/x-www-form-urlencoded", "multipart/form-data"]
    let fitting = hasFile ? [forms[1]] : consumed.filter { type in forms.contains { type.lowercased().hasPrefix($0) } }
    let media = TranslatedValue.object(
      [("schema", .object(schema, from: first)), ("encoding", .object(encoding, from: first))], from: first)
    return body(
      first, isRequired: !required.isEmpty, (fitting.isEmpty ? [forms[0]] : fitting).map { ($0, media) })
  }

  private func body(
    _ place: JSONNode, isRequired: Bool, _ content: [(name: String, value: TranslatedValue)]
  ) -> TranslatedValue {
    .object(
      [("required", .literal("\(isRequired)", from: place)), ("content", .object(content, from: place))], from: place)
  }

  // MARK: responses

  /// The responses of an operation, also those that a reference names as a whole.
  private func responses(_ node: JSONNode, _ types: [String]) -> TranslatedValue {
    guard node[member: "$ref"] != nil, let target = try? written.resolved(DocumentNode(file: file, node: node)) else {
      return node.mapMembers { status, item in
        guard !status.hasPrefix("x-"), item.kind == .mapping, let declared = declaration(item) else {
          return .copy(item)
        }
        return response(declared, types)
      }
    }
    let location = target.file === file ? "" : target.file.location
    let members = target.members.filter { !$0.key.hasPrefix("x-") }.map { status, item in
      let own = (try? written.resolved(item)) ?? item
      let place = item.node[member: "$ref"] == nil ? location + target.pointer + "/" + JSONPointer.escaped(status) : nil
      let reference = place ?? (own.file === file ? "" : own.file.location) + own.pointer
      return (name: status, value: response(Declaration(node: own.node, item: node, reference: reference), types))
    }
    return .object(members, from: node)
  }

  private func response(_ declared: Declaration, _ types: [String]) -> TranslatedValue {
    let item = declared.item
    var members = declared.reference == nil ? self.declared(item) : []
    if declared.reference != nil, let headers = declared.node[member: "headers"] {
      let parts = headers.members.map { name, header in
        (name, declared.part("/headers/" + JSONPointer.escaped(name)) { schemas.parameter(header) })
      }
      members.append(("headers", .object(parts, from: item)))
    }
    if let schema = declared.node[member: "schema"] {
      let media = TranslatedValue.object([("schema", declared.part("/schema") { schemas.schema(schema) })], from: item)
      members.append(("content", .object(types.map { ($0, media) }, from: item)))
    }
    // What has neither headers nor a schema is a response without a body, or none at all.
    if members.isEmpty, let reference = declared.reference {
      return .object([("$ref", .text(reference, from: item))], from: item)
    }
    return members.isEmpty ? .copy(item) : .object(members, from: item)
  }

  /// The members of a response, where references find its parts.
  private func declared(_ response: JSONNode) -> [(name: String, value: TranslatedValue)] {
    response.members.filter { $0.key != "examples" }.map { name, value in
      switch name {
      case "schema": (name, schemas.schema(value))
      case "headers": (name, value.mapMembers(schemas.parameter))
      default: (name, .copy(value))
      }
    }
  }
}
