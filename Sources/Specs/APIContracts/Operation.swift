import JSONSchemas
import Matching
internal import Synchronization

/// A method of a path. Its declarations are read at its first request.
package final class Operation: Sendable {
  package let method: String
  /// The template as in the document.
  package let path: String
  /// Its index among the operations of the document.
  let number: Int
  package let node: DocumentNode
  /// Nil if it has none.
  package let responses: DocumentNode?
  package let pathItem: PathItem
  let bases: [ServerBase]
  private let compiled = Mutex<Result<OperationContract, ContractProblem>?>(nil)

  init(
    method: String, path: String, number: Int, node: DocumentNode, responses: DocumentNode?, pathItem: PathItem,
    bases: [ServerBase]
  ) {
    self.method = method
    self.path = path
    self.number = number
    self.node = node
    self.responses = responses
    self.pathItem = pathItem
    self.bases = bases
  }

  /// `GET /users/{id}`
  package var label: String { "\(method) \(path)" }
  package var operationID: String? { node["operationId"]?.string }
  package var isDeprecated: Bool { node["deprecated"]?.isTrue ?? false }
  /// The statuses such as `200`, `4XX` and `default`, in order.
  package var declaredStatuses: [String] { responses?.members.map(\.key) ?? [] }

  func contract(in documents: DocumentSet) throws(ContractProblem) -> OperationContract {
    try compiled.withLock { known in
      if let known { return known }
      let result: Result<OperationContract, ContractProblem>
      do throws(ContractProblem) {
        result = .success(try OperationContract(self, documents))
      } catch {
        result = .failure(error)
      }
      known = result
      return result
    }.get()
  }
}

/// The declarations of an operation.
final class OperationContract: Sendable {
  let parameters: [ParameterContract]
  /// Headers that documents declare as parameters although they have no effect there.
  let ignoredHeaders: [ParameterContract]
  let requestBody: RequestBodyContract?
  private let responses: [(key: String, value: DocumentNode)]
  private let documents: DocumentSet
  private let compiled = Mutex<[String: ResponseContract]>([:])

  init(_ operation: Operation, _ documents: DocumentSet) throws(ContractProblem) {
    self.documents = documents
    documents.check(operation.node, .operation)
    var parameters: [ParameterContract] = []
    // The operation's own win over those of the path.
    for list in [operation.node["parameters"], operation.pathItem["parameters"]] {
      for item in list?.items ?? [] {
        guard let parameter = try ParameterContract(try documents.resolved(item), documents) else { continue }
        guard !parameters.contains(where: { $0.name == parameter.name && $0.location == parameter.location }) else {
          continue
        }
        parameters.append(parameter)
      }
    }
    self.parameters = parameters.filter { !$0.isIgnored }
    ignoredHeaders = parameters.filter(\.isIgnored)
    requestBody = try operation.node["requestBody"].map { node throws(ContractProblem) in
      try RequestBodyContract(try documents.resolved(node), documents)
    }
    responses = operation.responses?.members ?? []
  }

  var statusKeys: [String] { responses.map(\.key) }

  /// The key under which a status is declared: itself, its class, or `default`.
  func key(of status: Int) -> String? {
    let own = String(status)
    let range = "\(status / 100)xx"
    return responses.first { $0.key == own }?.key ?? responses.first { $0.key.lowercased() == range }?.key
      ?? responses.first { $0.key == "default" }?.key
  }

  /// The declaration under a key.
  func response(_ key: String) throws(ContractProblem) -> ResponseContract? {
    if let known = compiled.withLock({ $0[key] }) { return known }
    guard let node = responses.first(where: { $0.key == key })?.value else { return nil }
    let response = try ResponseContract(try documents.resolved(node), documents)
    compiled.withLock { $0[key] = response }
    return response
  }
}

struct RequestBodyContract: Sendable {
  let isRequired: Bool
  let content: ContentContract
  let node: DocumentNode

  init(_ node: DocumentNode, _ documents: DocumentSet) throws(ContractProblem) {
    self.node = node
    documents.check(node, .requestBody)
    isRequired = node["required"]?.isTrue ?? false
    content = try ContentContract(node["content"], documents, direction: .request)
  }
}

struct ResponseContract: Sendable {
  let headers: [HeaderContract]
  /// Nil if the document doesn't declare a body.
  let content: ContentContract?
  let node: DocumentNode

  init(_ node: DocumentNode, _ documents: DocumentSet) throws(ContractProblem) {
    self.node = node
    if let schema = node["schema"], !node.file.isTranslated {
      throw ContractProblem(
        .invalidContract, "a response of OpenAPI 3 has no `schema` of its own, which would check nothing", at: schema,
        help: "it belongs to a media type of the response's `content`")
    }
    try node.expect(.response)
    documents.check(node, .response)
    var headers: [HeaderContract] = []
    for (name, value) in node["headers"]?.members ?? [] where name.lowercased() != "content-type" {
      headers.append(try HeaderContract(name, try documents.resolved(value), documents))
    }
    self.headers = headers
    content = try node["content"].map { node throws(ContractProblem) in
      try ContentContract(node, documents, direction: .response)
    }
  }
}

/// The media types of a body, each with its schema.
struct ContentContract: Sendable {
  struct MediaType: Sendable {
    let key: String
    let range: MediaRange?
    let schema: ContractSchema?
    let node: DocumentNode
  }

  let types: [MediaType]

  init(
    _ node: DocumentNode?, _ documents: DocumentSet, direction: SchemaSet.Direction
  ) throws(ContractProblem) {
    var types: [MediaType] = []
    for (key, value) in node?.members ?? [] {
      let media = try documents.resolved(value)
      try media.expect(NameChecks.Object.mediaType)
      documents.check(media, .mediaType)
      types.append(
        MediaType(
          key: key, range: MediaRange(parsing: key),
          schema: media["schema"].map { ContractSchema($0, documents, direction) }, node: media))
    }
    self.types = types
  }

  /// `application/json, text/*`
  var names: String { types.map(\.key).joined(separator: ", ") }

  /// The declaration for a content type, the most concrete first; parameters are ignored.
  func type(for contentType: String) -> MediaType? {
    guard let actual = MediaRange(parsing: contentType) else { return types.first { $0.range?.isWildcard ?? false } }
    func rank(_ range: MediaRange) -> Int { range.isWildcard ? 2 : range.subtype == "*" ? 1 : 0 }
    return types.compactMap { type in type.range.map { (type, $0) } }.filter { $0.1.contains(actual) }
      .min { rank($0.1) < rank($1.1) }?.0
  }
}

extension DocumentNode {
  /// Throws if a part of a document has the wrong type, and would check nothing.
  fileprivate func expect(_ object: NameChecks.Object) throws(ContractProblem) {
    guard isObject else { throw ContractProblem(.invalidContract, "\(object.phrase) is an object", at: self) }
    let found = members.map(\.key)
    guard let first = found.first, !found.contains(where: object.names.contains) else { return }
    let names = object.names.map { "`\($0)`" }.joined(separator: ", ")
    throw ContractProblem(
      .invalidContract, "this is not \(object.phrase): it has `\(first)`, and none of \(names)", at: self)
  }
}

/// Returns whether a content type is JSON: `application/json` or `…+json`.
func isJSON(_ contentType: String) -> Bool {
  guard let range = MediaRange(parsing: contentType) else { return false }
  let subtype = range.subtype.lowercased()
  return subtype == "json" || subtype.hasSuffix("+json")
}
