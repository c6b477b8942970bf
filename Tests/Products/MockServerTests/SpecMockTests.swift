import LocalServer
import ReqrunKit
import Testing
import Values

@testable import MockServer

@Suite("A mock serves specs") struct SpecMockTests {
  struct Mocking: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let spec: String
    let calls: [(call: String, response: String)]
  }

  static func mock(_ spec: String) async -> (server: MockServer, diagnostics: [Values.Diagnostic]) {
    var options = RunOptions()
    options.specs = [.text(spec, name: "spec.yaml")]
    let sources = await MockSources(reading: options, keepsDelays: false)
    return (MockServer(sources, MockOptions()) { _ in }, sources.diagnostics)
  }

  static let cases = [
    Mocking(
      testDescription: "the literals and shapes of expectations",
      spec: """
        defaults: {base_url: "https://api.example/v1"}
        requests:
          - url: /pets?limit=2
            expect:
              status: 206
              headers: {X-Total: "2"}
              json:
                $.total: 2
                $.pets[*].name: {every: {starts_with: R}}
                $.next: {is: url}
                $.pets: {count: 2}
          - url: /pets
            json: {name: Rex}
            expect: {status: 201, json: {$: {equals: {id: !integer , name: Rex, born: !datetime , tags: [!string ]}}}}
          - url: /text
            expect: {body: {starts_with: "a", ends_with: "c"}}
        """,
      calls: [
        (
          "GET /v1/pets?limit=2",
          #"206 {"total":2,"pets":[{"name":"R"},{"name":"R"}],"next":"https://example.com/"}"#
        ),
        (#"POST /v1/pets {"name":"Rex"}"#, #"201 {"id":1,"name":"Rex","born":"2026-01-31T12:00:00Z","tags":["text"]}"#),
        (#"POST /v1/pets {"name":"Tom"}"#, "404 the known request has another body: /name differs"),
        ("GET /v1/text", "200 ac"), ("GET /pets", "404 no known request is like this one"),
      ]),
    Mocking(
      testDescription: "what is captured is new each time, and what is sent comes back",
      spec: """
        variables: {mail: "${{ uuid() }}@example.org"}
        defaults: {base_url: "https://api.example"}
        requests:
          - url: /users
            json: {mail: "${{ mail }}"}
            capture: {id: $.id, user: {header: Location, as: url}, code: {header: X-Code, regex: 'c=(\\w+);'}}
            expect: {status: 201, json: {$.mail: "${{ mail }}"}}
          - url: ${{ user }}
            expect: {json: {$.id: "${{ id }}", $.mail: "${{ mail }}"}}
          - {url: "${{ user }}", method: DELETE, expect: {status: 204}}
          - {url: "${{ user }}", expect: {status: 404}}
        """,
      calls: [
        (#"POST /users {"mail":"q@example.org"}"#, #"201 {"mail":"q@example.org","id":1}|Location=/users/1"#),
        ("GET /users/1", #"200 {"id":1,"mail":"q@example.org"}"#),
        ("GET /users/1", #"200 {"id":1,"mail":"q@example.org"}"#), ("DELETE /users/1", "204"), ("GET /users/1", "404"),
        (#"POST /users {"mail":"r@example.org"}"#, #"201 {"mail":"r@example.org","id":4}|Location=/users/4"#),
        ("GET /users/4", #"200 {"id":4,"mail":"r@example.org"}"#),
        (#"POST /users {"mail":"q"}"#, "404 the known request has another body: /mail differs"),
      ]),
    Mocking(
      testDescription: "mock wins over what is expected, with conditions, times and templates",
      spec: """
        variables: {name: Ann}
        requests:
          - url: https://api.example/users
            query: {page: 1}
            expect: {json: {$.page: 1}}
            mock:
              - {when: "${{ request.query.page == '9' }}", status: 404}
              - {times: 1, status: 503, headers: {Allow: "${{ name }}"}}
              - {json: {page: "${{ request.query.page | to_integer }}", by: "${{ request.headers['x-by'] | default(name) }}"}}
          - url: https://api.example/users
            json: {a: 1}
            mock: {status: 201, body: "${{ request.method }} ${{ request.json.b }}"}
        """,
      calls: [
        ("GET /users?page=1", "503|Allow=Ann"), ("GET /users?page=1", #"200 {"page":1,"by":"Ann"}"#),
        ("GET /users?page=2 X-By=Eve", #"200 {"page":2,"by":"Eve"}"#), ("GET /users?page=9", "404"),
        (#"POST /users {"b":"x"}"#, "201 POST x"), (#"POST /users {"c":"x"}"#, "500 `mock`: there is no member `b`"),
      ]),
    Mocking(
      testDescription: "what different flows expect of equal requests is one response, if it can be",
      spec: """
        defaults: {base_url: "https://api.example"}
        flows:
          - {name: one, requests: [{url: /me, expect: {json: {$.name: Ann}}}]}
          - {name: two, requests: [{url: /me, expect: {json: {$.age: 7}}}]}
          - {name: three, requests: [{url: /me, expect: {json: {$.age: 8}}}]}
        """,
      calls: [("GET /me", #"200 {"name":"Ann","age":7}"#), ("GET /me", #"200 {"age":8}"#)]),
  ]

  @Test("Requests of specs get what they expect", arguments: cases) func mocking(_ mocking: Mocking) async {
    let (mock, diagnostics) = await Self.mock(mocking.spec)
    #expect(diagnostics.map(\.message) == [])
    for (call, response) in mocking.calls { #expect(MockServerTests.send(call, to: mock) == response, "\(call)") }
  }

  @Test("Responses are checked against a contract without being given") func checked() async throws {
    let spec = """
      url: http://a.test/pets/1
      mock: [{times: 1, json: {id: x}}, {status: 204}, {json: {id: "${{ request.json.id }}"}}]
      """
    var options = RunOptions()
    options.specs = [.text(spec, name: "spec.yaml")]
    var sources = await MockSources(reading: options, keepsDelays: false)
    sources.contracts = [try MockServerTests.contract()]
    let mock = MockServer(sources, MockOptions()) { _ in }
    #expect(mock.problems.filter { $0.hasPrefix("GET /pets/1: ") }.count == 2)
    #expect(MockServerTests.send("GET /pets/1", to: mock) == #"200 {"id":"x"}"#)
    #expect(MockServerTests.send("GET /pets/1", to: mock) == "204")
  }

  @Test("What can't be met is a warning at its request") func missing() async {
    let diagnostics = await Self.mock("url: https://a.example\nexpect: {xpath: {string(//a): b}, json: {$.a: 1}}")
      .diagnostics
    #expect(diagnostics.map(\.message) == ["the mocked response may not meet `xpath string(//a)`"])
  }
}
