import DocumentQueries
import HTTPSemantics
import LocalServer
import RequestSpecs
import SpecExecution
import Synchronization
import Templates
import Values

/// The responses of a request's `mock`; where none applies, what it expects.
final class MockedReplies: MockedResponse {
  let expected: ExpectedResponse
  private let mocks: [MockSpec]
  private let scope: FileScope
  private let words: OpenWords
  /// The number of times that each was given.
  private let counts: Mutex<[Int]>

  init(_ mocks: [MockSpec], or expected: ExpectedResponse, in scope: FileScope, _ words: OpenWords) {
    (self.expected, self.mocks, self.scope, self.words) = (expected, mocks, scope, words)
    counts = Mutex(Array(repeating: 0, count: mocks.count))
  }

  var madePaths: [String] { expected.madePaths }
  let takesAnyBody = true

  func belongs(_ bindings: Bindings) -> Bool { expected.belongs(bindings) }

  func response(to request: ServerRequest, _ bindings: Bindings) -> ServerResponse {
    let expected = expected.response(to: request, bindings)
    let scope = MockScope(scope: scope, request: request, bindings: bindings, words: words)
    do throws(TemplateError) {
      for (index, mock) in mocks.enumerated() {
        guard try mock.condition?.resolve(in: scope) ?? true else { continue }
        let limit = try mock.times?.resolve(in: scope) ?? .max
        let isFree = counts.withLock { counts in
          counts[index] += counts[index] < .max ? 1 : 0
          return counts[index] <= limit
        }
        if isFree { return try response(mock, expected, in: scope) }
      }
      return expected
    } catch {
      return .problem(500, "`mock`: \(error.message)")
    }
  }

  func samples(for request: ServerRequest) -> [ServerResponse] {
    let expected = expected.response(to: request, Bindings())
    let scope = MockScope(scope: scope, request: request, bindings: Bindings(), words: words)
    // Those whose templates need more of a request than its path and query are left out.
    return mocks.compactMap { try? response($0, expected, in: scope) }
  }

  private func response(
    _ mock: MockSpec, _ expected: ServerResponse, in scope: MockScope
  ) throws(TemplateError) -> ServerResponse {
    var response = expected
    if let status = try mock.status?.resolve(in: scope) { response.status = status }
    var type: String?
    if let json = mock.json {
      response.body = .bytes(Array(try json.resolve(in: scope).jsonText().string.utf8))
      type = "application/json"
    } else if let body = mock.body {
      response.body = .bytes(Array(try body.resolve(in: scope).string.utf8))
      type = "text/plain; charset=utf-8"
    } else if let file = mock.file {
      let path = try file.resolve(in: scope).string
      response.body = .bytes(try scope.readFile(path, from: file.range))
      type = mediaType(ofFileNamed: path)
    } else if mock.status != nil, response.status >= 300 || response.status == 204 {
      // The expected body is that of another status.
      response.body = .bytes([])
      response.headers.removeAll { equalsIgnoringCase($0.name, "content-type") }
    }
    func set(_ name: String, _ value: String) {
      response.headers.removeAll { equalsIgnoringCase($0.name, name) }
      response.headers.append((name, value))
    }
    if let type { set("Content-Type", type) }
    for entry in mock.headers.entries {
      if let value = entry.value { set(entry.key.text, try value.resolve(in: scope).asText.string) }
    }
    if let delay = try mock.delay?.resolve(in: scope) { response.delay = delay }
    if let fault = try mock.fault?.resolve(in: scope) { response = response.with(fault) }
    return response
  }
}

/// The names of a mocked response: `request`, what its words stand for, and those of the file.
private struct MockScope: TemplateScope {
  let scope: FileScope
  let request: ServerRequest
  let bindings: Bindings
  let words: OpenWords

  var names: [String] { scope.names + [MockSpec.requestName] }

  func lookup(_ name: String) throws(TemplateError) -> TemplateLookup {
    if name == MockSpec.requestName { return .value(request.value) }
    guard case .value(let value) = try scope.lookup(name) else { return try scope.lookup(name) }
    return .value(words.filled(value, bindings.texts))
  }

  func environmentVariable(_ name: String) -> Text? { scope.environmentVariable(name) }
  func now() -> Timestamp { scope.now() }
  func nextRandom() -> UInt64 { scope.nextRandom() }
  func readFile(_ path: String, from range: SourceRange) throws(TemplateError) -> [UInt8] {
    try scope.readFile(path, from: range)
  }
}

extension ServerRequest {
  /// The request for templates; names of headers are in lower case.
  fileprivate var value: Value {
    let headers = Dictionary(grouping: headers) { $0.name.lowercased() }.sorted { $0.key < $1.key }
    return .mapping(
      Mapping([
        ("method", .text(Text(method))), ("url", .text(Text(url))), ("path", .text(Text(path))),
        ("query", .grouped(queryParameters)),
        ("headers", .mapping(Mapping(headers.map { ($0.key, .text(Text(header($0.key) ?? ""))) }))),
        ("cookies", .grouped(cookies)),
        ("form", .grouped(mediaType == "application/x-www-form-urlencoded" ? formParameters(bodyText) : [])),
        ("json", jsonBody ?? .null), ("body", .text(Text(bodyText))),
      ]))
  }

  private var bodyText: String { String(decoding: body, as: UTF8.self) }
}
