import LocalServer

extension ServerRequest {
  fileprivate func origin(among origins: Set<String>) -> String? {
    header("Origin").flatMap { origins.contains($0) ? $0 : nil }
  }

  /// The response to a browser that asks for leave to send another request (CORS, Fetch Standard, section 3.3).
  func preflight(of origins: Set<String>) -> ServerResponse? {
    guard method == "OPTIONS", let wanted = header("Access-Control-Request-Method"),
      let origin = origin(among: origins)
    else { return nil }
    let fields = header("Access-Control-Request-Headers").map { [("Access-Control-Allow-Headers", $0)] } ?? []
    return ServerResponse(
      status: 204,
      headers: [
        ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Methods", wanted),
        ("Access-Control-Allow-Credentials", "true"), ("Access-Control-Max-Age", "600"), ("Vary", "Origin"),
      ] + fields)
  }
}

extension ServerResponse {
  /// Lets the pages of an origin read it.
  mutating func allow(_ request: ServerRequest, from origins: Set<String>) {
    guard let origin = request.origin(among: origins) else { return }
    headers.removeAll { $0.name.lowercased().hasPrefix("access-control-") }
    let names = Set(headers.map(\.name)).sorted()
    headers += [
      ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true"), ("Vary", "Origin"),
    ]
    if !names.isEmpty { headers.append(("Access-Control-Expose-Headers", names.joined(separator: ", "))) }
  }
}
