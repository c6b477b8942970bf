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

  mutating func addRoot(_ folders: [String], name: String?) { roots[folders] = name ?? roots[folders] ?? "" }

  mutating func add(_ request: BrunoRequest, _ folders: [String]) { requests[folders, default: []].append(request) }

  mutating func add(_ scope: BrunoScope, _ folders: [String], isRoot: Bool) {
    if isRoot, roots[folders] == nil { roots[folders] = scope.name ?? "" }
    scopes[folders] = scope
  }

  /// Adds the items of a collection in one file of YAML.
  mutating func add(bundled items: [YAMLNode], _ folders: [String]) {
    guard isShallow(folders) else { return }
    for item in items {
      if let request = BrunoRequest(yaml: item) {
        add(request, folders)
      } else if let inner = item["items"]?.items {
        let path = folders + [item["info"]?["name"]?.scalar?.text ?? item["name"]?.scalar?.text ?? "folder"]
        scopes[path] = BrunoScope(yaml: item)
        add(bundled: inner, path)
      }
    }
  }

  /// Adds a collection that was exported as JSON.
  mutating func add(exported node: YAMLNode, _ folders: [String]) {
    let name = node["name"]?.scalar?.text ?? "collection"
    addRoot(folders, name: name)
    scopes[folders] = BrunoScope(exported: node["root"], name: name)
    environments += node["environments"]?.items?.compactMap { BrunoEnvironment($0) } ?? []
    add(exportedItems: node["items"]?.items ?? [], folders)
  }

  private mutating func add(exportedItems items: [YAMLNode], _ folders: [String]) {
    guard isShallow(folders) else { return }
    for item in items {
      let name = item["name"]?.scalar?.text ?? "folder"
      if let request = BrunoRequest(exported: item) {
        add(request, folders)
      } else if let inner = item["items"]?.items {
        scopes[folders + [name]] = BrunoScope(exported: item["root"], name: name)
        add(exportedItems: inner, folders + [name])
      }
    }
  }

  /// Returns whether folders are nested within the limit; remarks on those that aren't.
  private mutating func isShallow(_ folders: [String]) -> Bool {
    if folders.count < Self.depthLimit { return true }
    untranslated.append(
      Untranslated(reason: "folders nested too deeply", source: folders.suffix(3).joined(separator: "/")))
    return false
  }

  // MARK: Result

  var collection: ImportedCollection {
    var result = ImportedCollection()
    result.untranslated = untranslated
    result.leftOut = leftOut
    let known = roots.keys.sorted { $0.count < $1.count }
    let directories = requests.keys.sorted { position(of: $0).lexicographicallyPrecedes(position(of: $1), by: <) }
    let onlyRoot = roots.count > 1 ? nil : roots.first ?? (commonFolder, "")
    result.name = onlyRoot?.value
    if let root = onlyRoot, let scope = scopes[root.key] {
      if result.name?.isEmpty ?? true { result.name = scope.name }
      result.description = scope.docs
      result.variables = scope.variables.filter(\.isEnabled).map { $0.variable }
    }
    for environment in environments {
      let variables = environment.variables.filter(\.isEnabled).map(\.variable)
      if let index = result.environments.firstIndex(where: { $0.name == environment.name }) {
        result.environments[index].variables += variables
      } else {
        result.environments.append(ImportedEnvironment(name: environment.name, variables: variables))
      }
    }
    var remarks: Set<[String]> = []
    for directory in directories {
      let root = known.last { directory.starts(with: $0) } ?? onlyRoot?.key ?? []
      var path = Array(directory.dropFirst(onlyRoot == nil ? 0 : root.count))
      if path.isEmpty { path = [roots[root].flatMap { $0.isEmpty ? nil : $0 } ?? root.last ?? "requests"] }
      result.files.append(file(directory, below: root, path, sharesVariables: onlyRoot != nil, &remarks))
    }
    return result
  }

  /// The directory of all requests.
  private var commonFolder: [String] {
    let folders = Array(requests.keys)
    return folders.dropFirst().reduce(folders.first ?? []) { common, folder in
      zip(common, folder).prefix { $0 == $1 }.map(\.0)
    }
  }

  /// The order of a directory: that of its folders, then their names.
  private func position(of directory: [String]) -> [String] {
    directory.indices.map { index in
      let order = scopes[Array(directory[...index])]?.order ?? 99_999
      return String(repeating: "0", count: max(0, 6 - String(order).count)) + "\(order) \(directory[index])"
    }
  }

  private func file(
    _ directory: [String], below root: [String], _ path: [String], sharesVariables: Bool, _ remarks: inout Set<[String]>
  ) -> ImportedFile {
    var file = ImportedFile(path: path)
    let scope = directory == root ? nil : scopes[directory]
    file.name = scope?.name
    file.description = scope?.docs
    var context = BrunoContext(depth: path.count - 1)
    for count in root.count...directory.count {
      let place = Array(directory.prefix(count))
      guard let scope = scopes[place] else { continue }
      let untranslated = context.enter(scope)
      // The first of its files has the remarks on what a folder says of several.
      if remarks.insert(place).inserted { file.untranslated += untranslated }
      if count > root.count || !sharesVariables {
        for pair in scope.variables where pair.isEnabled {
          file.variables.removeAll { $0.name == pair.name }
          file.variables.append(pair.variable)
        }
      }
    }
    let ordered = (requests[directory] ?? []).enumerated().sorted {
      ($0.element.scope.order ?? 99_999, $0.offset) < ($1.element.scope.order ?? 99_999, $1.offset)
    }
    for (_, request) in ordered {
      let title = request.scope.name ?? request.url
      guard let composed = context.request(request) else {
        file.untranslated.append(Untranslated(reason: "requests of \(request.kind)", source: title))
        continue
      }
      if composed.url.isEmpty {
        file.untranslated.append(Untranslated(reason: "requests without a URL", source: title))
      } else {
        file.requests.append(composed)
      }
    }
    return file
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
