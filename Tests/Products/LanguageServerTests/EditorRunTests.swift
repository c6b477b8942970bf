import Foundation
import ReqrunKit
import TestSupport
import Testing

@testable import LanguageServer

@Suite("Runs, renames and hints in an editor", .timeLimit(.minutes(10)))
struct EditorRunTests {
  private static let files = [
    "reqrun.yaml": """
    demo: true
    variables: {host: "${{ demo }}"}
    environments:
      local: {variables: {user: bob}}
    """,
    "login.yaml": """
    variables: {user: ann}
    requests:
      - name: log in
        url: ${{ host }}/anything?user=${{ user }}
        capture: {token: $.method}
    """,
    "api.yaml": """
    needs: {session: login.yaml}
    requests:
      - name: first
        url: ${{ host }}/anything?t=${{ session.token }}
        capture: {id: $.method}
      - name: second
        url: ${{ host }}/anything?id=${{ id | upper }}&r=${{ replace(id, 'a', 'b') }}
        expect:
          json: {$.method: POST}
      - use: login.yaml
        name: as bob
        with: {user: bob}
        take: {token: token}
      - url: ${{ host }}/anything?t=${{ token }}
    """,
  ]

  /// A client of a workspace with these files, the last of which is open, and its URI.
  private func opened(
    _ directory: TemporaryFolder, trusted: Bool = true
  ) async throws -> (client: Client, uri: String, text: String) {
    try directory.write(EditorRunTests.files)
    let client = Client()
    _ = await client.request(
      "initialize",
      [
        "capabilities": [:], "rootUri": .string("file://\(directory.path)"),
        "initializationOptions": ["trusted": .bool(trusted)],
      ])
    let uri = "file://\(directory.path)/api.yaml"
    let text = try #require(EditorRunTests.files["api.yaml"])
    client.open(uri, text)
    #expect(await client.diagnostics(uri).isEmpty)
    return (client, uri, text)
  }

  private func call(_ client: Client, _ command: String, _ uri: String, line: Int, upTo: Bool = false) async
    -> JSONValue
  {
    let target: JSONValue = ["uri": .string(uri), "line": .number(String(line)), "upTo": .bool(upTo)]
    return await client.request("workspace/executeCommand", ["command": .string(command), "arguments": [target]])
  }

  private func list(_ value: JSONValue?) -> [JSONValue] { if case .array(let items)? = value { items } else { [] } }

  @Test("A request runs with what it needs; results, failures at their lines, hints and the response follow")
  func runs() async throws {
    let directory = try TemporaryFolder()
    defer { directory.remove() }
    let (client, uri, _) = try await opened(directory)
    let document: JSONValue = ["textDocument": ["uri": .string(uri)]]
    let lenses = list(await client.request("textDocument/codeLens", document)["result"])
    #expect(lenses.count { $0["command"]?["title"]?.stringValue == "run up to here" } == 3)
    #expect(!lenses.contains { $0["command"]?["command"]?.stringValue == "reqrun.response" })
    let result = await call(client, "reqrun.run", uri, line: 5)["result"]
    #expect(result == ["ok": false, "passed": 2, "failed": 1, "skipped": 0])
    let outcome = await client.next { $0["params"]?["name"]?.stringValue == "second" }["params"]
    #expect(outcome?["outcome"] == "failed" && outcome?["line"] == 5)
    #expect(outcome?["messages"]?[0]?["expected"] == "\"POST\"" && outcome?["messages"]?[0]?["line"] == 8)
    let problems = await client.diagnostics(uri)
    #expect(problems.map { $0["source"] } == ["reqrun run"] && problems[0]["range"]?["start"]?["line"] == 8)
    let hints = list(
      await client.request(
        "textDocument/inlayHint", ["textDocument": ["uri": .string(uri)], "range": .null])["result"])
    #expect(hints.contains { $0["label"]?.stringValue?.hasPrefix("✗ 200, ") == true })
    let page = await call(client, "reqrun.response", uri, line: 5)["result"]?["html"]?.stringValue
    #expect(page?.contains("data-address=\"#q=%22second%22\"") == true)
    #expect(await call(client, "reqrun.response", uri, line: 13)["result"] == .null)
    // A change ends what the run found.
    client.notify(
      "textDocument/didChange",
      ["textDocument": ["uri": .string(uri), "version": 2], "contentChanges": [["text": "url: http://h/\n"]]])
    #expect(await client.diagnostics(uri, version: 2).isEmpty)
    _ = await client.end()
  }

