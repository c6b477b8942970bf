import APIContracts
import DocumentQueries
import HTTPSemantics
import LocalServer
import Matching
import Testing
import Values

@testable import MockServer

private let shop = """
  openapi: 3.1.0
  info: {title: Shop, version: "1"}
  components:
    securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
    schemas:
      New: {type: object, required: [name], properties: {name: {type: string, minLength: 1}, note: {type: string}, owner: {type: string}}}
      Pet:
        type: object
        required: [id, name, owner, made]
        properties:
          id: {type: integer, readOnly: true}
          name: {type: string, example: Rex}
          note: {type: string}
          owner: {type: object, properties: {id: {type: integer, example: 7}}}
          made: {type: string, format: date, example: "2026-01-02"}
          key: {type: string, writeOnly: true}
  paths:
    /pets:
      get:
        responses:
          "200": {content: {application/json: {schema: {type: object, properties: {total: {type: integer}, pets: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}}}}
      post:
        security: [{key: []}]
        requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/New"}}}}
        responses:
          "201": {content: {application/json: {schema: {type: object, properties: {pet: {$ref: "#/components/schemas/Pet"}}}}}}
    /pets/{petId}:
      parameters: [{name: petId, in: path, required: true, schema: {type: integer}}]
      get:
        responses:
          "200":
            headers: {X-Rate: {required: true, schema: {type: integer, example: 5}}}
            content:
              application/json:
                schema: {$ref: "#/components/schemas/Pet"}
                examples: {rex: {value: {id: 1, name: Rex, owner: {id: 7}, made: "2026-01-02"}}, tom: {value: {id: 2, name: Tom, owner: {}, made: "2026-01-03"}}}
              text/plain: {schema: {type: string, example: a pet}}
          "404": {content: {application/json: {schema: {type: object, properties: {code: {const: 17}}}}}}
      put:
        requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/New"}}}}
        responses: {"200": {content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
      patch:
        requestBody: {content: {application/merge-patch+json: {schema: {type: object}}}}
        responses: {"200": {content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
      delete: {responses: {"204": {description: gone}}}
    /pets/{petId}/toys:
      parameters: [{name: petId, in: path, required: true, schema: {type: integer}}]
      get: {responses: {"200": {content: {application/json: {schema: {type: array, items: {type: object}}}}}}}
      post: {responses: {"201": {headers: {ETag: {required: true, schema: {type: string}}, Location: {example: /none}}, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}}
    /pets/{petId}/toys/{id}:
      parameters: [{name: petId, in: path, required: true, schema: {type: integer}}, {name: id, in: path, required: true, schema: {type: integer}}]
      get: {responses: {"200": {content: {application/json: {schema: {type: object}}}}}}
    /broken: {get: {responses: {"200": {content: {application/json: {example: {a: 1}, schema: {type: object, properties: {a: {type: string, pattern: "^(?=x)y"}}, required: [a]}}}}}}}
  """

@Suite("A mock responds as its contract declares") struct MockServerTests {
  static func mock(stateful: Bool = false, rejects: Bool = false) throws -> MockServer {
    var options = MockOptions()
    (options.isStateful, options.isStrict) = (stateful, rejects)
    return MockServer(MockSources(contracts: [try contract()]), options) { _ in }
  }

