import Foundation
import ReqrunKit
import TestSupport
import Testing

@testable import LanguageServer

@Suite("The language server", .timeLimit(.minutes(10)))
struct LanguageServerTests {
  private static let uri = "file:///nowhere/api.yaml"
  private static let text = """
    variables:
      host: http://127.0.0.1:1
    requests:
      - name: log in
        url: ${{ host }}/login
        capture: {token: $.token}
      - name: me
        url: ${{ host }}/me
        headers: {Authorization: "Bearer ${{ to }}"}
        expect:
          stauts: 200

    """

  private func position(_ needle: String, after count: Int = 0, in text: String = text) -> JSONValue {
    let before = text[..<(text.range(of: needle)?.lowerBound ?? text.startIndex)]
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    return [
      "line": .number(String(lines.count - 1)), "character": .number(String((lines.last?.utf16.count ?? 0) + count)),
    ]
  }

  private func place(_ position: JSONValue) -> JSONValue {
    ["textDocument": ["uri": .string(LanguageServerTests.uri)], "position": position]
  }

  private func started(_ text: String = text) async -> Client {
    let client = Client()
    _ = await client.initialize()
    client.open(LanguageServerTests.uri, text)
    return client
  }

  @Test("Errors of the open text are published with its version, and again after a change")
  func changes() async {
    let client = await started()
    let problems = await client.diagnostics(LanguageServerTests.uri)
    #expect(problems.map { $0["range"]?["start"]?["line"]?.intValue } == [8, 10])
    #expect(problems.first?["message"]?.stringValue?.contains("there is no variable `to`") == true)
    client.notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(LanguageServerTests.uri), "version": 2],
        "contentChanges": [
          ["range": ["start": position("stauts"), "end": position("stauts", after: 6)], "text": "status"],
          ["range": ["start": position("to }}", after: 2), "end": position("to }}", after: 2)], "text": "ken"],
        ],
      ])
    #expect(await client.diagnostics(LanguageServerTests.uri, version: 2).isEmpty)
    #expect(await client.request("shutdown", .null)["result"] == .null)
    client.notify("exit", .null)
    #expect(await client.end() == 0)
  }

  @Test("An OpenAPI document is checked by itself, also after a change and while it is broken")
  func contracts() async throws {
    let text = """
      openapi: 3.1.0
      info: {title: t, version: "1"}
      paths:
        /a: {get: {responses: {"200": {description: ok, content: {application/json: {schema: {typ: object}}}}}}}

      """
    let directory = try TemporaryFolder()
    defer { directory.remove() }
    try directory.write(["api.yaml": text])
    let uri = "file://\(directory.path)/api.yaml"
    let client = Client()
    _ = await client.initialize()
    client.open(uri, text)
    let problems = await client.diagnostics(uri)
    #expect(problems.map { $0["range"]?["start"]?["line"]?.intValue } == [3])
    #expect(problems.first?["message"]?.stringValue?.contains("`typ`") == true, "\(problems)")
    for (version, change, lines) in [(2, "type: object}", []), (3, "{{", [3])] {
      let whole = text.replacingOccurrences(of: "typ: object}", with: change)
      client.notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .string(uri), "version": .number("\(version)")],
          "contentChanges": [["text": .string(whole)]],
        ])
      let problems = await client.diagnostics(uri, version: version)
      #expect(problems.map { $0["range"]?["start"]?["line"]?.intValue } == lines)
    }
    _ = await client.end()
  }

  @Test("A client that is gone ends the server with an error")
  func goneClient() async {
    let client = await started()
    #expect(await client.end() == 1)
  }

  @Test("Columns count UTF-16 code units, or bytes where the client wants that", arguments: [false, true])
  func encodings(isUTF8: Bool) async {
    let client = Client()
    let result = await client.initialize(isUTF8 ? ["utf-8", "utf-16"] : [])
    #expect(result["result"]?["capabilities"]?["positionEncoding"]?.stringValue == (isUTF8 ? "utf-8" : "utf-16"))
    client.open(LanguageServerTests.uri, "url: http://h/\nexpect: {json: {\"$.é😀\": 1}, stauts: 200}\n")
    let problems = await client.diagnostics(LanguageServerTests.uri)
    #expect(problems.first?["range"]?["start"]?["character"]?.intValue == (isUTF8 ? 32 : 29))
    _ = await client.end()
  }

  @Test("Templates are completed with the names that can be read there, and where they come from")
  func names() async {
    let client = await started()
    func labels(_ position: JSONValue) async -> [String: String] {
      let response = await client.request("textDocument/completion", place(position))
      guard case .array(let items)? = response["result"]?["items"] else { return [:] }
      return Dictionary(
        items.map { ($0["label"]?.stringValue ?? "", $0["detail"]?.stringValue ?? "") }, uniquingKeysWith: { $1 })
    }
    let second = await labels(position("to }}", after: 2))
    #expect(second["token"] == "captured by \"log in\", line 4, secret")
    #expect(second["host"] == "variable of api.yaml")
    #expect(second["random_int"] == "random_int(from, to)" || second["random_int"] != nil)
    let first = await labels(position("host }}/login"))
    #expect(first["token"] == nil && first["host"] != nil)
    _ = await client.end()
  }

  @Test("Keys and values of the format are completed, without a second colon or lost indentation")
  func keys() async {
    let client = await started("requests:\n  - url: a\n    exp\n    method: \n    expect: {sta: 1}\n")
    func texts(_ line: Int, _ column: Int) async -> [String] {
      let place: JSONValue = ["line": .number(String(line)), "character": .number(String(column))]
      let response = await client.request("textDocument/completion", self.place(place))
      guard case .array(let items)? = response["result"]?["items"] else { return [] }
      return items.compactMap { $0["textEdit"]?["newText"]?.stringValue }
    }
    let keys = await texts(2, 7)
    #expect(keys.contains("capture: ") || keys.contains("capture:\n      "))
    #expect(!keys.contains { $0.hasPrefix("url") })
    #expect(await texts(4, 16).contains("status"))
    #expect(await texts(0, 0).contains("variables"))
    _ = await client.end()
  }

  @Test("Names have a hover, a definition and references; keys have their documentation")
  func navigation() async {
    let client = await started()
    let place = place(position("host }}/me"))
    let hover = await client.request("textDocument/hover", place)["result"]?["contents"]?["value"]?.stringValue
    #expect(hover == "`host`: variable of api.yaml")
    let key = await client.request("textDocument/hover", self.place(position("expect:")))["result"]
    #expect(key?["contents"]?["value"]?.stringValue?.hasPrefix("`expect`: ") == true)
    let definition = await client.request("textDocument/definition", place)["result"]
    #expect(definition?["uri"]?.stringValue == LanguageServerTests.uri)
    #expect(definition?["range"]?["start"] == position("host: http"))
    guard case .array(let places)? = await client.request("textDocument/references", place)["result"] else {
      Issue.record("no list")
      return
    }
    #expect(places.count == 3)
    _ = await client.end()
  }

  @Test("An error with one likely correction has a quick fix")
  func codeActions() async {
    let client = await started()
    let range: JSONValue = ["start": position("stauts"), "end": position("stauts", after: 1)]
    let response = await client.request(
      "textDocument/codeAction",
      ["textDocument": ["uri": .string(LanguageServerTests.uri)], "range": range, "context": ["diagnostics": []]])
    let edit = response["result"]?[0]?["edit"]?["changes"]?[LanguageServerTests.uri]?[0]
    #expect(edit?["newText"]?.stringValue == "status")
    #expect(response["result"]?[1] == nil)
    _ = await client.end()
  }

  @Test("Requests are symbols, and the file is formatted")
  func symbols() async {
    let client = await started("requests:\n-   url: http://h/\n    name: a\n- url: http://h/b\n")
    let document: JSONValue = ["textDocument": ["uri": .string(LanguageServerTests.uri)]]
    let symbols = await client.request("textDocument/documentSymbol", document)["result"]
    #expect(symbols?[0]?["name"]?.stringValue == "a" && symbols?[1] != nil && symbols?[2] == nil)
    let edit = await client.request("textDocument/formatting", document)["result"]?[0]?["newText"]?.stringValue
    #expect(edit == "requests:\n  - url: http://h/\n    name: a\n\n  - url: http://h/b\n")
    _ = await client.end()
  }

  @Test("Files of other tools have no diagnostics and no symbols")
  func otherFiles() async {
    let client = await started("services:\n  web:\n    image: nginx\n    stauts: 1\n")
    #expect(await client.diagnostics(LanguageServerTests.uri).isEmpty)
    let document: JSONValue = ["textDocument": ["uri": .string(LanguageServerTests.uri)]]
    #expect(await client.request("textDocument/documentSymbol", document)["result"] == .array([]))
    _ = await client.end()
  }

  @Test("A file with shared parts stays a spec while its YAML is broken")
  func brokenParts() async {
    let client = await started("variables:\n  a: 1\n")
    #expect(await client.diagnostics(LanguageServerTests.uri).isEmpty)
    client.notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(LanguageServerTests.uri), "version": 2],
        "contentChanges": [["text": "variables\n  a: 1\n"]],
      ])
    #expect(await client.diagnostics(LanguageServerTests.uri, version: 2).count == 1)
    _ = await client.end()
  }

  @Test("Unknown methods, early requests, cancelled ones and what isn't JSON have error codes")
  func errors() async {
    let client = Client()
    #expect(await client.request("textDocument/hover", .null)["error"]?["code"]?.intValue == -32002)
    _ = await client.initialize()
    #expect(await client.request("no/method", .null)["error"]?["code"]?.intValue == -32601)
    client.send(Array("Content-Length: 3\r\n\r\n{a}".utf8))
    #expect(await client.next { $0["id"] == .null }["error"]?["code"]?.intValue == -32700)
    client.notify("$/cancelRequest", ["id": 4])
    #expect(await client.request("shutdown", .null)["error"]?["code"]?.intValue == -32800)
    client.send(Array("Content-Length: -1\r\n\r\n".utf8))
    #expect(await client.end() == 1)
  }

  @Test("Errors are those of `check`, for all examples, with a mistake and half typed")
  func examples() async throws {
    let client = Client()
    _ = await client.initialize()
    for file in exampleFiles() {
      let text = try String(contentsOf: file, encoding: .utf8)
      let uri = "file://\(file.path)"
      let cuts = (1..<6).map { String(text.prefix(text.count * $0 / 6)) }
      for text in [text.replacing("expect:", with: "expct:", maxReplacements: 1)] + cuts {
        client.open(uri, text)
        let published = await client.diagnostics(uri).compactMap { $0["message"]?.stringValue }
        let checked = await Runner(specs: [.text(text, name: file.path)]).check().diagnostics
          .filter { $0.path == file.path }
        let expected = checked.map { $0.message + ($0.fix.map { "\n\($0)" } ?? "") }
        // A file without content isn't a spec yet.
        #expect(
          published == expected || expected.first?.hasPrefix("the file is empty") == true, "\(file.path): \(text.count)"
        )
        client.notify("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
      }
    }
    _ = await client.end()
  }
}