  @Test("Tests are listed and run, used files are results of their own")
  func tests() async throws {
    let directory = try TemporaryFolder()
    defer { directory.remove() }
    let (client, uri, _) = try await opened(directory)
    let tests = await client.request("reqrun/tests", ["uri": .string(uri)])["result"]
    #expect(list(tests?["requests"]).map { $0["line"]?.intValue } == [2, 5, 9, 13])
    #expect(await client.request("reqrun/tests", ["uri": .string("\(uri).txt")])["result"] == .null)
    let result = await client.request("reqrun/runTests", ["tests": [["uri": .string(uri)]]])["result"]
    #expect(result?["failed"] == 1 && result?["ok"] == false)
    let used = await client.next { $0["params"]?["name"]?.stringValue == "as bob" }["params"]
    #expect(used?["outcome"] == "skipped")
    let upTo = await call(client, "reqrun.run", uri, line: 2, upTo: true)["result"]
    #expect(upTo?["passed"] == 2 && upTo?["ok"] == true)
    let environments = await client.request("reqrun/environments", ["uri": .string(uri)])["result"]
    #expect(environments == ["environments": ["local"], "current": .null])
    let sent = await call(client, "reqrun.send", uri, line: 2)["result"]
    #expect(sent?["ok"] == true && sent?["html"]?.stringValue?.contains("/anything?t=") == true)
    let curl = await call(client, "reqrun.curl", uri, line: 2)["result"]?["text"]?.stringValue
    #expect(curl?.hasPrefix("curl ") == true && curl?.contains("/anything?t=") == true)
    _ = await client.end()
  }

