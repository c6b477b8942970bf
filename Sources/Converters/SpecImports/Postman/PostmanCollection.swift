import DocumentQueries

/// The files that a collection of Postman becomes: one for each folder at its top, and one for what is in no folder.
struct PostmanCollection {
  private let name: String
  private let folder: [String]
  private let source: JSONNode
  private let lacksScheme: (String) -> Bool
  private let uses: [String: Int]
  /// The values that scripts have set up to the current request, where they differ from those before.
  private var current: [String: ImportedVariable] = [:]
  private(set) var files: [ImportedFile] = []
  private(set) var untranslated: [Untranslated] = []

  /// The number of requests from which on the folders within a folder become files of their own.
  private static let manyRequests = 40
  private static let depthLimit = 60

  init(name: String, folder: [String], source: JSONNode, lacksScheme: @escaping (String) -> Bool) {
    self.name = name
    self.folder = folder
    self.source = source
    self.lacksScheme = lacksScheme
    uses = variableUses(in: source.document.utf8)
  }

  mutating func read() {
    var context = PostmanContext()
    untranslated += context.enter(source)
    var loose = ImportedFile(path: folder + [name])
    for item in source[member: "item"]?.items ?? [] {
      if item[member: "item"]?.kind == .list {
        read(folder: item, path: folder, context)
      } else {
        read(request: item, names: [], context, into: &loose)
      }
    }
    if !loose.requests.isEmpty || !loose.untranslated.isEmpty {
      loose.name = folder.isEmpty ? nil : name
      files.append(loose)
    }
  }

  /// Reads a folder as a file, or as several.
  private mutating func read(folder item: JSONNode, path: [String], _ context: PostmanContext) {
    let title = item.text("name")?.trimmed ?? ""
    let path = path + [title.isEmpty ? "folder" : title]
    var context = context
    var file = ImportedFile(path: path)
    file.name = title.isEmpty ? nil : title
    file.description = item.descriptionText
    file.untranslated += context.enter(item)
    let isLarge = count(item) > Self.manyRequests && path.count < 8
    for inner in item[member: "item"]?.items ?? [] {
      if inner[member: "item"]?.kind == .list {
        if isLarge {
          read(folder: inner, path: path, context)
        } else {
          read(items: inner, names: [], context, into: &file)
        }
      } else {
        read(request: inner, names: [], context, into: &file)
      }
    }
    if !file.requests.isEmpty || !file.untranslated.isEmpty { files.append(file) }
  }

  /// Reads an inner folder, whose name is part of those of its requests.
  private mutating func read(
    items item: JSONNode, names: [String], _ context: PostmanContext, into file: inout ImportedFile
  ) {
    guard names.count < Self.depthLimit else {
      file.untranslated.append(Untranslated(reason: "folders nested too deeply", source: item.text("name") ?? ""))
      return
    }
    var context = context
    file.untranslated += context.enter(item)
    let names = names + [item.text("name")?.trimmed ?? ""].filter { !$0.isEmpty }
    for inner in item[member: "item"]?.items ?? [] {
      if inner[member: "item"]?.kind == .list {
        read(items: inner, names: names, context, into: &file)
      } else {
        read(request: inner, names: names, context, into: &file)
      }
    }
  }

  private func count(_ item: JSONNode) -> Int {
    var waiting = item[member: "item"]?.items ?? []
    var count = 0
    while let next = waiting.popLast() {
      if let inner = next[member: "item"], inner.kind == .list { waiting += inner.items } else { count += 1 }
    }
    return count
  }

