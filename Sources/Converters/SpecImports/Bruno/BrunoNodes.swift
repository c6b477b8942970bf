import YAMLNodes

/// The files of Bruno in YAML (OpenCollection), and collections that Bruno exports as JSON.
extension YAMLNode {
  subscript(_ name: String) -> YAMLNode? { members?.last { $0.key == name }?.value }

  /// The text of a scalar, or of a mapping's `content` or `data`; empty for anything else.
  fileprivate var plain: String {
    if let scalar {
      if case .null = scalar.meaning { return "" }
      return scalar.text
    }
    return self["content"]?.plain ?? self["data"]?.plain ?? ""
  }

  fileprivate func plain(_ name: String) -> String { self[name]?.plain ?? "" }
  fileprivate func isTrue(_ name: String) -> Bool { plain(name) == "true" }

  /// The scalars of a mapping, and of mappings within.
  fileprivate func scalars(depth: Int = 3) -> [(name: String, value: String)] {
    (members ?? []).flatMap { member in
      if member.value.scalar != nil { return [(name: member.key, value: member.value.plain)] }
      return depth > 0 ? member.value.scalars(depth: depth - 1) : []
    }
  }

  fileprivate var pairs: [BrunoPair] {
    (items ?? []).map { item in
      var pair = BrunoPair(name: item.plain("name"), value: item.plain("value"))
      pair.isEnabled = !item.isTrue("disabled") && item.plain("enabled") != "false"
      pair.isSecret = item.isTrue("secret")
      let type = item["value"]?.plain("type") ?? ""
      pair.isJSON = ["number", "boolean"].contains(type.isEmpty ? item.plain("dataType") : type)
      if !item.plain("contentType").isEmpty { pair.contentType = item.plain("contentType") }
      if item.plain("type") == "file" {
        pair.isFile = true
        pair.value = item["value"]?.items?.map(\.plain).joined(separator: "|") ?? pair.value
      }
      if item["filePath"] != nil {
        pair.isFile = true
        pair.value = item.plain("filePath")
        pair.isEnabled = item.plain("selected") != "false"
      }
      return pair
    }
  }

  /// Credentials: a mapping with a type or a mode, or `inherit`.
  fileprivate var auth: BrunoAuth {
    if scalar != nil { return BrunoAuth(mode: plain.isEmpty ? "none" : plain, []) }
    var mode = plain("type")
    if mode.isEmpty { mode = plain("mode") }
    // Exported collections have the values of all modes.
    let own = self["mode"] == nil ? self : self[mode]
    return BrunoAuth(mode: mode.isEmpty ? "none" : mode, own?.scalars() ?? [])
  }
}

// MARK: YAML

extension BrunoScope {
  /// - Parameters:
  ///   - node: the part that has headers and credentials.
  ///   - runtime: the part that has variables and scripts.
  fileprivate init(info: YAMLNode?, _ node: YAMLNode?, runtime: YAMLNode?, docs: YAMLNode?) {
    name = info?["name"]?.plain
    order = info.flatMap { Int($0.plain("seq")) }
    headers = node?["headers"]?.pairs ?? []
    auth = (node?["auth"] ?? runtime?["auth"])?.auth
    variables = runtime?["variables"]?.pairs ?? []
    for action in runtime?["actions"]?.items ?? []
    where action.plain("type") == "set-variable" && action.plain("phase") == "after-response" {
      captures.append(
        BrunoPair(
          name: action["variable"]?.plain("name") ?? "", value: action["selector"]?.plain("expression") ?? "",
          isEnabled: !action.isTrue("disabled")))
    }
    for script in runtime?["scripts"]?.items ?? [] {
      switch script.plain("type") {
      case "before-request": scriptBefore = script.plain("code")
      case "after-response": scriptAfter = script.plain("code")
      case "tests": tests = script.plain("code")
      default: break
      }
    }
    self.docs = docs?.plain ?? ""
  }

  /// The scope of `opencollection.yml` or `folder.yml`.
  init(yaml node: YAMLNode) {
    self.init(info: node["info"], node["request"], runtime: node["request"], docs: node["docs"])
  }
}

