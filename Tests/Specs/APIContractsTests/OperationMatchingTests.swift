import APIContracts
import TestSupport
import Testing

@Suite("Operations of requests")
struct OperationMatchingTests {
  private static let paths = """
    openapi: 3.0.3
    info: {title: T, version: "1"}
    paths:
      /users: {get: {}, post: {}}
      /users/me: {get: {}}
      /users/{id}: {get: {}, delete: {}}
      /users/{id}/posts/{post}: {get: {}}
      /users/{name}.json: {get: {}}
      /users/{id}:archive: {post: {}}
      /{kind}/me: {get: {}}
      /files/{name}.{ending}: {get: {}}
      /files/report.pdf: {get: {}}
      /a%20b/{x}: {get: {}}
      /trailing/: {get: {}}
      /: {get: {}}
    """

  @Test(
    "Concrete paths are matched before templated ones",
    arguments: [
      ("GET", "/users", "GET /users"), ("POST", "/users", "POST /users"), ("GET", "/users/me", "GET /users/me"),
      ("GET", "/users/7", "GET /users/{id}"), ("DELETE", "/users/me", "DELETE /users/{id}"),
      ("GET", "/users/7/posts/8", "GET /users/{id}/posts/{post}"), ("GET", "/users/ann.json", "GET /users/{name}.json"),
      ("POST", "/users/7:archive", "POST /users/{id}:archive"), ("GET", "/groups/me", "GET /{kind}/me"),
      ("GET", "/files/a.tar.gz", "GET /files/{name}.{ending}"), ("GET", "/files/report.pdf", "GET /files/report.pdf"),
      ("GET", "/a%20b/c", "GET /a%20b/{x}"), ("GET", "/%75sers", "GET /users"), ("GET", "/", "GET /"),
      ("GET", "/trailing/", "GET /trailing/"), ("PUT", "/users", "/users takes GET, POST"),
      ("GET", "/trailing", "none"),
      ("GET", "/users/", "none"), ("GET", "/users/7/posts", "none"), ("GET", "//users", "none"),
      ("get", "/users", "/users takes GET, POST"),
    ])
  func precedence(method: String, path: String, expected: String) throws {
    #expect(description(try contract(OperationMatchingTests.paths).match(method: method, path: path)) == expected)
  }

  @Test(
    "Values of the path are those of the template's names",
    arguments: [
      ("/users/7/posts/8", ["id": "7", "post": "8"]), ("/files/a.b.gz", ["name": "a", "ending": "b.gz"]),
      ("/users/a%2Fb", ["id": "a%2Fb"]),
    ])
  func values(path: String, expected: [String: String]) throws {
    guard case .operation(_, let values) = try contract(OperationMatchingTests.paths).match(method: "GET", path: path)
    else {
      Issue.record("no operation")
      return
    }
    #expect(values == expected)
  }

  @Test(
    "Base paths of servers are taken off, whatever the host",
    arguments: [
      ("[{url: https://api.example.com/v1}]", "/v1/users", "GET /users"),
      ("[{url: https://api.example.com/v1/}]", "/v1/users", "GET /users"),
      ("[{url: /v1}]", "/v1/users", "GET /users"), ("[{url: v1}]", "/v1/users", "GET /users"),
      ("[{url: ./}]", "/users", "GET /users"), ("[{url: //api.example.com/v1}]", "/v1/users", "GET /users"),
      ("[{url: https://a/v1}]", "/users", "GET /users"), ("[{url: https://a/v1}]", "/v2/users", "none"),
      ("[{url: https://a/v1}, {url: https://b/v2}]", "/v2/users", "GET /users"),
      (
        "[{url: 'https://{host}/{base}', variables: {host: {default: a}, base: {default: v1}}}]", "/v3/users",
        "GET /users"
      ),
      ("[{url: 'https://a/{base}', variables: {base: {default: api/v1}}}]", "/api/v1/users", "GET /users"),
      ("[{url: 'https://a/{base}', variables: {base: {default: v1, enum: [v1, v2]}}}]", "/v2/users", "GET /users"),
      ("[{url: 'https://a/{base}', variables: {base: {default: v1, enum: [v1, v2]}}}]", "/v3/users", "none"),
      ("[{url: 'https://a/v{major}', variables: {major: {default: 1, enum: [1, 2]}}}]", "/v2/users", "GET /users"),
      ("[{url: '{scheme}://a/v1', variables: {scheme: {default: https}}}]", "/v1/users", "GET /users"),
      ("[{url: '{origin}/v1', variables: {origin: {default: 'https://a'}}}]", "/v1/users", "GET /users"),
      ("[]", "/users", "GET /users"),
    ])
  func servers(servers: String, path: String, expected: String) throws {
    let contract = try contract(
      "openapi: 3.0.3\ninfo: {}\nservers: \(servers)\npaths:\n  /users: {get: {}}\n")
    #expect(description(contract.match(method: "GET", path: path)) == expected)
  }