  @Test("What a mock makes follows its seed, and is counted without one") func seeds() throws {
    func made(_ seed: UInt64?) throws -> String {
      var options = MockOptions()
      (options.isStateful, options.seed) = (true, seed)
      let mock = MockServer(MockSources(contracts: [try Self.contract()]), options) { _ in }
      return Self.send(#"POST /pets {"name":"a"}"#, to: mock) + Self.send("GET /pets/1 Prefer=code=200", to: mock)
    }
    #expect(try made(nil).contains(#"{"id":1,"#))
    #expect(try made(1) == made(1) && made(1) != made(2) && made(1) != made(nil))
    let identifiers = [nil, 7].map { seed in (1...3).map { MadeValues(seed: seed).uuid($0) } }
    #expect(identifiers[0][0] == "00000000-0000-4000-8000-000000000001")
    #expect(Set(identifiers.joined()).count == 6)
    #expect(identifiers.joined().allSatisfy { hasForm(.uuid, $0) && Array($0)[14] == "4" && Array($0)[19] == "8" })
  }

  @Test("What declares no response is a 200, and an interim one alone is none")
  func undeclaredResponses() throws {
    let document = """
      openapi: 3.1.0
      info: {title: Shop, version: "1"}
      paths: {/none: {get: {}}, /hints: {get: {responses: {"103": {description: hints}}}}}
      """
    let bytes = DocumentBytes(Array(document.utf8), name: "shop.yaml", location: "/shop.yaml")
    let documents = try DocumentSet(main: bytes) { _, _ throws(ContractReadingProblem) in
      throw ContractReadingProblem("none")
    }
    let mock = MockServer(MockSources(contracts: [try APIContract(documents)]), MockOptions()) { _ in }
    #expect(Self.send("GET /none", to: mock) == "200")
    #expect(Self.send("GET /hints", to: mock).hasPrefix("406 GET /hints declares no such response"))
  }

  @Test("The list of calls can be read, however deep the JSON of a body is", arguments: [1, 510, 511, 512, 600])
  func deepBodies(_ depth: Int) throws {
    let mock = try Self.mock()
    let body = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    _ = Self.send("POST /pets \(body)", to: mock)
    let call = try JSONDocument(parsing: mock.calls.jsonText().string).root.items.first
    #expect(call?[member: depth > 510 ? "body" : "json"] != nil)
  }

  static func contract() throws -> APIContract {
    let bytes = DocumentBytes(Array(shop.utf8), name: "shop.yaml", location: "/shop.yaml")
    let documents = try DocumentSet(main: bytes) { _, _ throws(ContractReadingProblem) in
      throw ContractReadingProblem("none")
    }
    return try APIContract(documents)
  }

  /// A call such as `POST /pets {"name": "a"} X-Key=1`: the method, the target, and then a body or headers.
  static func send(_ call: String, to mock: MockServer) -> String {
    let parts = call.split(separator: " ", maxSplits: 2).map(String.init)
    var request = ServerRequest(target: parts[1])
    request.method = parts[0]
    request.headers = [("Host", "127.0.0.1:8080")]
    for part in (parts.dropFirst(2).first ?? "").split(separator: "|") {
      if part.hasPrefix("{") || part.hasPrefix("[") {
        request.body = Array(part.utf8)
        let type = parts[0] == "PATCH" ? "application/merge-patch+json" : "application/json"
        request.headers.append(("Content-Type", type))
      } else if let equals = part.firstIndex(of: "=") {
        if part.hasPrefix("Host=") { request.headers = [] }
        request.headers.append((String(part[..<equals]), String(part[part.index(after: equals)...])))
      }
    }
    let response = mock.respond(request)
    var bytes: [UInt8] = []
    if case .bytes(let own) = response.body { bytes = own }
    let text = String(decoding: bytes, as: UTF8.self)
    if response.header("Content-Type") == "application/problem+json" {
      return
        "\(response.status) \((try? JSONDocument(parsing: text))?.root.value.member(at: ["detail"])?.asText.string ?? "")"
    }
    let headers = ["Location", "ETag", "Allow", "X-Rate"].compactMap { name in
      response.header(name).map { "|\(name)=\($0)" }
    }
    return "\(response.status)\(text.isEmpty ? "" : " ")\(text)\(headers.joined())"
  }

  struct Conversation: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var stateful = false
    var rejects = false
    let calls: [(call: String, response: String)]
  }

