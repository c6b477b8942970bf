import Values
import YAMLNodes

/// The folders and requests of collections of Bruno.
struct BrunoTree {
  var environments: [BrunoEnvironment] = []
  var untranslated: [Untranslated] = []
  /// The paths of sources that have errors.
  var leftOut: [String] = []
  /// The directories of collections with their names.
  private var roots: [[String]: String] = [:]
  private var scopes: [[String]: BrunoScope] = [:]
  private var requests: [[String]: [BrunoRequest]] = [:]
  private static let depthLimit = 30

  /// Indicates that no source is one of Bruno's.
  var isEmpty: Bool {
    requests.isEmpty && scopes.isEmpty && roots.isEmpty && environments.isEmpty && untranslated.isEmpty
      && leftOut.isEmpty
  }

  mutating func addRoot(_ folders: [String], name: String?) { roots[folders] = name ?? roots[folders] ?? "" }

  mutating func add(_ request: BrunoRequest, _ folders: [String]) { requests[folders, default: []].append(request) }

  mutating func add(_ scope: BrunoScope, _ folders: [String], isRoot: Bool) {
    if isRoot, roots[folders] == nil { roots[folders] = scope.name ?? "" }
    scopes[folders] = scope
  }

  /// Adds the items of a collection in one file of YAML.
  mutating func add(bundled items: [YAMLNode], _ folders: [String]) {
    add(items, folders, BrunoRequest.init(yaml:)) { node, _ in BrunoScope(yaml: node) }
  }

  /// Adds a collection that was exported as JSON.
  mutating func add(exported node: YAMLNode, _ folders: [String]) {
    let name = node["name"]?.scalar?.text ?? "collection"
    addRoot(folders, name: name)
    scopes[folders] = BrunoScope(exported: node["root"], name: name)
    environments += node["environments"]?.items?.compactMap { BrunoEnvironment($0) } ?? []
    let items = node["items"]?.items ?? []
    add(items, folders, BrunoRequest.init(exported:)) { BrunoScope(exported: $0["root"], name: $1) }
  }

  private mutating func add(
    _ items: [YAMLNode], _ folders: [String], _ request: (YAMLNode) -> BrunoRequest?,
    _ scope: (YAMLNode, _ name: String) -> BrunoScope
  ) {
    guard folders.count < Self.depthLimit else {
      return untranslated.remark("folders nested too deeply", folders.suffix(3).joined(separator: "/"))
    }
    for item in items {
      if let request = request(item) {
        add(request, folders)
      } else if let inner = item["items"]?.items {
        let name = item["info"]?["name"]?.scalar?.text ?? item["name"]?.scalar?.text ?? "folder"
        scopes[folders + [name]] = scope(item, name)
        add(inner, folders + [name], request, scope)
      }
    }
  }

  // MARK: Result

  var collection: ImportedCollection {
    var result = ImportedCollection()
    result.untranslated = untranslated
    result.leftOut = leftOut
    for environment in environments {
      let variables = environment.variables.filter(\.isEnabled).map(\.variable)
      if let index = result.environments.firstIndex(where: { $0.name == environment.name }) {
        result.environments[index].variables += variables
      } else {
        result.environments.append(ImportedEnvironment(name: environment.name, variables: variables))
      }
    }
    result.add([tree])
    return result
  }

  private var tree: ImportedTree {
    let (path, name) = roots.count > 1 ? ([], "") : roots.first.map { ($0.key, $0.value) } ?? (commonFolder, "")
    var tree = ImportedTree(tool: .bruno, fileName: name.isEmpty ? path.last ?? "requests" : name)
    tree.root = folder(path, depth: 0)
    tree.name = name.isEmpty ? scopes[path]?.name : name
    return tree
  }

  /// The directory of all requests.
  private var commonFolder: [String] {
    let folders = Array(requests.keys)
    return folders.dropFirst().reduce(folders.first ?? []) { common, folder in
      zip(common, folder).prefix { $0 == $1 }.map(\.0)
    }
  }

  /// - Parameter depth: the number of folders above it.
  private func folder(_ path: [String], depth: Int) -> ImportedFolder {
    var folder = ImportedFolder(scope: scopes[path].map { ImportedScope($0) } ?? ImportedScope(), fileName: path.last)
    let ordered = (requests[path] ?? []).enumerated().sorted {
      ($0.element.scope.order ?? 99_999, $0.offset) < ($1.element.scope.order ?? 99_999, $1.offset)
    }
    for (_, request) in ordered {
      let title = request.scope.name ?? request.url
      folder.items.append(
        request.isHTTP
          ? .request { BrunoReading.item(request, depth: max(0, depth - 1)) }
          : .other(Untranslated(reason: "requests of \(request.kind)", source: title)))
    }
    let inner = Set(requests.keys.filter { $0.count > path.count && $0.starts(with: path) }.map { $0[path.count] })
    let folders = inner.map { (order: scopes[path + [$0]]?.order ?? 99_999, name: $0) }.sorted { $0 < $1 }
    folder.items += folders.map { .folder(self.folder(path + [$0.name], depth: depth + 1)) }
    return folder
  }
}

extension BrunoPair {
  var variable: ImportedVariable {
    let text = ImportedText(bruno: value)
    return ImportedVariable(name: name, value: isJSON ? text.json ?? .text(text) : .text(text), isSecret: isSecret)
  }
}

extension ImportedText {
  /// A text of Bruno: `{{name}}` is a variable, `{{process.env.NAME}}` one of the environment, `{{$guid}}` a value made
  /// by Bruno.
  init(bruno text: String) {
    self.init(placeholdersIn: text) { name in
      for (start, end) in [("process.env.", ""), ("process.env['", "']"), ("process.env[\"", "\"]")]
      where name.hasPrefix(start) && name.hasSuffix(end) {
        let key = String(name.dropFirst(start.count).dropLast(end.count))
        return .expression("env[\(HurlExpression.literal(key))]")
      }
      // A value that is asked for.
      if name.hasPrefix("?") { return .unknown("{{\(name)}}") }
      return ImportedText(postman: "{{\(name)}}").parts.first ?? .unknown("{{\(name)}}")
    }
  }
}