  @Test("Servers of a path and of an operation win over the document's")
  func nearerServers() throws {
    let contract = try contract(
      """
      openapi: 3.1.0
      info: {}
      servers: [{url: /v1}]
      paths:
        /a: {get: {}, post: {servers: [{url: /v3}]}}
        /b: {servers: [{url: /v2}], get: {}}
      """)
    #expect(description(contract.match(method: "GET", path: "/v1/a")) == "GET /a")
    #expect(description(contract.match(method: "POST", path: "/v3/a")) == "POST /a")
    #expect(description(contract.match(method: "GET", path: "/v2/b")) == "GET /b")
    #expect(description(contract.match(method: "GET", path: "/v1/b")) == "none")
  }

  @Test(
    "A concrete path counts before a templated one, whatever the servers of either",
    arguments: [
      ("/files/content", "GET /files/content"), ("/upload/files/content", "GET /files/content"),
      ("/v1/files/content", "GET /files/{id}"), ("/v1/files/7", "GET /files/{id}"), ("/files/7", "GET /files/{id}"),
      ("/files/text", "GET /files/text"), ("/big/files/text", "GET /files/text"),
    ])
  func concreteAcrossServers(path: String, expected: String) throws {
    let contract = try contract(
      """
      openapi: 3.1.0
      servers: [{url: 'https://api.example.com/v1'}, {url: /}]
      paths:
        /files/{id}: {get: {}}
        /files/content: {servers: [{url: 'https://up.example.com/upload'}], get: {}}
        /files/text: {get: {servers: [{url: /big}]}}
      """)
    let found = description(contract.match(method: "GET", path: path))
    // What stands below the other servers is that path, by the document's letter.
    #expect(found == expected)
  }

  @Test(
    "A query in a path must be there, and tells operations apart",
    arguments: [
      ("Action=List", "GET /?Action=List"), ("Action=Get&x=1", "GET /?Action=Get"), ("Action=Put", "GET /"),
      ("a=b&acl", "GET /?acl"), ("", "GET /"), ("Action=L%69st", "GET /?Action=List"),
    ])
  func queries(query: String, expected: String) throws {
    let contract = try contract(
      "openapi: 3.0.3\npaths: {'/': {get: {}}, '/?Action=List': {get: {}}, '/?Action=Get': {get: {}}, '/?acl': {get: {}}}"
    )
    #expect(description(contract.match(method: "GET", path: "/", query: query)) == expected)
    #expect(contract.warnings.isEmpty)
  }

  @Test(
    "Operations that cannot be distinguished have a warning",
    arguments: [
      ("'/a#x': {get: {}}", []), ("/a: {get: {}}, '/a#x': {put: {}}", []),
      (
        "/a: {get: {}}, '/a#x': {get: {}}, '/a#y': {get: {}}",
        ["GET /a#x and 1 other operation cannot be distinguished from GET /a: method and path are the same"]
      ),
      (
        "'/u/{id}': {get: {}}, '/u/{name}': {get: {}}",
        ["GET /u/{name} cannot be distinguished from GET /u/{id}: method and path are the same"]
      ),
      ("'/u/{id}': {get: {}}, '/u/{name}': {servers: [{url: /v2}], get: {}}", []),
    ] as [(String, [String])])
  func hidden(paths: String, expected: [String]) throws {
    let contract = try contract("openapi: 3.0.3\npaths: {\(paths)}")
    #expect(contract.warnings.map(\.message) == expected)
  }

  @Test("Many templates of one shape are tried in linear time")
  func manyTemplates() throws {
    let depth = 12
    let growth = try growth(to: 2_000) { count in
      var text = "openapi: 3.0.3\ninfo: {}\npaths:\n"
      for number in 0..<count {
        text += "  /" + (0..<depth).map { "{p\(number)_\($0)}" }.joined(separator: "/") + "/end\(number): {get: {}}\n"
      }
      let contract = try contract(text)
      #expect(
        description(contract.match(method: "GET", path: "/" + String(repeating: "x/", count: depth) + "no")) == "none")
    }
    #expect(growth < 1.5)
  }

  private func description(_ match: APIContract.Match) -> String {
    switch match {
    case .operation(let operation, _): operation.label
    case .otherMethods(let path): "\(path.text) takes \(path.methods)"
    case .none: "none"
    }
  }
}
