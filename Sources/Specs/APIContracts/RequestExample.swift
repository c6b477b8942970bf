import DocumentQueries
import Matching
import OperatingSystem
import Values

/// A request of an operation, made from the examples and schemas of its declaration.
package struct RequestExample: Sendable {
  package struct Pair: Sendable {
    package let name: String
    package let value: String
  }

  /// The value of a parameter in the path.
  package struct PathValue: Sendable {
    package let name: String
    /// Percent-encoded, as it is sent.
    package let sent: String
    /// The value itself; nil if it is more than one text or number.
    package let value: Value?
  }

  /// A pair of the query.
  package enum QueryPair: Sendable {
    /// A name and the value, a list or a mapping of texts and numbers, that is encoded as usual.
    case plain(name: String, Value)
    /// Percent-encoded: delimiters between its parts stand as they are.
    case sent(name: String, value: String)
  }

  package struct Part: Sendable {
    package let name: String
    /// Nil for a file.
    package let text: String?
    package let type: String?
  }

  package enum Body: Sendable {
    case json(Value, type: String)
    case text(String, type: String)
    /// Decoded pairs.
    case form([Pair])
    case multipart([Part])
    case file(type: String)
  }

  package fileprivate(set) var path: [PathValue] = []
  package fileprivate(set) var query: [QueryPair] = []
  package fileprivate(set) var headers: [Pair] = []
  /// Percent-encoded.
  package fileprivate(set) var cookies: [Pair] = []
  package fileprivate(set) var body: Body?
  /// The labels of optional parameters without an example.
  package fileprivate(set) var omitted: [String] = []
  /// The parts whose examples are not what the document allows, with the reasons.
  package fileprivate(set) var problems: [(label: String, reason: String)] = []
}

extension Operation {
  /// Makes a request of the operation: its required parameters and body, and the optional ones that have examples.
  ///
  /// - Returns: Nil if the time is over.
  package func example(
    in documents: DocumentSet, within time: ExampleTime
  ) throws(ContractProblem) -> RequestExample? {
    if time.budget.isExhausted { return nil }
    let contract = try contract(in: documents)
    let result = time.budget.limit {
      var result = RequestExample()
      for parameter in contract.parameters + contract.ignoredHeaders { result.add(parameter, documents) }
      if let body = contract.requestBody { result.add(body, of: self, documents) }
      return result
    }
    return time.budget.isExhausted ? nil : result
  }
}

/// The time that the examples of several operations may take together.
package struct ExampleTime: Sendable {
  let budget: EvaluationBudget

  package init(limit: Duration) { budget = EvaluationBudget(limit: limit) }
}

extension RequestExample {
  // MARK: parameters

  fileprivate mutating func add(_ parameter: ParameterContract, _ documents: DocumentSet) {
    let node = parameter.node
    let given =
      ContractExamples.values(of: node, documents)
      + (node["content"]?.members.first.map { ContractExamples.values(of: $0.value, documents) } ?? [])
    let schema = ParameterForm.schema(of: node)
    guard parameter.isRequired || !given.isEmpty || hasOwnValue(schema, documents) else {
      if !parameter.isIgnored { omitted.append(parameter.label) }
      return
    }
    guard let made = SchemaExample.make(schema, given: given, documents) ?? emptyExample(schema) else {
      problems.append((parameter.label, "no example could be made of its schema"))
      return
    }
    if let problem = made.problem { problems.append((parameter.label, problem)) }
    write(made.value, as: parameter)
  }

  private func emptyExample(_ schema: DocumentNode?) -> SchemaExample.Result? {
    schema == nil ? SchemaExample.Result(value: .text("string")) : nil
  }

  private mutating func write(_ value: Value, as parameter: ParameterContract) {
    let form = parameter.form
    switch parameter.location {
    case .path:
      let isPlain = form.style == .simple && form.mediaType == nil && value.isScalar
      path.append(
        PathValue(
          name: parameter.name, sent: form.pathText(value, name: parameter.name), value: isPlain ? value : nil))
    case .query:
      query +=
        form.plainPairs(value, name: parameter.name)?.map { .plain(name: $0.name, $0.value) }
        ?? form.pairs(value, name: parameter.name).map { .sent(name: $0.name, value: $0.value) }
    case .cookie: cookies += form.pairs(value, name: parameter.name).map { Pair(name: $0.name, value: $0.value) }
    case .header: headers.append(Pair(name: parameter.name, value: form.headerText(value)))
    }
  }

  /// Returns whether a schema has a value of its own, by which an optional parameter is worth sending.
  private func hasOwnValue(_ schema: DocumentNode?, _ documents: DocumentSet) -> Bool {
    guard let schema else { return false }
    return SchemaLayers(schema, documents).own.contains { node in
      node["example"] != nil || !(node["examples"]?.items.isEmpty ?? true)
        || node["default"].map { $0.node.kind != .null } ?? false
    }
  }

  // MARK: bodies

