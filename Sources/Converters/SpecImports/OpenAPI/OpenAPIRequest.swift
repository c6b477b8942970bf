import APIContracts
import Values
import YAMLNodes

/// Reads an operation as a request.
struct OpenAPIRequest {
  let operation: Operation
  let documents: DocumentSet
  let time: ExampleTime
  let base: ImportedText
  let security: OpenAPISecurity
  let links: OpenAPILinks

  static let cutExamples = "examples that take too long"

  /// - Parameter attachments: gets the files that the request sends.
  func request(_ attachments: inout [(path: String, bytes: [UInt8])]) -> ImportedRequest {
    var request = ImportedRequest(url: ImportedText())
    request.name = name
    request.method = ImportedText(operation.method)
    if operation.isDeprecated { request.comments.append("Deprecated") }
    let tags = (operation.node["tags"]?.items ?? []).dropFirst().compactMap(\.scalarText).filter { !$0.contains(",") }
    if !tags.isEmpty { request.settings.set(.tags, .list(tags.map { .text($0) })) }
    var example: RequestExample?
    do throws(ContractProblem) {
      example = try operation.example(in: documents, within: time)
      if example == nil { request.remark(OpenAPIRequest.cutExamples, operation.label) }
    } catch {
      request.remark("declarations that cannot be read", error.message)
      request.settings.set(.openapi, .text("none"))
    }
    let query = example.map { parameters(of: $0, into: &request) } ?? []
    if let body = example?.body {
      if operation.method == "TRACE" {
        request.remark("bodies of TRACE", "requestBody")
      } else {
        add(body, to: &request, &attachments)
      }
    }
    if let example { comment(example, in: &request) }
    security.apply(to: &request, of: operation)
    request.url = url(path: path(example, &request), query: query)
    expect(&request)
    for (name, _) in operation.node["callbacks"]?.members ?? [] { request.remark("callbacks", name) }
    for name in links.others[operation.label] ?? [] { request.remark("links", name) }
    request.captures = links.captures[operation.label] ?? []
    if let names = links.found[operation.label] {
      request.comments.append("Found by name, since the document has no link: \(names.joined(separator: ", "))")
    }
    return request
  }

  private var name: String {
    let summary = operation.node["summary"]?.string.map { text in
      text.split(whereSeparator: \.isNewline).first.map { String($0).trimmed } ?? ""
    }
    let name = summary.flatMap { $0.isEmpty || $0.count > 120 ? nil : $0 } ?? operation.operationID ?? ""
    return name.trimmed.isEmpty ? operation.label : name
  }

  // MARK: URL and parameters

  private func link(_ name: String) -> ImportedText? {
    links.sources[OpenAPILinks.Parameter(operation: operation.label, name: name)].map { ImportedText(.variable($0)) }
  }

  /// Adds headers, cookies and a query; returns the pairs that only a URL can say.
  private func parameters(of example: RequestExample, into request: inout ImportedRequest) -> [ImportedText] {
    for pair in example.headers {
      request.headers.append(.init(name: ImportedText(pair.name), value: link(pair.name) ?? ImportedText(pair.value)))
    }
    for pair in example.cookies {
      request.cookies.append(.init(name: ImportedText(pair.name), value: ImportedText(pair.value)))
    }
    var sent: [ImportedText] = []
    for pair in example.query {
      switch pair {
      case .plain(let name, let value):
        request.settings.set(.query, name, link(name).map { .text($0) } ?? ImportedValue(value))
      case .sent(let name, let value):
        sent.append(ImportedText(name + "=") + (link(name) ?? ImportedText(value)))
      }
    }
    return sent
  }

  /// The path with the values of its parameters: those of one segment stand in `path`, others in their place.
  private func path(_ example: RequestExample?, _ request: inout ImportedRequest) -> ImportedText {
    var pairs: [(key: String, value: ImportedValue)] = []
    var missing: [String] = []
    let sent = String(operation.path.prefix { $0 != "#" })
    let text = ImportedText(sent, between: "{", "}") { name in
      let value = example?.path.first { $0.name == name }
      if let value, value.value == nil { return ImportedText(value.sent) }
      // `path` fills the first place of a name.
      if let value, pairs.contains(where: { $0.key == name }), link(name) == nil { return ImportedText(value.sent) }
      if value == nil { missing.append(name) }
      pairs.set(
        name, link(name).map { .text($0) } ?? value?.value.map { ImportedValue($0) } ?? .text("string"))
      return ImportedText("{\(name)}")
    }
    if !pairs.isEmpty { request.settings.set(.path, .mapping(pairs)) }
    for name in missing where example != nil { request.remark("undeclared path parameters", name) }
    return text
  }

  private func url(path: ImportedText, query: [ImportedText]) -> ImportedText {
    let servers = operation.node["servers"] ?? operation.pathItem["servers"]
    var result = (OpenAPIServers.url(ofOwn: servers) ?? base) + path
    if !query.isEmpty { result.append((operation.path.contains("?") ? "&" : "?") + query.joined(by: "&")) }
    return result
  }