  static let owned = Conversation(
    testDescription: "what is below a deleted item goes with it", stateful: true,
    calls: [
      (
        #"POST /pets {"name":"a"}"#,
        #"201 {"pet":{"id":1,"name":"a","note":"string","owner":{"id":7},"made":"2026-01-02"}}|Location=/pets/1|ETag="1""#
      ),
      ("POST /pets/1/toys {}", #"201 {"id":1}|Location=/pets/1/toys/1|ETag="1""#),
      ("GET /pets/1/toys", #"200 [{"id":1}]"#), ("DELETE /pets/1", "204"), ("GET /pets/1/toys", "200 []"),
      ("GET /pets/1/toys/1", "404 there is no /pets/1/toys/1"),
    ])

  static let rex = #"{"id":1,"name":"Rex","owner":{"id":7},"made":"2026-01-02"}"#
  static let conversations = [
    Conversation(
      testDescription: "examples, headers and what clients prefer",
      calls: [
        ("GET /pets/1", "200 \(rex)|X-Rate=5"), ("HEAD /pets/1", "200|X-Rate=5"),
        ("GET /pets/1 Accept=text/plain", "200 a pet|X-Rate=5"),
        ("GET /pets/1 Prefer=status=404", #"404 {"code":17}"#),
        ("GET /pets/1 Prefer=code=404, wait=1", #"404 {"code":17}"#),
        ("GET /pets/1 Prefer=example=tom", #"200 {"id":2,"name":"Tom","owner":{},"made":"2026-01-03"}|X-Rate=5"#),
        (
          "GET /pets/1 Prefer=example=none",
          "406 GET /pets/{petId} declares no such response: its statuses are 200, 404"
        ),
        ("GET /pets/1 Accept=image/png", "406 GET /pets/{petId} declares no such response: its statuses are 200, 404"),
        ("GET /pets/1 Prefer=status=500", "406 GET /pets/{petId} declares no such response: its statuses are 200, 404"),
        ("DELETE /pets/1", "204"),
      ]),
    Conversation(
      testDescription: "what is not declared",
      calls: [
        ("GET /nope", "404 no operation has this path"),
        ("TRACE /pets", "405 no operation has this path and the method TRACE"),
        (
          "GET /pets/1 Host=evil.example",
          "421 this server is \"127.0.0.1\" or \"localhost\", not \"evil.example\""
        ),
      ]),
    Conversation(
      testDescription: "wrong requests pass with a warning",
      calls: [
        (
          #"POST /pets {"name":""}"#,
          #"201 {"pet":{"id":1,"name":"Rex","note":"string","owner":{"id":7},"made":"2026-01-02"}}"#
        )
      ]),
    Conversation(
      testDescription: "wrong requests are rejected", rejects: true,
      calls: [
        (#"POST /pets {"name":"a"}"#, "401 the request lacks the credentials of key"),
        (
          #"POST /pets {"name":""}|X-Key=1"#,
          #"400 the request breaks the contract: the request's body breaks its schema: expected /name: at least 1 character (0 characters; `minLength`, shop.yaml:6), actual /name: """#
        ),
        (
          "GET /pets/a",
          #"400 the request breaks the contract: the request's path parameter petId breaks its schema: expected an integer (`type`, shop.yaml:28), actual "a""#
        ),
      ]),
    Conversation(
      testDescription: "a collection is created, read, changed, listed and deleted", stateful: true,
      calls: [
        ("GET /pets", #"200 {"total":0,"pets":[]}"#), ("GET /pets/1", #"404 {"code":17}"#),
        (
          #"POST /pets {"name":"a","owner":"no object","note":"x"}"#,
          #"201 {"pet":{"id":1,"name":"a","note":"x","owner":{"id":7},"made":"2026-01-02"}}|Location=/pets/1|ETag="1""#
        ),
        (
          #"POST /pets {"name":"b"}"#,
          #"201 {"pet":{"id":2,"name":"b","note":"string","owner":{"id":7},"made":"2026-01-02"}}|Location=/pets/2|ETag="1""#
        ),
        ("GET /pets/1", #"200 {"id":1,"name":"a","note":"x","owner":{"id":7},"made":"2026-01-02"}|ETag="1"|X-Rate=5"#),
        (#"GET /pets/1 If-None-Match="1""#, #"304|ETag="1""#),
        (
          #"PATCH /pets/1 {"name":"c","note":null}"#,
          #"200 {"id":1,"name":"c","owner":{"id":7},"made":"2026-01-02"}|ETag="2""#
        ),
        (#"PATCH /pets/1 {"name":"d"}|If-Match="1""#, #"412 the item is "2", not "1""#),
        (
          "GET /pets?limit=1&offset=1",
          #"200 {"total":2,"pets":[{"id":2,"name":"b","note":"string","owner":{"id":7},"made":"2026-01-02"}]}"#
        ),
        (#"DELETE /pets/1"#, "204"), ("GET /pets/1", #"404 {"code":17}"#),
        ("DELETE /pets/1", "404 there is no /pets/1"),
        ("GET /pets?page=9223372036854775807&limit=9223372036854775807", #"200 {"total":1,"pets":[]}"#),
        (
          "GET /pets?limit=-1&offset=-9223372036854775808",
          #"200 {"total":1,"pets":[{"id":2,"name":"b","note":"string","owner":{"id":7},"made":"2026-01-02"}]}"#
        ),
      ]),
  ]

  @Test("Conversations with a mock", arguments: conversations + [owned]) func conversation(_ conversation: Conversation)
    throws
  {
    let mock = try Self.mock(stateful: conversation.stateful, rejects: conversation.rejects)
    for (call, response) in conversation.calls {
      #expect(Self.send(call, to: mock) == response, "\(call)")
    }
  }

  @Test("The calls are listed with what is wrong with them, and forgotten") func calls() throws {
    let mock = try Self.mock()
    _ = Self.send("GET /nope", to: mock)
    _ = Self.send("GET /pets/1", to: mock)
    let list = Self.send("GET /.well-known/reqrun/calls", to: mock)
    #expect(list.contains(#""count": 2"#) && list.contains(#""operation": "GET /pets/{petId}""#))
    #expect(list.contains("no operation has this path"))
    #expect(Self.send("DELETE /.well-known/reqrun/calls", to: mock) == "204")
    #expect(Self.send("GET /.well-known/reqrun/calls", to: mock).contains(#""count": 0"#))
    #expect(Self.send("PUT /.well-known/reqrun/calls", to: mock).hasPrefix("405"))
  }

  @Test("What clients send reaches the terminal without control characters") func terminal() {
    var call = MockCall(ServerRequest(target: "/a\u{1B}[31m"))
    call.problems = ["\u{1B}]0;x\u{7}"]
    #expect(!call.line.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test("An example that the contract's own schema rejects is a problem") func problems() throws {
    let problems = try Self.mock().problems
    #expect(problems.count == 1 && problems[0].hasPrefix("GET /broken: "))
  }

  @Test(
    "Delays are one duration or two",
    arguments: [
      ("50ms", true), ("50ms..2s", true), ("2s..50ms", false), ("..", false), ("1", false), ("1s..2s..3s", false),
      ("", false),
    ])
  func latency(_ text: String, isValid: Bool) { #expect((MockOptions.latency(text) != nil) == isValid) }
}
