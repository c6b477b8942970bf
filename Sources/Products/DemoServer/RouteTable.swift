import LocalServer
import HTTPSemantics
import Values

/// One endpoint: methods, a path and a handler.
struct Route: Sendable {
  typealias Handler = @Sendable (RouteCall) -> ServerResponse

  let methods: [String]
  /// The path, such as `/status/{code}`; a final `{name…}` takes the rest.
  let path: String
  /// The line in the list of endpoints.
  let summary: String
  let handler: Handler
  private let segments: [Segment]

  private enum Segment: Sendable {
    case literal(String)
    case parameter(String)
    case rest(String)
  }

  init(_ methods: String, _ path: String, _ summary: String, _ handler: @escaping Handler) {
    self.methods = methods.split(separator: " ").map(String.init)
    self.path = path
    self.summary = summary
    self.handler = handler
    segments = path.split(separator: "/").map { segment in
      guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return .literal(String(segment)) }
      let name = segment.dropFirst().dropLast()
      return name.hasSuffix("…") ? .rest(String(name.dropLast())) : .parameter(String(name))
    }
  }

  /// The path's parameters, decoded; nil if the path doesn't match.
  func match(_ parts: [Substring]) -> [String: String]? {
    var parameters: [String: String] = [:]
    for (index, segment) in segments.enumerated() {
      if case .rest(let name) = segment {
        parameters[name] = percentDecoded(parts[min(index, parts.count)...].joined(separator: "/"))
        return parameters
      }
      guard index < parts.count else { return nil }
      switch segment {
      case .literal(let text): guard percentDecoded(parts[index]) == text else { return nil }
      case .parameter(let name): parameters[name] = percentDecoded(parts[index])
      case .rest: break
      }
    }
    return parts.count == segments.count ? parameters : nil
  }
}

/// The arguments of a handler.
struct RouteCall {
  let request: ServerRequest
  let state: DemoState
  let parameters: [String: String]

  /// A parameter of the path.
  subscript(name: String) -> String { parameters[name] ?? "" }

  /// A parameter of the path as a number within the limits; nil if it isn't one.
  func integer(_ name: String, _ range: ClosedRange<Int>) -> Int? {
    Int(self[name]).flatMap { range.contains($0) ? $0 : nil }
  }
}

/// All endpoints; the first match handles the request.
struct RouteTable: Sendable {
  let routes: [Route]

  static let all = RouteTable(
    routes: echoRoutes + statusRoutes + redirectRoutes + cookieRoutes + authenticationRoutes + digestRoutes
      + oauthRoutes
      + contentRoutes + streamRoutes + eventRoutes + webSocketRoutes + conditionalRoutes + resourceRoutes + shopRoutes
      + uploadRoutes
      + hlsRoutes
      + davRoutes)

  static let everyMethod = "GET POST PUT PATCH DELETE"

  func response(_ request: ServerRequest, _ state: DemoState) -> ServerResponse {
    if request.target == "*" {
      return ServerResponse(status: 200, headers: [("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")])
    }
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    var segments = Array(parts)
    if segments.last == "" { segments.removeLast() }
    let isHead = request.method == "HEAD"
    var allowed: [String] = []
    for route in routes + [landingRoute, documentRoute] {
      guard let parameters = route.match(segments) else { continue }
      if route.methods.contains(request.method) || isHead && route.methods.contains("GET") {
        return route.handler(RouteCall(request: request, state: state, parameters: parameters))
      }
      for method in route.methods where !allowed.contains(method) {
        allowed.append(method)
        if method == "GET" { allowed.append("HEAD") }
      }
    }
    guard !allowed.isEmpty else {
      return .problem(404, "there is no endpoint \(request.path); GET / lists them all")
    }
    let allow = (allowed + ["OPTIONS"]).joined(separator: ", ")
    if request.method == "OPTIONS" { return ServerResponse(status: 200, headers: [("Allow", allow)]) }
    return .problem(405, "\(request.path) takes \(allow), not \(request.method)").with("Allow", allow)
  }

  private var landingRoute: Route {
    Route("GET", "/", "This list") { call in
      .json(
        .object([
          ("name", .text("reqrun demo server")),
          ("address", .text(call.request.baseURL)),
          (
            "endpoints",
            .list(
              routes.map { route in
                .object([
                  ("methods", .list(route.methods.map { .text($0) })), ("path", .text(route.path)),
                  ("summary", .text(route.summary)),
                ])
              })
          ),
        ]))
    }
  }

  private var documentRoute: Route {
    Route("GET", "/openapi.json", "The list as an OpenAPI document") { _ in .json(openAPIDocument) }
  }
}
