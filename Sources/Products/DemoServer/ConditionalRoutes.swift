import LocalServer
import Values

/// Caching, conditions, and custom headers.
let conditionalRoutes: [Route] = [
  Route("GET", "/cache", "200 with validators; 304 to If-None-Match or If-Modified-Since") { call in
    let request = call.request
    guard request.header("If-None-Match") == nil, request.header("If-Modified-Since") == nil else {
      return ServerResponse(status: 304, headers: cacheValidators)
    }
    return cacheValidators.reduce(.json(echo(request, ["args", "headers"]))) { $0.with($1.name, $1.value) }
  },
  Route("GET", "/cache/{n}", "Cache-Control: public, max-age=n") { call in
    guard let seconds = call.integer("n", 0...Int(Int32.max)) else {
      return .problem(400, "the age is a number of seconds, not \"\(call["n"])\"")
    }
    return .json(echo(call.request, ["args", "headers"])).with("Cache-Control", "public, max-age=\(seconds)")
  },
  Route("GET", "/etag/{etag}", "That ETag; 304 to If-None-Match, 412 to another If-Match") { call in
    let tag = "\"\(call["etag"])\""
    let response = precondition(call.request, entityTag: tag) ?? .json(echo(call.request, ["args", "headers"]))
    return response.with("ETag", tag)
  },
  Route("GET POST", "/response-headers", "The query's pairs as response headers, and in the body") { call in
    let pairs = call.request.queryParameters
    let type = pairs.last { $0.name.lowercased() == "content-type" }?.value ?? "application/json"
    let others = pairs.filter { $0.name.lowercased() != "content-type" }
    // The body contains its own length, so it is repeated until that is right.
    var length = 0
    for _ in 0..<4 {
      let own = [(name: "Content-Length", value: String(length)), (name: "Content-Type", value: type)]
      let response = ServerResponse.json(.grouped(own + others), type: type)
      guard case .bytes(let bytes) = response.body, bytes.count != length else {
        return others.reduce(response) { $0.with($1.name, $1.value) }
      }
      length = bytes.count
    }
    return .problem(500, "the response's length could not be settled")
  },
]

private let cacheValidators: [(name: String, value: String)] = [
  ("ETag", "\"c0ffee\""), ("Last-Modified", "Wed, 01 May 2024 10:00:00 GMT"),
]

/// The response that If-Match and If-None-Match require (RFC 9110, section 13.2.2); nil to continue.
func precondition(_ request: ServerRequest, entityTag: String) -> ServerResponse? {
  func tags(_ name: String) -> [String]? {
    request.header(name)?.split(separator: ",").map { tag in
      let trimmed = tag.drop { $0 == " " }
      return String((trimmed.hasPrefix("W/") ? trimmed.dropFirst(2) : trimmed).filter { $0 != " " })
    }
  }
  if let wanted = tags("If-Match"), !wanted.contains(entityTag), !wanted.contains("*") {
    return .problem(412, "If-Match does not name the current ETag \(entityTag)")
  }
  if let known = tags("If-None-Match"), known.contains(entityTag) || known.contains("*") {
    return request.method == "GET" || request.method == "HEAD"
      ? ServerResponse(status: 304) : .problem(412, "If-None-Match names the current ETag \(entityTag)")
  }
  return nil
}
