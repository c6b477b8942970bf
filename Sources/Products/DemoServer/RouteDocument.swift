import Values

extension RouteTable {
  /// The endpoints as an OpenAPI document: the operations, with objects or arrays for JSON responses.
  var openAPIDocument: Value {
    .object([
      ("openapi", .text("3.1.0")),
      ("info", .object([("title", .text("reqrun demo server")), ("version", .text("1"))])),
      ("servers", .list([.object([("url", .text("/"))])])),
      ("paths", .object(paths)),
    ])
  }

  private var paths: [(String, Value)] {
    var order: [String] = []
    var operations: [String: [(String, Value)]] = [:]
    for route in routes {
      // A template can't express a rest of several segments; tests need only the first.
      let path = route.path.replacing("…}", with: "}")
      if operations[path] == nil { order.append(path) }
      operations[path, default: []] += route.methods.map { ($0.lowercased(), operation(route, path)) }
    }
    return order.map { ($0, .object(operations[$0] ?? [])) }
  }

  private func operation(_ route: Route, _ path: String) -> Value {
    let names = path.split(separator: "{").dropFirst().map { String($0.prefix { $0 != "}" }) }
    let parameters: [Value] = names.map { name in
      .object([
        ("name", .text(name)), ("in", .text("path")), ("required", .bool(true)),
        ("schema", .object([("type", .text("string"))])),
      ])
    }
    let anything: Value = .object([("schema", .object([("type", .list(["object", "array"].map { .text($0) }))]))])
    return .object([
      ("summary", .text(route.summary)), ("parameters", .list(parameters)),
      (
        "responses",
        .object([
          (
            "default",
            .object([
              ("description", .text("The response, or a problem")),
              (
                "content",
                .object([
                  ("application/json", anything), ("application/problem+json", anything), ("*/*", .object([])),
                ])
              ),
            ])
          )
        ])
      ),
    ])
  }
}
