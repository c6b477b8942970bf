import Values

/// Reads the operations of a document, collecting problems of the whole; schemas are read when they are needed.
struct ContractReader {
  private let documents: DocumentSet
  private(set) var bag = DiagnosticBag()
  private(set) var operations: [Operation] = []
  private(set) var paths: [DeclaredPath] = []

  init(_ documents: DocumentSet) {
    self.documents = documents
  }

  func version() throws(ContractProblem) -> APIContract.Version {
    let root = documents.main.root
    guard root.isObject else { throw ContractProblem(.invalidContract, "an OpenAPI document is an object", at: root) }
    guard let version = root["openapi"] else {
      guard let swagger = root["swagger"] else {
        throw ContractProblem(
          .invalidContract, "this is not an OpenAPI document: it has no `openapi`", at: root,
          help: "an OpenAPI document begins with its version: openapi: 3.1.0")
      }
      throw ContractProblem(
        .invalidContract, "Swagger \(swagger.scalarText ?? "") is not known: the version is 2.0", at: swagger,
        help: "convert it to OpenAPI 3.0 or 3.1")
    }
    let text = version.scalarText ?? ""
    if text.hasPrefix("3.0") { return .openAPI30 }
    // 3.2 only adds to 3.1.
    if text.hasPrefix("3.1") || text.hasPrefix("3.2") { return .openAPI31 }
    throw ContractProblem(.invalidContract, "OpenAPI \(text) is not known: the versions are 3.0 and 3.1", at: version)
  }

  mutating func readPaths(_ version: APIContract.Version) {
    let root = documents.main.root
    // A document of webhooks or components alone is complete without paths.
    let isWholeWithoutPaths = version == .openAPI31 && (root["webhooks"] != nil || root["components"] != nil)
    guard let written = root["paths"] else {
      if !isWholeWithoutPaths {
        report(
          "the document has no `paths`, which hold its operations", at: root,
          help: "write `paths: {/users: {get: {responses: {…}}}}`")
      }
      return
    }
    // Documents in several files often have the paths in one of their own.
    let declared: DocumentNode
    do throws(ContractProblem) {
      declared = try documents.resolved(written)
    } catch {
      bag.add(error.diagnostic)
      return
    }
    guard expectObject(declared, "`paths`") else { return }
    for (path, node) in declared.members { readPath(path, node) }
    if operations.isEmpty, bag.diagnostics.isEmpty, !isWholeWithoutPaths {
      report("the document has no operation: there is nothing to check a response against", at: declared)
    }
  }

  private mutating func readPath(_ path: String, _ node: DocumentNode) {
    guard path.hasPrefix("/") else {
      report("a path begins with `/`, not \"\(path)\"", at: node, help: "write /\(path)")
      return
    }
    guard let template = PathTemplate(path) else {
      report("the braces of the path \(path) are not balanced", at: node, help: "a parameter is written {name}")
      return
    }
    do throws(ContractProblem) {
      let item = try PathItem(node, documents)
      guard item.layers.allSatisfy({ expectObject($0, "the path \(path)") }) else { return }
      var declared: [Operation] = []
      for (method, value) in item.operations {
        let node = try documents.resolved(value)
        guard expectObject(node, "the operation \(method) of \(path)") else { continue }
        let servers = node["servers"] ?? item["servers"] ?? documents.main.root["servers"]
        let operation = Operation(
          method: method.uppercased(), path: path, number: operations.count, node: node,
          responses: try node["responses"].map { responses throws(ContractProblem) in try documents.resolved(responses)
          },
          pathItem: item, bases: ServerBase.bases(of: servers))
        declared.append(operation)
        operations.append(operation)
      }
      paths.append(DeclaredPath(template: template, operations: declared, node: item.layers[0]))
    } catch {
      bag.add(error.diagnostic)
    }
  }

  /// The method and path that identify an operation in a request.
  private struct RequestLine: Hashable {
    let method: String
    let bases: [ServerBase]
    let segments: [[String?]]
    let query: [PathTemplate.QueryPair]
  }

  /// Warnings for operations that no request can match, since another one has the same method and path.
  var warnings: [Diagnostic] {
    var known: [RequestLine: String] = [:]
    var hidden: [(operation: Operation, other: String, hasFragment: Bool)] = []
    for path in paths {
      for operation in path.operations {
        let line = RequestLine(
          method: operation.method, bases: operation.bases, segments: path.template.segments.map(\.shape),
          query: path.template.query)
        if let other = known[line] {
          hidden.append((operation, other, path.text.contains("#") || other.contains("#")))
        } else {
          known[line] = operation.label
        }
      }
    }
    guard let first = hidden.first else { return [] }
    let more = hidden.count > 1 ? " and \(counted(hidden.count - 1, "other operation"))" : ""
    return [
      .warning(
        .suspiciousSchema,
        "\(first.operation.label)\(more) cannot be distinguished from \(first.other): method and path are the same",
        at: first.operation.node.range,
        help: first.hasFragment
          ? "what follows a `#` is never sent" : "paths that differ in the names of their parameters are the same path")
    ]
  }

  private mutating func expectObject(_ node: DocumentNode, _ what: String) -> Bool {
    if node.isObject { return true }
    report("\(what) is an object", at: node)
    return false
  }

  private mutating func report(_ message: String, at node: DocumentNode, help: String? = nil) {
    bag.add(ContractProblem(.invalidContract, message, at: node, help: help).diagnostic)
  }
}

/// The declarations of a path: its own members, then those of its `$ref`'s target.
package struct PathItem: Sendable {
  let layers: [DocumentNode]

  static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

  init(_ node: DocumentNode, _ documents: DocumentSet) throws(ContractProblem) {
    let target = try documents.resolved(node)
    layers = node["$ref"] == nil || node.node.count == 1 ? [target] : [node, target]
  }

  package subscript(name: String) -> DocumentNode? {
    layers.lazy.compactMap { $0[name] }.first
  }

  /// The operations by their methods in lower case, in order.
  var operations: [(method: String, node: DocumentNode)] {
    var result: [(method: String, node: DocumentNode)] = []
    for layer in layers {
      for (key, value) in layer.members where PathItem.methods.contains(key) {
        if !result.contains(where: { $0.method == key }) { result.append((key, value)) }
      }
    }
    return result
  }
}