  private func comment(_ example: RequestExample, in request: inout ImportedRequest) {
    if !example.omitted.isEmpty {
      let shown = example.omitted.prefix(12).joined(separator: ", ")
      let more = example.omitted.count > 12 ? " and \(example.omitted.count - 12) more" : ""
      request.comments.append("Optional: \(shown)\(more)")
    }
    for problem in example.problems {
      request.remark("examples that the document rejects", "\(problem.label): \(problem.reason)")
    }
  }

  // MARK: body

  private func add(
    _ body: RequestExample.Body, to request: inout ImportedRequest,
    _ attachments: inout [(path: String, bytes: [UInt8])]
  ) {
    func set(type: String) {
      _ = request.takeHeader("Content-Type")
      request.headers.append(.init(name: "Content-Type", value: ImportedText(type)))
    }
    switch body {
    case .json(let value, let type):
      request.body = .json(linked(value))
      if type.lowercased() != "application/json" { set(type: type) }
    case .text(let text, let type):
      request.body = .text(ImportedText(text))
      set(type: type)
    case .form(let pairs):
      request.body = .form(pairs.map { .init(name: ImportedText($0.name), value: ImportedText($0.value)) })
    case .multipart(let parts):
      request.body = .multipart(
        parts.map { part in
          let type = part.type.map { $0.contains("*") ? $0.replacing("*", with: "png") : $0 }
          return ImportedRequest.Part(
            name: ImportedText(part.name),
            content: part.text.map { .text(ImportedText($0)) }
              ?? .file(ImportedText(OpenAPIRequest.file(part.name, type: type, &attachments))),
            type: type.map { ImportedText($0) })
        })
    case .file(let type):
      request.body = .file(ImportedText(OpenAPIRequest.file("body", type: type, &attachments)))
      set(type: type)
    }
    if operation.method == "GET" || operation.method == "HEAD" { request.settings.set(.bodyOnGet, .bool(true)) }
  }

  /// A body as JSON, with the variables of its members that are captured or chosen.
  private func linked(_ value: Value) -> ImportedText {
    let sources = links.bodyMembers(of: operation)
    guard case .mapping(let mapping) = value, !sources.isEmpty else { return ImportedText(value.jsonText().string) }
    let known = Set(mapping.members.map(\.key.string))
    let missing = sources.keys.filter { !known.contains($0) }.sorted().map { (key: Text($0), value: Value.null) }
    let members = (mapping.members.map { (key: $0.key, value: $0.value) } + missing).map { key, value in
      let source = sources[key.string].map { links.isText($0) ? ImportedText("\"") + $0 + ImportedText("\"") : $0 }
      return ImportedText(Value.text(key).jsonText().string + ":") + (source ?? ImportedText(value.jsonText().string))
    }
    return ImportedText("{") + members.joined(by: ",") + ImportedText("}")
  }

  /// The path of a file to send, which stands for the one that a user has.
  private static func file(
    _ name: String, type: String?, _ attachments: inout [(path: String, bytes: [UInt8])]
  ) -> String {
    let ending =
      switch type?.prefix(while: { $0 != ";" }).lowercased() {
      case "image/png": "png"
      case "image/jpeg": "jpg"
      case "application/pdf": "pdf"
      case "text/csv": "csv"
      case "text/plain": "txt"
      case "application/json": "json"
      case "application/zip": "zip"
      default: "bin"
      }
    let stem = snakeCase(name)
    let path = "files/\(stem.isEmpty ? "file" : stem).\(ending)"
    if !attachments.contains(where: { $0.path == path }) { attachments.append((path, Array("example\n".utf8))) }
    return path
  }

  // MARK: expectations

  private func expect(_ request: inout ImportedRequest) {
    guard let (status, node) = operation.successResponse else { return }
    request.expect.set("status", Int(status).map { .integer($0) } ?? .text(status.lowercased()))
    if status.hasPrefix("3") { request.settings.set(.redirects, .text("none")) }
    let types = (try? documents.resolved(node))?["content"]?.members.map(\.key) ?? []
    guard types.count > 1, request.header("Accept") == nil else { return }
    let type = types.first { $0.contains("json") } ?? types[0]
    guard !type.contains("*") else { return }
    request.headers.append(ImportedRequest.Header(name: ImportedText("Accept"), value: ImportedText(type)))
  }
}

extension ImportedValue {
  /// The value of an example.
  init(_ value: Value) {
    switch value {
    case .null: self = .text("null")
    case .bool(let value): self = .bool(value)
    case .number(let number): self = .node(.number(number.lexeme))
    case .list(let items): self = .list(items.map { ImportedValue($0) })
    case .mapping(let mapping): self = .mapping(mapping.members.map { ($0.key.string, ImportedValue($0.value)) })
    case .text, .date, .data: self = .text(ImportedText(value.asText.string))
    }
  }
}
