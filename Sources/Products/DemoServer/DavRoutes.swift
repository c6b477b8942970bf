import LocalServer
import HTTPSemantics
import Values

/// WebDAV (RFC 4918) without locks and without dead properties.
let davRoutes: [Route] = [
  Route("GET", "/dav/{path…}", "A file of the WebDAV tree, with its ETag") { call in
    withResource(call) { _, _, resource in
      guard case .file(let file) = resource else { return .problem(403, "a collection has no content; try PROPFIND") }
      return (precondition(call.request, entityTag: file.entityTag) ?? .bytes(file.bytes, type: file.type))
        .with("ETag", file.entityTag)
    }
  },
  Route("PUT", "/dav/{path…}", "Stores a file, in a collection that is there") { put($0) },
  Route("DELETE", "/dav/{path…}", "Removes a file, or a collection with all that is in it") { call in
    withResource(call) { tree, path, _ in
      if path.isEmpty { return .problem(403, "the root stays") }
      tree.remove(path)
      return ServerResponse(status: 204)
    }
  },
  Route("MKCOL", "/dav/{path…}", "Makes a collection, in one that is there") { makeCollection($0) },
  Route("COPY MOVE", "/dav/{path…}", "Copies or moves to Destination, heeds Overwrite and, for COPY, Depth") { call in
    transfer(call)
  },
  Route("PROPFIND", "/dav/{path…}", "All properties of a resource, with Depth: 1 of its members too") {
    properties($0)
  },
]

/// The path of a resource in the tree.
private func normalized(_ path: String) -> String {
  path.split(separator: "/").joined(separator: "/")
}

private func withResource(
  _ call: RouteCall, _ body: (inout DavTree, String, DavTree.Resource) -> ServerResponse
) -> ServerResponse {
  let path = normalized(call["path"])
  return call.state.withContents { contents in
    guard let resource = contents.dav[path] else { return .problem(404, "there is no /dav/\(path)") }
    return body(&contents.dav, path, resource)
  }
}

private func put(_ call: RouteCall) -> ServerResponse {
  let path = normalized(call["path"])
  let request = call.request
  return call.state.withContents { contents in
    guard path.utf8.count <= DavTree.pathLimit else { return pathTooLong }
    guard contents.dav.hasCollection(above: path) else { return missingParent(of: path) }
    var isNew = true
    switch contents.dav[path] {
    case .collection?: return .problem(405, "/dav/\(path) is a collection")
    case .file(let file)?:
      if let refusal = precondition(request, entityTag: file.entityTag) { return refusal }
      isNew = false
    case nil:
      if request.header("If-Match") != nil { return .problem(412, "there is no /dav/\(path) yet") }
    }
    guard contents.dav.size + request.body.count <= DavTree.limit, contents.dav.count < DavTree.countLimit else {
      return full
    }
    contents.dav.put(
      request.body, type: String((request.header("Content-Type") ?? "application/octet-stream").prefix(200)), at: path)
    guard case .file(let file)? = contents.dav[path] else { return full }
    return ServerResponse(status: isNew ? 201 : 204).with("ETag", file.entityTag)
  }
}

private func makeCollection(_ call: RouteCall) -> ServerResponse {
  let path = normalized(call["path"])
  guard call.request.body.isEmpty else { return .problem(415, "MKCOL takes no body here") }
  return call.state.withContents { contents in
    guard path.utf8.count <= DavTree.pathLimit else { return pathTooLong }
    guard contents.dav[path] == nil else { return .problem(405, "there is a /dav/\(path) already") }
    guard contents.dav.hasCollection(above: path) else { return missingParent(of: path) }
    guard contents.dav.count < DavTree.countLimit else { return full }
    contents.dav.makeCollection(path)
    return ServerResponse(status: 201)
  }
}

private func transfer(_ call: RouteCall) -> ServerResponse {
  let request = call.request
  guard let destination = destination(of: request) else {
    return .problem(400, "\(request.method) needs a Destination below \(request.baseURL)/dav/")
  }
  let overwrites = request.header("Overwrite")?.uppercased() != "F"
  return withResource(call) { tree, source, _ in
    guard destination != source, !destination.hasPrefix(source.isEmpty ? "" : source + "/") else {
      return .problem(403, "the destination is the source, or within it")
    }
    guard !source.hasPrefix(destination + "/"), !destination.isEmpty else {
      return .problem(403, "the source is within the destination")
    }
    let longest = tree.paths(under: source).map(\.utf8.count).max() ?? 0
    guard destination.utf8.count + longest - source.utf8.count <= DavTree.pathLimit else { return pathTooLong }
    guard tree.hasCollection(above: destination) else { return missingParent(of: destination) }
    let isNew = tree[destination] == nil
    guard isNew || overwrites else { return .problem(412, "there is a /dav/\(destination), and Overwrite is F") }
    guard tree.size <= DavTree.limit / 2, tree.count <= DavTree.countLimit / 2 else { return full }
    tree.copy(source, to: destination, deep: request.method == "MOVE" || request.header("Depth") != "0")
    if request.method == "MOVE" { tree.remove(source) }
    return ServerResponse(status: isNew ? 201 : 204)
  }
}

/// The path in `Destination`, a URL of this server or a path; nil for another server.
private func destination(of request: ServerRequest) -> String? {
  guard var target = request.header("Destination") else { return nil }
  if target.hasPrefix(request.baseURL + "/") { target.removeFirst(request.baseURL.count) }
  guard target.hasPrefix("/dav/") else { return nil }
  return normalized(percentDecoded(target.dropFirst(5)))
}

private func properties(_ call: RouteCall) -> ServerResponse {
  let depth = call.request.header("Depth") ?? "infinity"
  guard depth == "0" || depth == "1" else {
    return .text(
      #"<?xml version="1.0"?><D:error xmlns:D="DAV:"><D:propfind-finite-depth/></D:error>"#, type: "application/xml",
      status: 403)
  }
  return withResource(call) { tree, path, _ in
    var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:multistatus xmlns:D=\"DAV:\">\n"
    for path in [path] + (depth == "1" ? tree.members(of: path) : []) {
      guard let resource = tree[path] else { continue }
      text += response(of: path, resource)
    }
    return .text(text + "</D:multistatus>\n", type: "application/xml; charset=utf-8", status: 207)
  }
}

private func response(of path: String, _ resource: DavTree.Resource) -> String {
  let names = path.split(separator: "/").map { percentEncoded(String($0), allowed: .unreserved) }
  var href = (["", "dav"] + names).joined(separator: "/")
  let properties: String
  switch resource {
  case .collection:
    href += "/"
    properties = "<D:resourcetype><D:collection/></D:resourcetype>"
  case .file(let file):
    properties = """
      <D:resourcetype/><D:getcontentlength>\(file.bytes.count)</D:getcontentlength>\
      <D:getcontenttype>\(escaped(file.type))</D:getcontenttype><D:getetag>\(escaped(file.entityTag))</D:getetag>
      """
  }
  let name = path.split(separator: "/").last.map(String.init) ?? "dav"
  return """
    <D:response><D:href>\(href)</D:href><D:propstat><D:prop>\
    <D:displayname>\(escaped(name))</D:displayname>\(properties)\
    </D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>

    """
}

private func escaped(_ text: String) -> String {
  text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
}

private func missingParent(of path: String) -> ServerResponse {
  .problem(409, "there is no collection /dav/\(DavTree.parent(of: path)); MKCOL makes one")
}

private let pathTooLong = ServerResponse.problem(414, "a path has at most \(DavTree.pathLimit) bytes")

private let full = ServerResponse.problem(507, "the WebDAV tree is full")
