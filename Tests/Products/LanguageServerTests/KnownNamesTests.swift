import ReqrunKit
import TestSupport
import Testing

@testable import LanguageServer

@Suite("Completion from contracts, other files and the last response", .timeLimit(.minutes(5)))
struct KnownNamesTests {
  private static let files = [
    "reqrun.yaml": "demo: true\nvariables: {host: \"${{ demo }}\"}\n",
    "contract.yaml": """
    openapi: 3.0.3
    info: {title: t, version: "1"}
    paths:
      /users/{id}:
        parameters: [{name: id, in: path, required: true, schema: {type: string}}]
        put:
          summary: Change a user
          parameters: [{name: verbose, in: query, description: More, schema: {type: boolean}}]
          requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}}
          responses: {"200": {description: ok}}
    components:
      schemas:
        User: {allOf: [{properties: {name: {description: The name}}}, {properties: {age: {}}}]}
    """,
    "api.yaml": """
    openapi: contract.yaml
    requests:
      - url: ${{ host }}/anything/a
        tags: [smoke, slow]
        openapi: null
      - method: PUT
        url: ${{ host }}/users/7
        tags: [HERE]
        headers:
          HERE
      - method: PUT
        url: ${{ host }}/users/7
        query:
          HERE
      - method: PUT
        url: ${{ host }}/users/7
        json:
          HERE
      - url: ${{ host }}/HERE
      - url: ${{ host }}/anything
        headers: {Accept: HERE}
    """,
    "schema.yaml": """
    requests:
      - url: ${{ host }}/anything/c
        expect:
          schema:
            type: HERE
            HERE
      - url: ${{ host }}/anything/c
        expect: {json: {$.a: {schema: {properties: {name: {HERE}}}}}}
      - url: ${{ host }}/anything/c
        expect: {json: {$.a: {schema: {items: {format: HERE}}}}}
      - url: ${{ host }}/anything/c
        expect:
          schema:
            properties:
              HERE
    """,
    "last.yaml": """
    requests:
      - url: ${{ host }}/anything/b
        capture: {m: HERE}
        expect:
          json:
            HERE
    """,
  ]

  /// The completions at the place of each `HERE` of a file, which is open without them.
  private func completions(_ name: String, running: Bool = false) async throws -> [[String]] {
    let directory = try TemporaryFolder()
    defer { directory.remove() }
    let marked = try #require(KnownNamesTests.files[name])
    var files = KnownNamesTests.files
    files[name] = marked.replacing("HERE", with: "")
    try directory.write(files)
    let client = Client()
    _ = await client.initialize()
    let uri = "file://\(directory.path)/\(name)"
    client.open(uri, files[name] ?? "")
    _ = await client.diagnostics(uri)
    if running {
      client.notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .string(uri), "version": 2],
          "contentChanges": [["text": "requests:\n  - url: ${{ host }}/anything/b\n"]],
        ])
      _ = await client.request("reqrun/runTests", ["tests": [["uri": .string(uri)]]])
      client.notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .string(uri), "version": 3],
          "contentChanges": [["text": .string(files[name] ?? "")]],
        ])
    }
    var found: [[String]] = []
    for (line, text) in marked.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let range = text.firstRange(of: "HERE") else { continue }
      let position: JSONValue = [
        "line": .number(String(line)),
        "character": .number(String(text.distance(from: text.startIndex, to: range.lowerBound))),
      ]
      let response = await client.request(
        "textDocument/completion", ["textDocument": ["uri": .string(uri)], "position": position])
      guard case .array(let items)? = response["result"]?["items"] else { continue }
      found.append(items.compactMap { $0["textEdit"]?["newText"]?.stringValue })
    }
    _ = await client.end()
    return found
  }

  @Test("Keywords of JSON Schema, where schemas stand")
  func schemas() async throws {
    let found = try await completions("schema.yaml")
    try #require(found.count == 5)
    #expect(found[0].contains("integer"))
    #expect(found[1].contains("required: ") && !found[1].contains("type: ") && !found[1].contains("nullable: "))
    #expect(found[2].contains("minLength: "))
    #expect(found[3].contains("date-time"))
    #expect(!found[4].contains("minLength: "))
  }

  @Test("Tags, headers, and what the contract's operation declares")
  func contract() async throws {
    let found = try await completions("api.yaml")
    try #require(found.count == 6)
    #expect(found[0] == ["slow", "smoke"])
    #expect(found[1].contains("If-None-Match: "))
    #expect(found[2] == ["verbose: "])
    #expect(found[3] == ["name: ", "age: "])
    #expect(found[4] == ["${{ host }}/users/${{ id }}"])
    #expect(found[5].contains("application/json"))
  }

  @Test("The paths of the last response's members")
  func response() async throws {
    let found = try await completions("last.yaml", running: true)
    try #require(found.count == 2)
    #expect(found[0].contains("$.method") && found[0].contains("$.headers.Host"))
    #expect(found[1].contains("$.method: "))
  }
}
