internal import Diagnostics

/// Reads the operations of a document, collecting what is wrong with it as a whole; schemas are looked at when they are
/// needed.
struct ContractReader {
  private let documents: DocumentSet
  private(set) var bag = DiagnosticBag()
  private(set) var operations: [Operation] = []
  private(set) var paths: [DeclaredPath] = []

  private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

  init(_ documents: DocumentSet) {
    self.documents = documents
  }

  func version() throws(ContractProblem) -> APIContract.Version {
    let root = documents.main.root
    guard root.isObject else { throw ContractProblem("an OpenAPI document is an object", at: root) }
    guard let version = root["openapi"] else {
      guard let swagger = root["swagger"] else {
        throw ContractProblem(
          "this is no OpenAPI document: it has no `openapi`", at: root,
          help: "an OpenAPI document begins with its version: openapi: 3.1.0")
      }
      throw ContractProblem(
        "this is a document of Swagger \(swagger.scalarText ?? "2.0"), not of OpenAPI 3", at: swagger,
        help: "convert it to OpenAPI 3.0 or 3.1")
    }
    let text = version.scalarText ?? ""
    if text.hasPrefix("3.0") { return .openAPI30 }
    // 3.2 adds to 3.1 and takes nothing away.
    if text.hasPrefix("3.1") || text.hasPrefix("3.2") { return .openAPI31 }
    throw ContractProblem("OpenAPI \(text) is not known: the versions are 3.0 and 3.1", at: version)
  }

  mutating func readPaths() {
    let root = documents.main.root
    guard let declared = root["paths"] else {
      report("the document has no `paths`: there is nothing to check an answer against", at: root)
      return
    }
    guard expectObject(declared, "`paths`") else { return }
    for (path, node) in declared.members { readPath(path, node) }
    if paths.allSatisfy({ $0.operations.isEmpty }), bag.diagnostics.isEmpty {
      report("the document has no operation: there is nothing to check an answer against", at: declared)
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
      let item = try documents.resolved(node)
      guard expectObject(item, "the path \(path)") else { return }
      var declared: [Operation] = []
      for (key, value) in item.members {
        guard ContractReader.methods.contains(key), expectObject(value, "the operation \(key) of \(path)") else {
          continue
        }
        let servers = value["servers"] ?? item["servers"] ?? documents.main.root["servers"]
        let operation = Operation(
          method: key.uppercased(), path: path, number: operations.count, node: value, pathItem: item,
          bases: ServerBase.bases(of: servers))
        declared.append(operation)
        operations.append(operation)
      }
      paths.append(DeclaredPath(template: template, operations: declared, node: item))
    } catch {
      bag.add(error.diagnostic)
    }
  }

  private mutating func expectObject(_ node: DocumentNode, _ what: String) -> Bool {
    if node.isObject { return true }
    report("\(what) is an object", at: node)
    return false
  }

  private mutating func report(_ message: String, at node: DocumentNode, help: String? = nil) {
    bag.add(ContractProblem(message, at: node, help: help).diagnostic)
  }
}
