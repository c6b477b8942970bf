/// A pair of a request of Bruno.
struct BrunoPair {
  var name: String
  var value: String
  var isEnabled = true
  /// The media type of a part.
  var contentType: String?
  /// Indicates that the value is the path of a file.
  var isFile = false
  /// Indicates that the value is a number or a boolean; an object is a text of JSON wherever it is read.
  var isJSON = false
  var isSecret = false
}

/// Credentials of Bruno; `inherit` and `none` are modes, too.
struct BrunoAuth {
  var mode: String
  /// The values by their names in lower case without `_`.
  var values: [String: String] = [:]

  init(mode: String, _ pairs: some Sequence<(name: String, value: String)>) {
    self.mode = mode
    for (name, value) in pairs { values[Self.key(name)] = value }
  }

  subscript(_ name: String) -> String? { values[Self.key(name)] }

  private static func key(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }
}

/// The parts that a collection, a folder and a request of Bruno have in common.
struct BrunoScope {
  var name: String?
  var order: Int?
  var headers: [BrunoPair] = []
  var auth: BrunoAuth?
  var variables: [BrunoPair] = []
  /// The variables that are set to parts of the response.
  var captures: [BrunoPair] = []
  var scriptBefore = ""
  var scriptAfter = ""
  var tests = ""
  var docs = ""
}

struct BrunoBody {
  /// The kind, such as `json` or `multipart-form`.
  var mode: String
  var text = ""
  /// The variables of GraphQL.
  var variables = ""
  var pairs: [BrunoPair] = []

  init(mode: String) {
    self.mode = ["formUrlEncoded": "form-urlencoded", "multipartForm": "multipart-form"][mode] ?? mode
  }
}

struct BrunoRequest {
  var scope = BrunoScope()
  /// `http`, `graphql`, `grpc`, `ws` …
  var kind = "http"
  var tags: [String] = []
  var method = "GET"
  var url = ""
  var path: [BrunoPair] = []
  var query: [BrunoPair] = []
  var body = BrunoBody(mode: "none")
  var assertions: [BrunoPair] = []
  var settings: [String: String] = [:]

  var isHTTP: Bool {
    !["grpc", "grpc-request", "ws", "websocket", "ws-request", "js", "script"].contains(kind)
  }
}

struct BrunoEnvironment {
  var name: String
  var variables: [BrunoPair] = []
}

// MARK: .bru

extension BrunoScope {
  init(_ document: BruDocument) {
    let meta = document.block("meta")
    name = meta?.value("name")
    order = meta?.value("seq").flatMap { Int($0) }
    headers = document.pairs("headers").map { BrunoPair($0) }
    variables = document.pairs("vars:pre-request").map { BrunoPair($0) }
    captures = document.pairs("vars:post-response").map { BrunoPair($0) }
    scriptBefore = document.text("script:pre-request") ?? ""
    scriptAfter = document.text("script:post-response") ?? ""
    tests = document.text("tests") ?? ""
    docs = document.text("docs") ?? ""
    if let mode = document.block("auth")?.value("mode") { auth = document.auth(mode) }
  }
}

extension BrunoPair {
  fileprivate init(_ pair: BruBlock.Pair) {
    self.init(name: pair.name, value: pair.value, isEnabled: pair.isEnabled)
    isJSON = pair.annotations.contains { ["number", "boolean"].contains($0) }
  }

  /// A part of a form or a file: `@file(a.png|b.png) @contentType(image/png)`.
  fileprivate init(part pair: BruBlock.Pair) {
    self.init(pair)
    if let type = value.firstRange(of: "@contentType("), value.hasSuffix(")") {
      contentType = String(value[type.upperBound...].dropLast()).trimmed
      value = String(value[..<type.lowerBound]).trimmed
    }
    if value.hasPrefix("@file("), value.hasSuffix(")") {
      isFile = true
      value = String(value.dropFirst("@file(".count).dropLast())
    }
  }
}

extension BruDocument {
  private static let methods: Set<String> = [
    "get", "post", "put", "delete", "patch", "options", "head", "connect", "trace", "http",
  ]

  /// Indicates that the file is a request.
  var isRequest: Bool { blocks.contains { Self.methods.contains($0.name) || $0.name == "grpc" || $0.name == "ws" } }

  fileprivate func auth(_ mode: String) -> BrunoAuth {
    let pairs = block("auth:\(mode)")?.pairs.filter(\.isEnabled) ?? []
    return BrunoAuth(mode: mode, pairs.map { ($0.name, $0.value) })
  }

  var request: BrunoRequest {
    var request = BrunoRequest()
    request.scope = BrunoScope(self)
    request.kind = block("meta")?.value("type") ?? "http"
    request.tags = block("meta")?.value("tags")?.split(separator: "\n").map(String.init) ?? []
    for block in blocks {
      if block.name == "grpc" || block.name == "ws" { request.kind = block.name }
      guard Self.methods.contains(block.name) else { continue }
      request.method = block.name == "http" ? block.value("method") ?? "GET" : block.name.uppercased()
      request.url = block.value("url") ?? ""
      request.scope.auth = auth(block.value("auth") ?? "none")
      request.body = body(block.value("body") ?? "none")
    }
    request.path = pairs("params:path").map { BrunoPair($0) }
    request.query = (pairs("params:query") + pairs("query")).map { BrunoPair($0) }
    request.assertions = pairs("assert").map { BrunoPair($0) }
    for pair in pairs("settings") { request.settings[pair.name] = pair.value }
    return request
  }

  private func body(_ mode: String) -> BrunoBody {
    var body = BrunoBody(mode: mode)
    switch body.mode {
    case "form-urlencoded", "multipart-form", "file":
      body.pairs = pairs("body:\(body.mode)").map { BrunoPair(part: $0) }
    default:
      body.text = text("body:\(mode)") ?? (mode == "json" ? text("body") : nil) ?? ""
      body.variables = text("body:graphql:vars") ?? ""
    }
    return body
  }

  /// The variables of an environment.
  var environment: [BrunoPair] {
    var result = pairs("vars").map { BrunoPair($0) }
    for block in blocks where block.name == "vars:secret" {
      for item in block.items {
        let isEnabled = !item.hasPrefix("~")
        result.append(
          BrunoPair(name: isEnabled ? item : String(item.dropFirst()), value: "", isEnabled: isEnabled, isSecret: true))
      }
    }
    return result
  }
}
