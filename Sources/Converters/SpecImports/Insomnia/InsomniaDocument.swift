import DocumentQueries

/// A folder or a request of Insomnia, whatever the version of the document.
struct InsomniaItem {
  let node: JSONNode
  /// Nil for a request.
  var children: [InsomniaItem]?
  /// The messages of a WebSocket, as they are kept beside it.
  var payloads: [JSONNode] = []

  var name: String { node.text("name")?.trimmed ?? "" }
  /// Indicates whether it opens a WebSocket.
  var isWebSocket: Bool { node.text("_type") == "websocket_request" || id?.hasPrefix("ws-req_") ?? false }
  var id: String? { node.text("_id") ?? node[member: "meta"]?.text("id") }
  var description: String? { node.descriptionText ?? node[member: "meta"]?.descriptionText }
  var sortKey: Double {
    Double(node.text("metaSortKey") ?? node[member: "meta"]?.text("sortKey") ?? "") ?? 0
  }
}

/// A workspace of Insomnia.
struct InsomniaWorkspace {
  var name: String
  var description: String?
  var items: [InsomniaItem] = []
  /// The base environment, and those below it.
  var environment: JSONNode?
  var environments: [JSONNode] = []
  /// Tests of requests, with the requests' IDs.
  var tests: [(request: String, code: String)] = []
  var untranslated: [Untranslated] = []
}

/// A document of Insomnia: an export of version 4, or a file of version 5.
struct InsomniaDocument {
  private(set) var workspaces: [InsomniaWorkspace] = []
  private static let depthLimit = 60

  /// Returns whether a document is Insomnia's.
  static func isKnown(_ root: JSONNode) -> Bool {
    root.text("_type") == "export" && root[member: "resources"] != nil
      || root.text("type")?.contains(".insomnia.rest/5") ?? false
  }

  init(_ root: JSONNode) {
    if root[member: "resources"] != nil { readResources(root) } else { readFile(root) }
  }

  // MARK: Version 5

  private mutating func readFile(_ root: JSONNode) {
    var workspace = InsomniaWorkspace(name: root.text("name") ?? "", description: root[member: "meta"]?.descriptionText)
    workspace.items = items(root[member: "collection"], depth: 0, &workspace)
    for base in root[member: "environments"].map({ $0.kind == .list ? $0.items : [$0] }) ?? [] {
      workspace.environment = workspace.environment ?? base
      workspace.environments += base[member: "subEnvironments"]?.items ?? []
    }
    for suite in root[member: "testSuites"]?.items ?? [] {
      for test in suite[member: "tests"]?.items ?? [] { workspace.add(test) }
    }
    if let spec = root[member: "spec"], spec.count > 0 {
      workspace.untranslated.remark("API documents", "spec")
    }
    workspaces = [workspace]
  }

  private func items(_ list: JSONNode?, depth: Int, _ workspace: inout InsomniaWorkspace) -> [InsomniaItem] {
    var result: [InsomniaItem] = []
    for node in list?.items ?? [] {
      if let children = node[member: "children"] {
        guard depth < Self.depthLimit else {
          workspace.untranslated.remark("folders nested too deeply", node.text("name") ?? "")
          continue
        }
        result.append(InsomniaItem(node: node, children: items(children, depth: depth + 1, &workspace)))
      } else if node[member: "url"] != nil, node[member: "method"] != nil || InsomniaItem(node: node).isWebSocket {
        result.append(InsomniaItem(node: node, payloads: node[member: "payloads"]?.items ?? []))
      } else {
        workspace.untranslated.remark("kinds of requests", node.text("name") ?? "")
      }
    }
    return result.inOrder
  }

  // MARK: Version 4

  private mutating func readResources(_ root: JSONNode) {
    let resources = root[member: "resources"]?.items ?? []
    let known = Set(resources.compactMap { $0.text("_id") })
    var children: [String: [JSONNode]] = [:]
    var roots: [JSONNode] = []
    var loose: [JSONNode] = []
    for node in resources {
      let type = node.text("_type")
      if type == "workspace" {
        roots.append(node)
      } else if let parent = node.text("parentId"), known.contains(parent) {
        children[parent, default: []].append(node)
      } else if ["request", "request_group", "websocket_request"].contains(type) {
        loose.append(node)
      }
    }
    var seen: Set<String> = []
    for node in roots {
      var workspace = InsomniaWorkspace(name: node.text("name") ?? "", description: node.descriptionText)
      workspace.items = items(children[node.text("_id") ?? ""] ?? [], children, depth: 0, &seen, &workspace)
      workspaces.append(workspace)
    }
    if workspaces.isEmpty { workspaces.append(InsomniaWorkspace(name: "")) }
    // Folders in a circle have no way from a workspace.
    loose += resources.filter { $0.text("_type") == "request" && !($0.text("_id").map(seen.contains) ?? false) }
    workspaces[0].items += items(loose, children, depth: 0, &seen, &workspaces[0])
  }

  private func items(
    _ nodes: [JSONNode], _ children: [String: [JSONNode]], depth: Int, _ seen: inout Set<String>,
    _ workspace: inout InsomniaWorkspace
  ) -> [InsomniaItem] {
    var result: [InsomniaItem] = []
    for node in nodes {
      let id = node.text("_id") ?? ""
      guard id.isEmpty || seen.insert(id).inserted, depth < Self.depthLimit else { continue }
      switch node.text("_type") {
      case "request": result.append(InsomniaItem(node: node))
      case "request_group":
        let inner = items(children[id] ?? [], children, depth: depth + 1, &seen, &workspace)
        result.append(InsomniaItem(node: node, children: inner))
      case "environment" where depth == 0:
        workspace.environment = workspace.environment ?? node
        workspace.environments += (children[id] ?? []).filter { $0.text("_type") == "environment" }
      case "unit_test_suite": for test in children[id] ?? [] { workspace.add(test) }
      case "api_spec":
        if node.text("contents")?.isEmpty == false {
          workspace.untranslated.remark("API documents", node.text("fileName") ?? "api_spec")
        }
      case "websocket_request":
        let payloads = (children[id] ?? []).filter { $0.text("_type") == "websocket_payload" }
        result.append(InsomniaItem(node: node, payloads: payloads))
      case "grpc_request", "socketio_request":
        workspace.untranslated.remark("kinds of requests", node.text("name") ?? "")
      default: break
      }
    }
    return result.inOrder
  }
}

extension InsomniaWorkspace {
  fileprivate mutating func add(_ test: JSONNode) {
    guard let code = test.text("code") else { return }
    if let request = test.text("requestId") {
      tests.append((request, code))
    } else {
      untranslated.remark("tests without a request", code)
    }
  }
}

extension [InsomniaItem] {
  fileprivate var inOrder: [InsomniaItem] {
    enumerated().sorted { ($0.element.sortKey, $0.offset) < ($1.element.sortKey, $1.offset) }.map(\.element)
  }
}