  @Test("Nothing is sent in a workspace that isn't trusted, or after a cancellation")
  func refusals() async throws {
    let directory = try TemporaryFolder()
    defer { directory.remove() }
    let (client, uri, _) = try await opened(directory, trusted: false)
    for method in ["reqrun.run", "reqrun.runFile", "reqrun.send", "reqrun.curl"] {
      #expect(await call(client, method, uri, line: 2)["error"]?["code"] == -32803)
    }
    client.notify("workspace/didChangeConfiguration", ["settings": ["reqrun": ["trusted": true]]])
    client.notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(uri), "version": 2],
        "contentChanges": [["text": "url: ${{ demo }}/delay/60000\nexpect: {status: 200}\n"]],
      ])
    async let response = client.request("reqrun/runTests", ["tests": [["uri": .string(uri)]]])
    // The ID of that request: one to initialize, and four above.
    client.notify("$/cancelRequest", ["id": 6])
    #expect(await response["error"]?["code"] == -32800)
    _ = await client.end()
  }

  @Test(
    "A rename changes all files that mean the same, and nothing else",
    arguments: [
      ("session.token", 8, "tok", ["api.yaml": 2, "login.yaml": 1]), ("session.token", 0, "login", ["api.yaml": 2]),
      ("{user: bob}", 1, "name", ["api.yaml": 1, "login.yaml": 2, "reqrun.yaml": 1]),
      ("{id:", 1, "method", ["api.yaml": 3]),
      ("host }}", 0, "base", ["api.yaml": 3, "login.yaml": 1, "reqrun.yaml": 1]),
      ("{token: token}", 1, "own", ["api.yaml": 2]),
    ])
  func rename(needle: String, offset: Int, newName: String, expected: [String: Int]) async throws {
    let directory = try TemporaryFolder()
    defer { directory.remove() }
    let (client, uri, text) = try await opened(directory)
    let response = await client.request(
      "textDocument/rename", place(needle, offset, in: text, uri, ["newName": .string(newName)]))
    guard case .object(let changes)? = response["result"]?["changes"] else {
      Issue.record("\(response)")
      return
    }
    let counts = changes.map { (URL(string: $0.key)?.lastPathComponent ?? "", list($0.value).count) }
    #expect(Dictionary(counts, uniquingKeysWith: +) == expected)
    _ = await client.end()
  }

  private func place(
    _ needle: String, _ offset: Int, in text: String, _ uri: String, _ more: [String: JSONValue] = [:]
  ) -> JSONValue {
    let before = text[..<(text.range(of: needle)?.lowerBound ?? text.startIndex)]
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    let position: JSONValue = [
      "line": .number(String(lines.count - 1)), "character": .number(String((lines.last?.count ?? 0) + offset)),
    ]
    return .object(["textDocument": ["uri": .string(uri)], "position": position].merging(more) { $1 })
  }

  @Test("Names of all examples are renamed: files stay as valid, and all other bytes stay")
  func renamedExamples() async throws {
    let client = Client()
    _ = await client.initialize()
    var count = 0
    for file in exampleFiles() {
      let text = try String(contentsOf: file, encoding: .utf8)
      let uri = "file://\(file.path)"
      client.open(uri, text)
      let names = Set(text.matches(of: /\$\{\{ ([a-z_]+) \}\}/).map { String($0.1) })
      for name in names.sorted() {
        let response = await client.request(
          "textDocument/rename", place("${{ \(name) }}", 4, in: text, uri, ["newName": "renamed_here"]))
        guard case .object(let changes)? = response["result"]?["changes"] else { continue }
        var renamed: [String: String] = [:]
        for (uri, edits) in changes {
          let path = try #require(URL(string: uri)).path
          let before = try String(contentsOfFile: path, encoding: .utf8)
          renamed[path] = try applied(list(edits), to: before)
          #expect(renamed[path]?.replacing("renamed_here", with: name) == before, "\(path): \(name)")
        }
        var options = RunOptions()
        for (path, text) in renamed { options.openTexts[path] = Array(text.utf8) }
        let listing = await Runner(specs: [.path(file.path)], options: options).check()
        #expect(
          !listing.diagnostics.contains { $0.severity == .error }, "\(file.path): \(name): \(listing.diagnostics)")
        count += 1
      }
      client.notify("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
    }
    #expect(count > 45)
    _ = await client.end()
  }

  /// The text after edits of the protocol, which are in order.
  private func applied(_ edits: [JSONValue], to text: String) throws -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.utf16) }
    for edit in edits.reversed() {
      let line = try #require(edit["range"]?["start"]?["line"]?.intValue)
      let start = try #require(edit["range"]?["start"]?["character"]?.intValue)
      let end = try #require(edit["range"]?["end"]?["character"]?.intValue)
      lines[line].replaceSubrange(start..<end, with: try #require(edit["newText"]?.stringValue).utf16)
    }
    return lines.map { String(decoding: $0, as: UTF16.self) }.joined(separator: "\n")
  }

  @Test(
    "A rename that can't be is refused with the reason",
    arguments: [
      ("{id:", "a b", "is not a name"), ("{id:", "session", "exists already"), ("json", "x", "there is no name"),
    ])
  func refusedRename(needle: String, newName: String, reason: String) async throws {
    let directory = try TemporaryFolder()
    defer { directory.remove() }
    let (client, uri, text) = try await opened(directory)
    let response = await client.request(
      "textDocument/rename", place(needle, 1, in: text, uri, ["newName": .string(newName)]))
    #expect(response["error"]?["message"]?.stringValue?.contains(reason) == true)
    _ = await client.end()
  }

  @Test("Templates have signatures and tokens; files are links; selections grow")
  func inside() async throws {
    let directory = try TemporaryFolder()
    defer { directory.remove() }
    let (client, uri, text) = try await opened(directory)
    let help = await client.request("textDocument/signatureHelp", place("'b'", 0, in: text, uri))["result"]
    #expect(help?["signatures"]?[0]?["label"] == "replace(text, from, to)" && help?["activeParameter"] == 2)
    let tokens = list(
      await client.request("textDocument/semanticTokens/full", ["textDocument": ["uri": .string(uri)]])["result"]?[
        "data"])
    // `host`, `session`, `token`.
    let first: [JSONValue] = [3, 13, 4, 0, 0, 0, 23, 7, 0, 0, 0, 8, 5, 1, 0]
    #expect(Array(tokens.prefix(15)) == first)
    let links = list(
      await client.request("textDocument/documentLink", ["textDocument": ["uri": .string(uri)]])["result"])
    #expect(links.count == 2 && links[0]["target"]?.stringValue?.hasSuffix("/login.yaml") == true)
    let position = place("POST", 1, in: text, uri)["position"] ?? .null
    var selection = await client.request(
      "textDocument/selectionRange", ["textDocument": ["uri": .string(uri)], "positions": [position]])["result"]?[0]
    var depth = 0
    while let next = selection?["parent"] { (selection, depth) = (next, depth + 1) }
    #expect(depth == 3)
    let symbols = list(await client.request("workspace/symbol", ["query": "LOG"])["result"])
    #expect(symbols.map { $0["name"] } == ["log in"])
    _ = await client.end()
  }
}