  private mutating func read(
    request item: JSONNode, names: [String], _ context: PostmanContext, into file: inout ImportedFile
  ) {
    guard let node = item[member: "request"], node.kind == .mapping || node.kind == .text else {
      file.untranslated.append(
        Untranslated(reason: "items without a request", source: item.text("name") ?? String(item.text.prefix(80))))
      return
    }
    let ownName = item.text("name")?.trimmed ?? ""
    let title = (names + [ownName]).filter { !$0.isEmpty }.joined(separator: " / ")
    var request = PostmanRequest.read(item, name: title, in: context, lacksScheme: lacksScheme)
    let lacksHost = request.url.hasPrefix("http:///") || request.url.hasPrefix("https:///")
    if request.url.isEmpty || lacksHost {
      file.untranslated.append(Untranslated(reason: "requests without a URL", source: title))
      return
    }
    let own = effects(of: item, in: context)
    request.headers += context.effects.headers + own.headers
    var expectations = context.effects.expectations
    expectations.add(own.expectations)
    for (key, value) in expectations.expect { request.expect.set(key, value) }
    request.captures = context.effects.captures
    for (key, value) in own.captures { request.captures.set(key, value) }
    request.untranslated += own.untranslated
    let uses = variableUses(in: item.text.utf8)
    let shared = context.effects.variables.filter { one in !own.variables.contains { $0.name == one.name } }
    for variable in shared where uses[variable.name] != nil {
      place(variable, inFile: !variable.isMadeAnew, &request, &file)
    }
    for variable in own.variables {
      let (here, everywhere) = (uses[variable.name] ?? 0, self.uses[variable.name] ?? 0)
      if everywhere > 0 { place(variable, inFile: everywhere > here, &request, &file) }
    }
    for (name, variable) in current.sorted(by: { $0.key < $1.key })
    where uses[name] != nil && !request.variables.contains(where: { $0.name == name }) {
      request.variables.append(variable)
    }
    file.requests.append(request)
  }

  private func effects(of item: JSONNode, in context: PostmanContext) -> ScriptEffects {
    var effects = ScriptEffects()
    // What outer scripts expect holds for conditions of inner ones.
    effects.expectations = context.effects.expectations
    effects.read(item, isShared: false)
    return effects
  }

  /// Gives a value that a script sets to the request, or to the file where others read it, too.
  private mutating func place(
    _ variable: ImportedVariable, inFile: Bool, _ request: inout ImportedRequest, _ file: inout ImportedFile
  ) {
    let name = variable.name
    let declared = source[member: "variable"]?.items.last { $0.text("key") == name }?.text("value")
    if (file.requests + [request]).contains(where: { $0.captures.contains { $0.key == name } }) {
      request.remark("variables that are also captured", "\(name) = \(variable.source)")
    } else if inFile, let declared, !declared.isEmpty, declared != variable.source, !variable.isMadeAnew {
      // Its requests so far have the collection's value.
      request.variables.append(variable)
      current[name] = variable
    } else if inFile, declared == variable.source {
      if current[name] != nil { request.variables.append(variable) }
      current[name] = nil
    } else if !inFile || file.variables.contains(where: { $0.name == name && $0.source != variable.source }) {
      request.variables.append(variable)
    } else if !file.variables.contains(where: { $0.name == name }) {
      file.variables.append(variable)
    }
  }
}

extension ImportedVariable {
  fileprivate var source: String {
    switch value {
    case .text(let text): text.source
    case .node(let node): if case .scalar(let scalar) = node.content { scalar.text } else { "" }
    default: "…"
    }
  }

  /// Indicates that each evaluation makes another value.
  fileprivate var isMadeAnew: Bool {
    guard case .text(let text) = value else { return false }
    return text.parts.contains { if case .expression = $0 { true } else { false } }
  }
}

/// The number of places that read each variable: `{{name}}`, and `get("name")` in scripts.
private func variableUses(in text: some Sequence<UInt8>) -> [String: Int] {
  var uses: [String: Int] = [:]
  let bytes = Array(text)
  var index = 0
  while index + 4 < bytes.count {
    var start: Int?
    if bytes[index] == UInt8(ascii: "{"), bytes[index + 1] == UInt8(ascii: "{") {
      start = index + 2
    } else if bytes[index...].prefix(4).elementsEqual("get(".utf8) {
      start = index + 4
    }
    guard let start else {
      index += 1
      continue
    }
    let rest = bytes[start...].prefix(200).drop { [0x20, 0x22, 0x27, 0x5C, 0x60].contains($0) }
    let name = rest.prefix { ![0x22, 0x27, 0x29, 0x5C, 0x60, 0x7B, 0x7D].contains($0) }
    uses[String(decoding: name, as: UTF8.self).trimmed, default: 0] += 1
    index = start
  }
  return uses
}
