import DocumentQueries
import Values
import YAMLNodes

/// Reads exports of version 4 and files of version 5 of Insomnia, in JSON and YAML.
struct InsomniaImport {
  static let kind = ImportReader(
    extensions: ["json", "yaml", "yml"], recognizes: recognizes,
    read: { sources, _, bag in
      var reader = InsomniaImport()
      reader.read(sources, &bag)
      return reader.isEmpty ? nil : reader.collection
    })

  private var collection = ImportedCollection()
  private var isEmpty: Bool {
    collection.files.isEmpty && collection.environments.isEmpty && collection.variables.isEmpty
  }

  private static func recognizes(_ source: ImportSource) -> Bool {
    let beginning = String(decoding: source.bytes.prefix(4096), as: UTF8.self)
    let isJSON = beginning.first { !$0.isWhitespace } == "{"
    guard isJSON || beginning.contains(".insomnia.rest/5") || beginning.contains("__export_format") else {
      return false
    }
    var bag = DiagnosticBag()
    return document(source, &bag).map { InsomniaDocument.isKnown($0) } ?? false
  }

  private static func document(_ source: ImportSource, _ bag: inout DiagnosticBag) -> JSONNode? {
    guard let first = source.bytes.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == 0xEF else {
      return yaml(source, &bag)
    }
    var own = DiagnosticBag()
    if let document = source.json(into: &own) { return document.root }
    // A mapping of YAML may begin with a brace, too.
    if source.fileExtension != "json", let root = yaml(source, &bag) { return root }
    bag.add(contentsOf: own.diagnostics)
    return nil
  }

  private static func yaml(_ source: ImportSource, _ bag: inout DiagnosticBag) -> JSONNode? {
    guard let json = YAMLReader.json(bytes: source.bytes, name: source.givenPath, into: &bag).json else { return nil }
    return try? JSONDocument(parsing: json).root
  }

  private mutating func read(_ sources: [ImportSource], _ bag: inout DiagnosticBag) {
    let workspaces = collection.read(sources, &bag) { source, bag -> [(InsomniaWorkspace, name: String)]? in
      guard let root = Self.document(source, &bag) else { return nil }
      guard InsomniaDocument.isKnown(root) else {
        return source.refused(
          "is not an export of Insomnia of version 4 or 5", help: "export it from Insomnia once more", &bag)
      }
      return InsomniaDocument(root).workspaces.filter { !$0.items.isEmpty || $0.environment != nil }
        .map { ($0, $0.name.isEmpty ? source.stem : $0.name) }
    }.joined()
    collection.add(
      workspaces.map { workspace, name in
        var reader = InsomniaReader(workspace: workspace)
        collection.untranslated += workspace.untranslated
        let tree = reader.tree(name: name, path: workspaces.count == 1 ? [] : [name])
        collection.environments += reader.environments
        return tree
      })
  }
}

/// Reads the folders and requests of a workspace.
private struct InsomniaReader {
  let workspace: InsomniaWorkspace
  var texts = InsomniaTexts(requests: [:], variables: [])
  var values = HostValues()
  private(set) var environments: [ImportedEnvironment] = []

  mutating func tree(name: String, path: [String]) -> ImportedTree {
    var names: [String: String] = [:]
    collectNames(workspace.items, &names)
    var declared: Set<String> = []
    for environment in [workspace.environment].compactMap({ $0 }) + workspace.environments {
      collectVariables(environment[member: "data"], "", &declared)
    }
    texts = InsomniaTexts(requests: names, variables: declared)
    var tree = ImportedTree(tool: .insomnia, name: name, fileName: name, path: path)
    tree.root.scope.description = workspace.description
    tree.root.scope.variables = environment(workspace.environment)
    environments = workspace.environments.map { node in
      ImportedEnvironment(name: node.text("name") ?? "environment", variables: environment(node))
    }
    tree.root.items = items(workspace.items)
    tree.captures = texts.captures
    return tree
  }

  private func collectNames(_ items: [InsomniaItem], _ names: inout [String: String]) {
    for item in items {
      if let children = item.children {
        collectNames(children, &names)
      } else if let id = item.id {
        names[id] = item.name
      }
    }
  }

  // MARK: Variables

  private func collectVariables(_ data: JSONNode?, _ prefix: String, _ names: inout Set<String>) {
    for (key, value) in data?.members ?? [] {
      names.insert(prefix + key)
      collectVariables(value, prefix + key + ".", &names)
    }
  }

  /// The values of an environment; all of a private one, and those of a vault, are secrets.
  private mutating func environment(_ node: JSONNode?) -> [ImportedVariable] {
    let isPrivate = node.map { $0.isTrue("isPrivate") || $0.isTrue("private") } ?? false
    var variables = variables(node?[member: "data"])
    for index in variables.indices where isPrivate || variables[index].name.hasPrefix("__insomnia_vault") {
      variables[index].isSecret = true
    }
    return variables
  }

  /// The values of data; members of objects have names with dots.
  private mutating func variables(_ data: JSONNode?, _ prefix: String = "") -> [ImportedVariable] {
    var result: [ImportedVariable] = []
    for (key, value) in data?.members ?? [] {
      let name = prefix + key
      switch value.kind {
      case .mapping: result += variables(value, name + ".")
      case .text:
        values.add(value.string, of: name)
        result.append(ImportedVariable(name: name, value: .text(texts.text(value.string))))
      default: result.append(ImportedVariable(name: name, value: ImportedValue(value)))
      }
    }
    return result
  }

  // MARK: Folders and requests

  private mutating func items(_ items: [InsomniaItem]) -> [ImportedFolder.Item] {
    items.map { item in
      guard let children = item.children else {
        // What it reads of responses must be known before the first request is made.
        let request = request(item)
        return .request { request }
      }
      var scope = scope(item)
      scope.description = item.description
      scope.variables = variables(item.node[member: "environment"])
      scope.auth = ImportedAuth(insomnia: item.node[member: "authentication"], &texts, &scope.untranslated)
      return .folder(ImportedFolder(scope: scope, items: self.items(children)))
    }
  }

  private mutating func request(_ item: InsomniaItem) -> ImportedItem {
    let scope = scope(item)
    var result = InsomniaRequest.read(item, scope, &texts, lacksScheme: values.lackScheme)
    result.identifier = item.id ?? ""
    for test in workspace.tests where test.request == item.id {
      result.scope.scripts.append(ImportedScript(dialect: .insomnia, text: test.code, isTest: true))
    }
    return result
  }

  /// The name, the headers and the scripts of a folder or a request.
  private mutating func scope(_ item: InsomniaItem) -> ImportedScope {
    let node = item.node
    var scope = ImportedScope(name: item.name)
    for header in node[member: "headers"]?.items ?? [] {
      guard let name = header.text("name")?.trimmed, !name.isEmpty else { continue }
      let value = header.text("value") ?? ""
      if header.isDisabled {
        scope.comments.append("disabled header: \(name): \(value)")
      } else {
        scope.headers.append(.init(name: texts.text(name), value: texts.text(value).trimmed))
      }
    }
    let scripts = node[member: "scripts"]
    let before = node.text("preRequestScript") ?? scripts?.text("preRequest") ?? ""
    let after = node.text("afterResponseScript") ?? scripts?.text("afterResponse") ?? ""
    scope.scripts = [(before, false), (after, true)].map {
      ImportedScript(dialect: .insomnia, text: $0, isTest: $1)
    }
    return scope
  }
}