  fileprivate mutating func add(_ body: RequestBodyContract, of operation: Operation, _ documents: DocumentSet) {
    // A body has no meaning there.
    if !body.isRequired, ["GET", "HEAD", "DELETE"].contains(operation.method) { return }
    func rank(_ type: String) -> Int {
      if isJSON(type) { return 0 }
      switch type.prefix(while: { $0 != ";" }).lowercased() {
      case "application/x-www-form-urlencoded": return 1
      case "multipart/form-data": return 2
      case "text/plain": return 3
      default: return type.contains("*") ? 5 : 4
      }
    }
    guard let media = body.content.types.min(by: { rank($0.key) < rank($1.key) }) else { return }
    let type = media.key
    let schema = media.node["schema"]
    let layers = schema.map { SchemaLayers($0, documents) }
    let isFile = RequestExample.isFile(layers)
    let isForm = rank(type) == 1 || rank(type) == 2
    let given = ContractExamples.values(of: media.node, documents)
    if !isJSON(type), !isForm, given.isEmpty, isFile || schema == nil || !(type.hasPrefix("text/") || isMarkup(type)) {
      if type.contains("*"), schema != nil, !isFile {
        self.body = made(media, given, documents, label: "body").map { .json($0, type: "application/json") }
      } else {
        self.body = .file(type: type.contains("*") ? "application/octet-stream" : type)
      }
      return
    }
    guard let value = made(media, given, documents, label: "body") else { return }
    if isJSON(type) {
      self.body = .json(value, type: type)
    } else if isForm {
      write(value, as: media, layers, isMultipart: rank(type) == 2, documents)
    } else if case .text(let text) = value {
      self.body = .text(text.string, type: type)
    } else if isMarkup(type), let schema {
      self.body = .text(MarkupExample.text(value, schema, documents), type: type)
    } else {
      self.body = .text(value.jsonText().string, type: type)
    }
  }

  private mutating func made(
    _ media: ContentContract.MediaType, _ given: [Value], _ documents: DocumentSet, label: String
  ) -> Value? {
    guard let made = SchemaExample.make(media.node["schema"], given: given, documents) else {
      if media.node["schema"] == nil { return .mapping(Mapping()) }
      problems.append((label, "no example could be made of its schema"))
      return nil
    }
    if let problem = made.problem { problems.append((label, problem)) }
    return made.value
  }

  static func isFile(_ layers: SchemaLayers?) -> Bool {
    guard let layers else { return false }
    let isBinary = layers.first("format")?.string == "binary" || layers.first("contentMediaType") != nil
    return isBinary && layers.first("contentEncoding") == nil && (layers.type ?? "string") == "string"
  }

  /// Writes the members of an object as the fields of a form.
  private mutating func write(
    _ value: Value, as media: ContentContract.MediaType, _ layers: SchemaLayers?, isMultipart: Bool,
    _ documents: DocumentSet
  ) {
    guard case .mapping(let mapping) = value else {
      problems.append(("body", "a form's example is not an object"))
      return
    }
    let schemas = Dictionary(layers?.properties ?? [], uniquingKeysWith: { first, _ in first })
    var pairs: [Pair] = []
    var parts: [Part] = []
    for member in mapping.members {
      let name = member.key.string
      let encoding = media.node["encoding"]?[name]
      let schema = schemas[name].map { SchemaLayers($0, documents) }
      let type = encoding?["contentType"]?.string.map { String($0.prefix { $0 != "," && $0 != " " }) }
      guard isMultipart else {
        pairs += formPairs(member.value, name: name, encoding, documents)
        continue
      }
      for item in items(of: member.value) {
        let itemSchema = schema?.first("items").map { SchemaLayers($0, documents) }
        if RequestExample.isFile(schema) || RequestExample.isFile(itemSchema) {
          let declared = (schema?.first("contentMediaType") ?? itemSchema?.first("contentMediaType"))?.string
          parts.append(Part(name: name, text: nil, type: type ?? declared))
        } else if case .mapping = item {
          parts.append(Part(name: name, text: item.jsonText().string, type: type ?? "application/json"))
        } else {
          parts.append(Part(name: name, text: item.asText.string, type: type))
        }
      }
    }
    body = isMultipart ? .multipart(parts) : .form(pairs)
  }

  private func items(of value: Value) -> [Value] { if case .list(let items) = value { items } else { [value] } }

  /// The decoded pairs of a member of a form.
  private func formPairs(
    _ value: Value, name: String, _ encoding: DocumentNode?, _ documents: DocumentSet
  ) -> [Pair] {
    if encoding?["style"] == nil, encoding?["explode"] == nil {
      // Objects are JSON without a style.
      return items(of: value).map { item in
        if case .mapping = item {
          Pair(name: name, value: item.jsonText().string)
        } else {
          Pair(name: name, value: item.asText.string)
        }
      }
    }
    guard let encoding else { return [] }
    return ParameterForm(encoding, .query, documents).pairs(value, name: name).map { pair in
      Pair(name: formDecoded(pair.name), value: formDecoded(pair.value))
    }
  }
}
