import ReqrunKit
import TestSupport
import Testing

@testable import LanguageServer

@Suite("Code actions", .timeLimit(.minutes(5)))
struct CodeActionTests {
  /// The texts after each action at the place of the `|` of a text, by their titles.
  private func results(of marked: String, beside files: [String: String] = [:]) async throws -> [String: String] {
    let directory = try TemporaryFolder()
    defer { directory.remove() }
    let text = marked.replacing("|", with: "")
    let before = marked.prefix { $0 != "|" }.split(separator: "\n", omittingEmptySubsequences: false)
    try directory.write(files)
    let client = Client()
    _ = await client.request(
      "initialize", ["capabilities": [:], "rootUri": .string("file://\(directory.path)")])
    let uri = "file://\(directory.path)/api.yaml"
    client.open(uri, text)
    let position: JSONValue = [
      "line": .number(String(before.count - 1)), "character": .number(String(before.last?.count ?? 0)),
    ]
    let response = await client.request(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": .string(uri)], "range": ["start": position, "end": position],
        "context": ["diagnostics": []],
      ])
    guard case .array(let actions)? = response["result"] else { return [:] }
    var results: [String: String] = [:]
    for action in actions {
      guard case .array(let edits)? = action["edit"]?["changes"]?[uri] else { continue }
      results[action["title"]?.stringValue ?? ""] = try applied(edits, to: text)
    }
    _ = await client.end()
    return results
  }

  private func applied(_ edits: [JSONValue], to text: String) throws -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    func place(_ edit: JSONValue, _ end: String) throws -> (line: Int, column: Int) {
      let position = try #require(edit["range"]?[end])
      return (try #require(position["line"]?.intValue), try #require(position["character"]?.intValue))
    }
    // The last place first.
    for edit in try edits.sorted(by: { try place($0, "start") > place($1, "start") }) {
      let (start, end) = (try place(edit, "start"), try place(edit, "end"))
      let new = try #require(edit["newText"]?.stringValue)
      lines[start.line] = lines[start.line].prefix(start.column) + new + lines[end.line].dropFirst(end.column)
    }
    return lines.joined(separator: "\n")
  }

  @Test("A value becomes a variable of the file")
  func extraction() async throws {
    let block = try await results(of: "# Users\nrequests:\n  - url: http://h|/users\n    method: GET\n")
    #expect(
      block["Extract the variable `base`"]
        == "# Users\nvariables:\n  base: http://h/users\nrequests:\n  - url: ${{ base }}\n    method: GET\n")
    let flow = try await results(
      of: "variables:\n  a: 1\nrequests:\n  - url: http://h/\n    query: {page: 1|2, size: 3}\n")
    #expect(
      flow["Extract the variable `page`"]
        == "variables:\n  page: 12\n  a: 1\nrequests:\n  - url: http://h/\n    query: {page: \"${{ page }}\", size: 3}\n"
    )
    for nothing in ["variables:\n  a: |1\nrequests:\n  - url: u\n", "requests:\n  - url: http://h/${{ now| }}\n"] {
      #expect(try await results(of: nothing).keys.filter { $0.hasPrefix("Extract") } == [])
    }
  }

  @Test("An unknown name is declared, or taken from a file that captures it")
  func unknownNames() async throws {
    let text = "requests:\n  - url: http://h/${{ tok|en }}\n"
    let found = try await results(
      of: text,
      beside: ["auth/login.yaml": "url: http://h/\ncapture: {token: $.t}\n", "other.yaml": "url: http://h/\n"])
    let rest = "requests:\n  - url: http://h/${{ token }}\n"
    #expect(
      found == [
        "Take `token` from auth/login.yaml": "needs:\n  - auth/login.yaml\n" + rest,
        "Declare the variable `token`": "variables:\n  token: \"\"\n" + rest,
      ])
  }
}