extension BrunoRequest {
  /// A request of the YAML form; nil for another file.
  init?(yaml node: YAMLNode) {
    guard let info = node["info"] else { return nil }
    let kinds = ["http", "graphql", "grpc", "websocket"]
    guard let kind = kinds.first(where: { node[$0] != nil }), let own = node[kind] else { return nil }
    self.init()
    scope = BrunoScope(info: info, own, runtime: node["runtime"], docs: node["docs"])
    self.kind = kind
    tags = info["tags"]?.items?.map(\.plain) ?? []
    method = own.plain("method").isEmpty ? (kind == "graphql" ? "POST" : "GET") : own.plain("method")
    url = own.plain("url")
    read(parameters: own["params"]?.items)
    if let body = own["body"] {
      let mode = body.plain("type").isEmpty ? body.plain("mode") : body.plain("type")
      self.body = kind == "graphql" ? BrunoBody(mode: "graphql") : BrunoBody(mode: mode)
      self.body.text = kind == "graphql" ? body.plain("query") : (body["data"] ?? body[mode])?.plain ?? ""
      self.body.variables = body.plain("variables")
      self.body.pairs = body["data"]?.pairs ?? []
    }
    for assertion in node["runtime"]?["assertions"]?.items ?? [] {
      assertions.append(
        BrunoPair(
          name: assertion.plain("expression"),
          value: "\(assertion.plain("operator")) \(assertion.plain("value"))".trimmed,
          isEnabled: !assertion.isTrue("disabled")))
    }
    for member in node["settings"]?.members ?? [] { settings[member.key] = member.value.plain }
  }
}

extension BrunoEnvironment {
  /// An environment of the YAML form, or of an exported collection; nil for another mapping.
  init?(_ node: YAMLNode) {
    guard let list = node["variables"], list.items != nil, node["info"] == nil, let name = node["name"] else {
      return nil
    }
    self.init(name: name.plain, variables: list.pairs)
  }
}

// MARK: JSON

extension BrunoScope {
  /// The root of an exported collection or folder.
  init(exported node: YAMLNode?, name: String) {
    let request = node?["request"]
    self.init()
    let own = node?["meta"]?.plain("name") ?? ""
    self.name = own.isEmpty ? name : own
    order = node?["meta"].flatMap { Int($0.plain("seq")) }
    read(exported: request)
    docs = node?.plain("docs") ?? ""
  }

  fileprivate mutating func read(exported request: YAMLNode?) {
    headers = request?["headers"]?.pairs ?? []
    auth = request?["auth"]?.auth
    variables = request?["vars"]?["req"]?.pairs ?? []
    captures = request?["vars"]?["res"]?.pairs ?? []
    scriptBefore = request?["script"]?.plain("req") ?? ""
    scriptAfter = request?["script"]?.plain("res") ?? ""
    tests = request?.plain("tests") ?? ""
    docs = request?.plain("docs") ?? ""
  }
}

extension BrunoRequest {
  /// A request of an exported collection; nil without one.
  init?(exported item: YAMLNode) {
    guard let request = item["request"] else { return nil }
    self.init()
    scope.read(exported: request)
    scope.name = item.plain("name")
    scope.order = Int(item.plain("seq"))
    kind = item.plain("type")
    method = request.plain("method").isEmpty ? "GET" : request.plain("method")
    url = request.plain("url")
    tags = item["tags"]?.items?.map(\.plain) ?? []
    read(parameters: request["params"]?.items ?? request["query"]?.items)
    assertions = request["assertions"]?.pairs ?? []
    for member in item["settings"]?.members ?? [] { settings[member.key] = member.value.plain }
    guard let body = request["body"] else { return }
    let mode = body.plain("mode")
    self.body = BrunoBody(mode: mode)
    self.body.pairs = body[mode]?.pairs ?? []
    self.body.text = mode == "graphql" ? body["graphql"]?.plain("query") ?? "" : body.plain(mode)
    self.body.variables = body["graphql"]?.plain("variables") ?? ""
  }

  private mutating func read(parameters: [YAMLNode]?) {
    for node in parameters ?? [] {
      let pairs = YAMLNode.list([node]).pairs
      if node.plain("type") == "path" { path += pairs } else { query += pairs }
    }
  }
}
