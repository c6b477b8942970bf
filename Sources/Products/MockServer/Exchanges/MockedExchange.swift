import HTTPSemantics
import LocalServer
import Values

/// A request, and the response that requests like it get.
struct MockedExchange: Sendable {
  let method: String
  /// Percent-encoded.
  let path: TextPattern
  /// The parameters in the order of their names.
  let query: [(name: String, value: TextPattern)]
  /// The fields with their names in lower case, and `cookie NAME` for each cookie.
  let fields: [(name: String, value: TextPattern)]
  let body: SentBody
  let response: any MockedResponse

  init(
    method: String, path: String, query: String, fields: [(name: String, value: String)], body: SentBody,
    response: any MockedResponse
  ) {
    (self.method, self.path, self.body, self.response) = (method, TextPattern(path), body, response)
    self.query = formParameters(query).sorted { $0 < $1 }.map { ($0.name, TextPattern($0.value)) }
    self.fields = fields.map { ($0.name.lowercased(), TextPattern($0.value)) }
  }

  /// Its method and path for people.
  var title: String { sanitizedForTerminal("\(method) \(path.shown)") }

  /// Indicates whether it has credentials.
  var isAuthorized: Bool { fields.contains { $0.name == "authorization" } }

  /// Indicates whether it may change something (RFC 9110, section 9.2.1).
  var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

  /// A text that equal requests have.
  var label: String { (equalParts + fields.map { "\($0.name): \($0.value.text)" }.sorted()).joined(separator: "\n") }

  /// All but the fields, and whether there are credentials.
  var equalParts: [String] {
    [method, path.text, "\(isAuthorized)", "\(body)"] + query.map { "\($0.name)=\($0.value.text)" }
  }

  /// The texts in the open parts of a request like this one; nil for any other.
  func match(_ sent: ReceivedRequest) -> Bindings? {
    var bindings = Bindings()
    guard method == sent.method, path.matches(sent.path, isPath: true, &bindings), hasQuery(sent.query, &bindings),
      body.difference(to: sent.body, &bindings) == nil
    else { return nil }
    return bindings
  }

  /// The texts in the open parts of its path in a request that may have another query and body; nil for any other.
  func looseMatch(_ sent: ReceivedRequest) -> Bindings? {
    var bindings = Bindings()
    guard response.takesAnyBody, method == sent.method, path.matches(sent.path, isPath: true, &bindings) else {
      return nil
    }
    _ = hasQuery(sent.query, &bindings)
    _ = body.difference(to: sent.body, &bindings)
    return bindings
  }

  private func hasQuery(_ other: [(name: String, value: String)], _ bindings: inout Bindings) -> Bool {
    guard query.count == other.count else { return false }
    for (own, other) in zip(query, other) {
      guard own.name == other.name, own.value.matches(other.value, &bindings) else { return false }
    }
    return true
  }

  /// A phrase for the part of a request to the same path that differs.
  func difference(to sent: ReceivedRequest) -> String {
    var bindings = Bindings()
    if !hasQuery(sent.query, &bindings) {
      let text = query.map { "\($0.name)=\($0.value.text)" }.joined(separator: "&")
      return query.isEmpty ? "no query" : "the query \(text)"
    }
    if let place = body.difference(to: sent.body, &bindings) { return "another body: \(place) differs" }
    return isAuthorized ? "credentials" : "no credentials"
  }

  /// A number that is the higher the more of its fields a request has.
  func similarity(to sent: ReceivedRequest) -> Int {
    let equal = fields.count { name, value in
      sent.fields[name]?.contains { text in
        var bindings = Bindings()
        return value.matches(text, &bindings)
      } ?? false
    }
    return 2 * equal - fields.count
  }
}

/// The compared parts of a request that was received.
struct ReceivedRequest {
  let method: String
  let path: String
  let query: [(name: String, value: String)]
  let body: SentBody
  let fields: [String: [String]]

  init(_ request: ServerRequest) {
    method = request.method
    // What the server is asked as a whole has no path.
    path = request.path == "*" ? "/" : request.path
    query = request.queryParameters.sorted { $0 < $1 }
    body = SentBody(request)
    var fields: [String: [String]] = [:]
    for (name, value) in request.headers where !equalsIgnoringCase(name, "cookie") {
      fields[name.lowercased(), default: []].append(value)
    }
    for (name, value) in request.cookies { fields["cookie \(name)", default: []].append(value) }
    self.fields = fields
  }

  var isAuthorized: Bool { fields["authorization"] != nil }
}

/// The response to requests that are like one.
protocol MockedResponse: Sendable {
  /// - Parameter bindings: what stands in the open parts of the request.
  func response(to request: ServerRequest, _ bindings: Bindings) -> ServerResponse
  /// The responses that it may give to a request; none of them counts as given.
  func samples(for request: ServerRequest) -> [ServerResponse]
  /// Returns whether a request belongs to what the same flow has made before; false for any other.
  func belongs(_ bindings: Bindings) -> Bool
  /// Indicates whether requests with another query or body get it, too, if no other one is like them.
  var takesAnyBody: Bool { get }
  /// The paths of what the request creates.
  var madePaths: [String] { get }
}

extension MockedResponse {
  var takesAnyBody: Bool { false }
  func samples(for request: ServerRequest) -> [ServerResponse] { [response(to: request, Bindings())] }
}
