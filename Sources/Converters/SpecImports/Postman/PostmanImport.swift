import DocumentQueries
import Values

/// Reads collections, environments and globals of Postman.
struct PostmanImport {
  static let kind = ImportReader(
    extensions: ["json"], recognizes: { documentKind($0) != nil },
    read: { sources, _, bag in
      var reader = PostmanImport()
      reader.read(sources, &bag)
      return reader.collection.files.isEmpty && reader.environmentCount == 0 ? nil : reader.collection
    })

  private enum DocumentKind { case collection, environment, globals }

  private var collection = ImportedCollection()
  private var environmentCount = 0
  private var values = HostValues()

  private static func documentKind(_ source: ImportSource) -> DocumentKind? {
    guard source.bytes.first(where: { $0 > 0x20 }).map({ $0 == UInt8(ascii: "{") || $0 == 0xEF }) ?? false,
      let document = try? JSONDocument(parsing: source.unmarkedBytes)
    else { return nil }
    return documentKind(document.root)
  }

  private static func documentKind(_ root: JSONNode) -> DocumentKind? {
    if root.collection[member: "item"]?.kind == .list, root.collection[member: "info"]?.kind == .mapping {
      return .collection
    }
    let scope = root.text("_postman_variable_scope")
    if root[member: "values"]?.kind == .list, scope != nil || root.text("name") != nil {
      return scope == "globals" ? .globals : .environment
    }
    return nil
  }

  private mutating func read(_ sources: [ImportSource], _ bag: inout DiagnosticBag) {
    var collections: [(node: JSONNode, name: String)] = []
    var globals: [ImportedVariable] = []
    for (source, root) in collection.read(sources, &bag, Self.document) {
      switch Self.documentKind(root) {
      case .collection?:
        let name = root.collection[member: "info"]?.text("name")?.trimmed ?? ""
        collections.append((root.collection, name.isEmpty ? source.stem : name))
      case .environment?:
        environmentCount += 1
        let name = root.text("name").flatMap { $0.trimmed.isEmpty ? nil : $0 } ?? source.stem
        collection.environments.append(
          ImportedEnvironment(name: name, variables: variables(root[member: "values"], of: "environment \(name)")))
      case .globals?:
        environmentCount += 1
        globals += variables(root[member: "values"], of: "globals")
      case nil: break
      }
    }
    // A variable of any collection may hold a host.
    let own = collections.map { variables($0.node[member: "variable"], of: $0.name) }
    collection.add(zip(collections, own).map { tree($0.node, $0.name, $1, isAlone: collections.count == 1) })
    collection.variables.addMissing(globals)
  }

  /// A document of a known kind with its source.
  private static func document(
    _ source: ImportSource, _ bag: inout DiagnosticBag
  ) -> (source: ImportSource, root: JSONNode)? {
    guard let root = source.json(into: &bag)?.root else { return nil }
    let help = "export it from Postman as Collection v2.1"
    let schema = root.collection[member: "info"]?.text("schema") ?? "v2"
    switch documentKind(root) {
    case .collection? where !schema.contains("v2"):
      return source.refused("has a schema that is not known: \(sanitizedForTerminal(schema))", help: help, &bag)
    case nil where root[member: "requests"]?.kind == .list:
      return source.refused("is a collection of version 1", help: help, &bag)
    case nil:
      return source.refused(
        "is not a collection, environment or globals of Postman",
        help: "a collection has the members info and item, an environment has name and values", &bag)
    default: return (source, root)
    }
  }

  // MARK: Variables

  private mutating func variables(_ list: JSONNode?, of scope: String) -> [ImportedVariable] {
    var result: [ImportedVariable] = []
    for entry in list?.items ?? [] {
      guard let name = entry.text("key") ?? entry.text("id"), !name.isEmpty else { continue }
      let value = entry[member: "value"]
      let text = value?.scalarText ?? value.flatMap { $0.isContainer ? $0.text : nil } ?? ""
      if entry.isDisabled {
        let shown = isSecretName(name) || entry.text("type") == "secret" ? "***" : text
        collection.untranslated.remark("disabled variables", "\(scope): \(name)=\(shown)")
        continue
      }
      values.add(text, of: name)
      let isSecret = entry.text("type") == "secret"
      result.replace(with: [.init(name: name, value: .text(ImportedText(postman: text)), isSecret: isSecret)])
    }
    return result
  }

  // MARK: Collections

  private func tree(
    _ node: JSONNode, _ name: String, _ variables: [ImportedVariable], isAlone: Bool
  ) -> ImportedTree {
    var tree = ImportedTree(tool: .postman, name: name, fileName: name, path: isAlone ? [] : [name])
    tree.root = PostmanCollection(lacksScheme: values.lackScheme).folder(node)
    tree.root.scope.description = node[member: "info"]?.descriptionText
    tree.root.scope.variables = variables
    tree.source = node.document.root
    return tree
  }
}

extension JSONNode {
  /// The collection that a document is, or has.
  fileprivate var collection: JSONNode { self[member: "collection"].flatMap { $0.kind == .mapping ? $0 : nil } ?? self }
}
