import Values
import YAMLNodes

/// Reads collections of Bruno: directories of `.bru` files or of YAML files, and collections exported as JSON.
enum BrunoImport {
  static let kind = ImportReader(
    extensions: ["bru", "yml", "yaml", "json"], recognizes: recognizes, read: read)

  @Sendable static func recognizes(_ source: ImportSource) -> Bool {
    let name = source.path.split(separator: "/").last ?? ""
    if source.fileExtension == "bru" || name == "bruno.json" || name == "opencollection.yml" { return true }
    let start = source.bytes.prefix(4096)
    if source.fileExtension == "json" { return contains(source.bytes[...], "\"brunoConfig\"") }
    return contains(start, "opencollection:")
  }

  private static func contains(_ bytes: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
    let word = Array("\(word)".utf8)
    return bytes.indices.contains { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
  }

  @Sendable static func read(
    _ sources: [ImportSource], _ selection: ImportSelection, _ bag: inout DiagnosticBag
  ) -> ImportedCollection? {
    var tree = BrunoTree()
    for source in sources {
      let parts = source.path.split(separator: "/").map(String.init).filter { $0 != "." }
      let name = parts.last ?? source.path
      let folders = Array(parts.dropLast())
      switch source.fileExtension {
      case "bru": read(bru: source, name, folders, &tree, &bag)
      case "json" where name == "bruno.json":
        guard let node = nodes(of: source, &tree, &bag) else { continue }
        tree.addRoot(folders, name: node["name"]?.scalar?.text)
      case "json", "yml", "yaml": read(nodes: source, name, folders, &tree, &bag)
      default: tree.untranslated.remark("files of other kinds", source.path)
      }
    }
    return tree.isEmpty ? nil : tree.collection
  }

  private static func read(
    bru source: ImportSource, _ name: String, _ folders: [String], _ tree: inout BrunoTree, _ bag: inout DiagnosticBag
  ) {
    let document = BruDocument(source.text)
    if let (line, expected) = document.failure {
      source.addError("expected \(expected)", at: { $0.lineBytes(line - 1) }, &bag)
      tree.leftOut.append(source.givenPath)
      return
    }
    if folders.last == "environments", document.blocks.contains(where: { $0.name.hasPrefix("vars") }) {
      tree.environments.append(BrunoEnvironment(name: source.stem, variables: document.environment))
    } else if document.isRequest {
      var request = document.request
      if request.scope.name == nil { request.scope.name = source.stem }
      tree.add(request, folders)
    } else {
      tree.add(BrunoScope(document), folders, isRoot: name == "collection.bru")
    }
  }

  private static func read(
    nodes source: ImportSource, _ name: String, _ folders: [String], _ tree: inout BrunoTree,
    _ bag: inout DiagnosticBag
  ) {
    // Other files in a directory are none of Bruno's.
    guard let root = nodes(of: source, &tree, &bag), root.members != nil else { return }
    if root["opencollection"] != nil {
      tree.addRoot(folders, name: root["info"]?["name"]?.scalar?.text)
      tree.add(BrunoScope(yaml: root), folders, isRoot: true)
      tree.add(bundled: root["items"]?.items ?? [], folders)
    } else if let request = BrunoRequest(yaml: root) {
      tree.add(request, folders)
    } else if root["info"]?["type"]?.scalar?.text == "folder" || name == "folder.yml" {
      tree.add(BrunoScope(yaml: root), folders, isRoot: false)
    } else if folders.last == "environments", let environment = BrunoEnvironment(root) {
      tree.environments.append(environment)
    } else if root["items"]?.items != nil, root["brunoConfig"] != nil || root["version"]?.scalar?.text == "1" {
      tree.add(exported: root, folders)
    }
  }

  /// The nodes of a file of YAML or JSON; nil with an error if it is neither, unless it may be none of Bruno's.
  private static func nodes(
    of source: ImportSource, _ tree: inout BrunoTree, _ bag: inout DiagnosticBag
  ) -> YAMLNode? {
    var own = DiagnosticBag()
    let (_, root) = YAMLReader.read(bytes: Array(source.text.utf8), name: source.givenPath, into: &own)
    if own.hasErrors, source.fileExtension != "json" || recognizes(source) {
      bag.add(contentsOf: own.diagnostics)
      tree.leftOut.append(source.givenPath)
      return nil
    }
    return root
  }
}
