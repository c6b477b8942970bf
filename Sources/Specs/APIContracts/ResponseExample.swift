import DocumentQueries
import HTTPSemantics
import JSONSchemas
import Matching
import Values

/// A response of an operation, made from the examples and schemas of its declaration.
package struct ResponseExample: Sendable {
  package let status: Int
  package fileprivate(set) var headers: [RequestExample.Pair] = []
  /// The media type; nil without a body.
  package fileprivate(set) var type: String?
  package fileprivate(set) var body: [UInt8] = []
  /// The body, if it is JSON.
  package fileprivate(set) var value: Value?
  /// The reason why the document rejects its own example.
  package fileprivate(set) var problem: String?
}

/// The wishes of a client for a response (RFC 7240).
package struct ResponseWish: Sendable, Hashable {
  package var status: Int?
  /// The name of an example in the document.
  package var example: String?
  /// The header `Accept`.
  package var accept: String?
  /// The number of the variant of what schemas leave open.
  package var variant = 0

  package init(status: Int? = nil, example: String? = nil, accept: String? = nil) {
    (self.status, self.example, self.accept) = (status, example, accept)
  }
}

extension APIContract {
  /// Makes a response of an operation: the wanted one, or the first of success.
  ///
  /// - Returns: Nil if what is wanted isn't declared.
  package func responseExample(
    of operation: Operation, _ wish: ResponseWish = ResponseWish()
  ) throws(ContractProblem) -> ResponseExample? {
    let contract = try operation.contract(in: documents)
    if contract.statusKeys.isEmpty, wish.status == nil { return ResponseExample(status: 200) }
    // An interim response is followed by another one.
    let keys = contract.statusKeys.filter { !$0.hasPrefix("1") }
    let key = wish.status.map { contract.key(of: $0) } ?? keys.first { $0.hasPrefix("2") } ?? keys.first
    guard let key, let response = try contract.response(key) else { return nil }
    var result = ResponseExample(
      status: wish.status ?? Int(key) ?? key.first.flatMap { $0.wholeNumberValue }.map { $0 * 100 } ?? 200)
    for header in response.headers where header.isRequired || header.node["example"] != nil {
      let made = SchemaExample.make(
        header.node["schema"], given: ContractExamples.values(of: header.node, documents), documents, .response)
      if let value = made?.value {
        result.headers.append(.init(name: header.name, value: header.form.headerText(value)))
      }
    }
    guard let content = response.content, !content.types.isEmpty, result.status != 204, result.status != 304 else {
      return result
    }
    guard let media = content.types.first(where: { wish.accepts($0.key) }) else { return nil }
    return write(media, wish, into: result)
  }

  private func write(
    _ media: ContentContract.MediaType, _ wish: ResponseWish, into response: ResponseExample
  ) -> ResponseExample? {
    var result = response
    var given = ContractExamples.values(of: media.node, documents)
    if let name = wish.example {
      guard let value = ContractExamples.value(named: name, of: media.node, documents) else { return nil }
      given = [value]
    }
    let isAny = media.key.contains("*")
    result.type = isAny ? "application/json" : media.key
    let schema = media.node["schema"]
    guard let made = SchemaExample.make(schema, given: given, documents, .response, variant: wish.variant) else {
      if schema != nil { result.problem = "no example could be made of its schema" }
      return result
    }
    result.problem = made.problem
    if isJSON(media.key) || isAny {
      result.value = made.value
      result.body = Array(made.value.jsonText().string.utf8)
    } else if case .text(let text) = made.value {
      result.body = Array(text.string.utf8)
    } else if isMarkup(media.key), let schema {
      result.body = Array(MarkupExample.text(made.value, schema, documents).utf8)
    } else {
      result.body = Array(made.value.jsonText().string.utf8)
    }
    return result
  }

  /// The JSON Pointers of the parts of a response's JSON that its schema rejects.
  package func invalidParts(of value: Value, of operation: Operation, status: Int) -> [String] {
    guard let contract = try? operation.contract(in: documents), let key = contract.key(of: status),
      let content = try? contract.response(key)?.content, let media = content.types.first(where: { isJSON($0.key) }),
      let document = try? JSONDocument(parsing: value.jsonText().string)
    else { return [] }
    return (try? media.schema?.differences(of: document.root))?.listed.map(\.path) ?? []
  }

  /// The violations of a request, and the operation that it calls; nothing is counted for the coverage.
  package func violations(ofRequest exchange: ContractExchange) -> (match: Match, violations: [ContractViolation]) {
    let match = match(method: exchange.method, path: exchange.url.path, query: exchange.url.query)
    guard case .operation(let operation, let values) = match else { return (match, []) }
    do throws(ContractProblem) {
      let contract = try operation.contract(in: documents)
      return (
        match,
        try RequestCheck(exchange: exchange, operation: operation, contract: contract, values: values, api: self)
          .warnings()
      )
    } catch {
      return (match, [operation.violation(error)])
    }
  }
}

extension ResponseWish {
  fileprivate func accepts(_ type: String) -> Bool {
    guard let accept, !type.contains("*") else { return true }
    return accept.split(separator: ",").contains { range in
      !range.filter { $0 != " " }.hasSuffix(";q=0") && mediaType(type, matches: String(range))
    }
  }
}

/// Returns whether a media type is one of XML.
func isMarkup(_ type: String) -> Bool {
  guard let range = MediaRange(parsing: type) else { return false }
  let subtype = range.subtype.lowercased()
  return subtype == "xml" || subtype.hasSuffix("+xml")
}

/// The examples beside a schema.
enum ContractExamples {
  static func values(of node: DocumentNode, _ documents: DocumentSet) -> [Value] {
    var values: [Value] = []
    if let example = node["example"] {
      values = [((try? documents.resolved(example)) ?? example).node.value]
    } else {
      values = (node["examples"]?.members ?? []).compactMap { value(of: $0.value, documents) }
    }
    return values.flatMap { [valueOfText($0), $0].compactMap(\.self) }
  }

  /// The value of a text of JSON, which some documents write in place of it; nil for other values.
  static func valueOfText(_ value: Value) -> Value? {
    guard case .text(let text) = value, text.string.hasPrefix("{") || text.string.hasPrefix("[") else { return nil }
    return (try? JSONDocument(parsing: text.string))?.root.value
  }

  static func value(named name: String, of node: DocumentNode, _ documents: DocumentSet) -> Value? {
    node["examples"]?[name].flatMap { value(of: $0, documents) }
  }

  private static func value(of example: DocumentNode, _ documents: DocumentSet) -> Value? {
    (try? documents.resolved(example)).flatMap { $0["value"] ?? $0["dataValue"] }?.node.value
  }
}

extension DocumentSet {
  /// A value of a response that the main document allows, which is a schema; nil if none can be made.
  package func exampleOfMain() -> Value? { SchemaExample.make(main.root, given: [], self, .response)?.value }
}
