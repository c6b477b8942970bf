import Diagnostics
import DocumentQueries
import YAMLNodes

/// Reads exports of version 4 and files of version 5 of Insomnia, in JSON and YAML.
struct InsomniaImport {
  static let kind = ImportKind(
    extensions: ["json", "yaml", "yml"], recognizes: recognizes,
    read: { sources, _, bag in
      var reader = InsomniaImport()
      for source in sources { reader.read(source, &bag) }
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

  private mutating func read(_ source: ImportSource, _ bag: inout DiagnosticBag) {
    guard let root = Self.document(source, &bag) else {
      collection.leftOut.append(source.givenPath)
      return
    }
    guard InsomniaDocument.isKnown(root) else {
      collection.leftOut.append(source.givenPath)
      bag.error(
        "\(sanitizedForTerminal(source.givenPath)) is not an export of Insomnia of version 4 or 5", at: nil,
        help: "export it from Insomnia once more")
      return
    }
    let document = InsomniaDocument(root)
    let workspaces = document.workspaces.filter { !$0.items.isEmpty || $0.environment != nil }
    if workspaces.count == 1, collection.files.isEmpty, collection.name == nil {
      collection.name = workspaces[0].name.isEmpty ? nil : workspaces[0].name
      collection.description = workspaces[0].description
    }
    for workspace in workspaces { read(workspace, isAlone: workspaces.count == 1 && collection.files.isEmpty, source) }
  }

  private mutating func read(_ workspace: InsomniaWorkspace, isAlone: Bool, _ source: ImportSource) {
    var reader = InsomniaReader(
      workspace, name: workspace.name.isEmpty ? source.stem : workspace.name, isAlone: isAlone)
    reader.read()
    for variable in reader.variables where !collection.variables.contains(where: { $0.name == variable.name }) {
      collection.variables.append(variable)
    }
    collection.environments += reader.environments
    collection.files += reader.files
    collection.untranslated += workspace.untranslated
  }
}

/// The files that a workspace becomes.
private struct InsomniaReader {
  private struct Place {
    var names: [String] = []
    var headers: [JSONNode] = []
    var auth: JSONNode?
    var effects = ScriptEffects()
    /// The variables of inner folders.
    var variables: [ImportedVariable] = []
  }

  private let workspace: InsomniaWorkspace
  private let name: String
  private let folder: [String]
  private var texts = InsomniaTexts(requests: [:], variables: [])
  private var values: [String: [String]] = [:]
  /// The IDs of the requests of each file.
  private var ids: [[String]] = []
  private(set) var files: [ImportedFile] = []
  private(set) var variables: [ImportedVariable] = []
  private(set) var environments: [ImportedEnvironment] = []

  init(_ workspace: InsomniaWorkspace, name: String, isAlone: Bool) {
    self.workspace = workspace
    self.name = name
    folder = isAlone ? [] : [name]
  }

  mutating func read() {
    var names: [String: String] = [:]
    collectNames(workspace.items, &names)
    var declared: Set<String> = []
    for environment in [workspace.environment].compactMap({ $0 }) + workspace.environments {
      collectVariables(environment[member: "data"], "", &declared)
    }
    texts = InsomniaTexts(requests: names, variables: declared)
    variables = self.variables(workspace.environment?[member: "data"])
    environments = workspace.environments.map { node in
      ImportedEnvironment(name: node.text("name") ?? "environment", variables: self.variables(node[member: "data"]))
    }
    var loose = ImportedFile(path: folder + [name])
    var looseIDs: [String] = []
    for item in workspace.items {
      guard let children = item.children else {
        read(request: item, Place(), into: &loose, &looseIDs)
        continue
      }
      var file = ImportedFile(path: folder + [item.name.isEmpty ? "folder" : item.name])
      file.name = item.name.isEmpty ? nil : item.name
      file.description = item.description
      file.variables = self.variables(item.node[member: "environment"])
      var place = Place()
      file.untranslated += enter(item, &place)
      var own: [String] = []
      read(items: children, place, into: &file, &own)
      if !file.requests.isEmpty || !file.untranslated.isEmpty {
        files.append(file)
        ids.append(own)
      }
    }
    if !loose.requests.isEmpty || !loose.untranslated.isEmpty {
      files.append(loose)
      ids.append(looseIDs)
    }
    addCaptures()
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

  /// The values of an environment; members of objects have names with dots.
  private mutating func variables(_ data: JSONNode?, _ prefix: String = "") -> [ImportedVariable] {
    var result: [ImportedVariable] = []
    for (key, value) in data?.members ?? [] {
      let name = prefix + key
      switch value.kind {
      case .mapping: result += variables(value, name + ".")
      case .text:
        values[name, default: []].append(value.string)
        result.append(ImportedVariable(name: name, value: .text(texts.text(value.string))))
      default: result.append(ImportedVariable(name: name, value: ImportedValue(value)))
      }
    }
    return result
  }

  /// Indicates that a variable holds a host without a scheme.
  private func lacksScheme(_ name: String) -> Bool {
    let known = (values[name] ?? []).filter { !$0.isEmpty }
    return !known.isEmpty && known.allSatisfy { !$0.contains("://") && !$0.hasPrefix("{{") }
  }

  // MARK: Requests

  /// Adds what a folder says of its requests; returns what could not be translated.
  private mutating func enter(_ item: InsomniaItem, _ place: inout Place) -> [Untranslated] {
    place.headers += item.node[member: "headers"]?.items ?? []
    if let auth = item.node[member: "authentication"], auth.text("type") != nil {
      place.auth = auth
      place.effects.untranslated += InsomniaRequest.untranslated(auth, &texts)
    }
    place.effects.read(insomnia: item.node, isShared: true)
    defer { place.effects.untranslated = [] }
    return place.effects.untranslated
  }

  private mutating func read(
    items: [InsomniaItem], _ place: Place, into file: inout ImportedFile, _ ids: inout [String]
  ) {
    for item in items {
      guard let children = item.children else {
        read(request: item, place, into: &file, &ids)
        continue
      }
      var inner = place
      if !item.name.isEmpty { inner.names.append(item.name) }
      inner.variables += variables(item.node[member: "environment"])
      file.untranslated += enter(item, &inner)
      read(items: children, inner, into: &file, &ids)
    }
  }

  private mutating func read(
    request item: InsomniaItem, _ place: Place, into file: inout ImportedFile, _ ids: inout [String]
  ) {
    let title = (place.names + [item.name]).filter { !$0.isEmpty }.joined(separator: " / ")
    let known = self
    var request = InsomniaRequest.read(
      item, name: title, headers: place.headers, auth: place.auth, &texts, lacksScheme: { known.lacksScheme($0) })
    guard !request.url.isEmpty, request.url.literal != "http://" else {
      file.untranslated.append(Untranslated(reason: "requests without a URL", source: title))
      return
    }
    var effects = place.effects
    effects.read(insomnia: item.node, isShared: false)
    for test in workspace.tests where test.request == item.id {
      PostmanScript.read(test.code, .init(isTest: true, isShared: false), root: "insomnia", into: &effects)
    }
    for (key, value) in effects.expectations.expect { request.expect.set(key, value) }
    request.headers += effects.headers
    request.captures = effects.captures
    request.untranslated += effects.untranslated
    let own = effects.variables.filter { one in !effects.captures.contains { $0.key == one.name } }
    let used = item.node.text
    request.variables =
      place.variables.filter { one in
        used.contains(one.name) && !own.contains { $0.name == one.name }
      } + own
    file.requests.append(request)
    ids.append(item.id ?? "")
  }

  // MARK: Captures

  /// Adds what tags of other requests read, and puts requests and files after those that they read.
  private mutating func addCaptures() {
    guard !texts.captures.isEmpty else { return }
    var fileOrder = Array(repeating: 0, count: files.count)
    for file in files.indices {
      var isRead = false
      for request in files[file].requests.indices {
        for (name, value) in texts.captures[ids[file][request]] ?? [] {
          files[file].requests[request].captures.set(name, value)
          isRead = true
        }
      }
      // A stable order: requests that others read are first.
      let requests = files[file].requests
      let first = requests.indices.filter { texts.captures[ids[file][$0]] != nil }
      files[file].requests =
        first.map { requests[$0] } + requests.indices.filter { !first.contains($0) }.map { requests[$0] }
      fileOrder[file] = isRead ? 0 : 1
    }
    files = files.indices.sorted { (fileOrder[$0], $0) < (fileOrder[$1], $1) }.map { files[$0] }
  }
}

extension ScriptEffects {
  /// Adds what the scripts of a request or a folder of Insomnia do.
  mutating func read(insomnia node: JSONNode, isShared: Bool) {
    let scripts = node[member: "scripts"]
    let before = node.text("preRequestScript") ?? scripts?.text("preRequest") ?? ""
    let after = node.text("afterResponseScript") ?? scripts?.text("afterResponse") ?? ""
    for (script, isTest) in [(before, false), (after, true)] where !script.isEmpty {
      PostmanScript.read(script, .init(isTest: isTest, isShared: isShared), root: "insomnia", into: &self)
    }
  }
}
