import Foundation
import ReqrunKit
import TestSupport
import Testing
import Values

@testable import LanguageServer

@Suite("Code actions", .timeLimit(.minutes(5)))
struct CodeActionTests {
  /// The texts after each action at the place of the `|` of a text, by their titles.
  private func results(
    of marked: String, beside files: [String: String] = [:], triggerKind: Int = 1
  ) async throws -> [String: String] {
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
        "context": ["diagnostics": [], "triggerKind": .number(String(triggerKind))],
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
    let source = SourceText(name: "", text: text)
    let result = source.applying(
      try edits.map { edit in
        let start = try #require(source.offset(of: edit["range"]?["start"], .utf16))
        let end = try #require(source.offset(of: edit["range"]?["end"], .utf16))
        return TextEdit(range: SourceRange(source, start..<end), text: try #require(edit["newText"]?.stringValue))
      })
    return result.text(in: 0..<result.utf8.count)
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

  @Test(
    "Help that says what to write is a quick fix, if nothing else is wrong after it",
    arguments: [
      ("url: http://h/\nexpect: {duration: {at_most: |5}}\n", "url: http://h/\nexpect: {duration: {at_most: 5s}}\n"),
      ("url: http://h/\nexpect: {json: {\"$.a[|0\": 1}}\n", "url: http://h/\nexpect: {json: {\"$.a[0]\": 1}}\n"),
      (
        "url: http://h/\nexpect: {json: {$.a: {includes: [1], |unordered: true}}}\n",
        "url: http://h/\nexpect: {json: {$.a: {includes: [1]}}}\n"
      ),
      ("url: http://h/\njson: |[1, 2\n", "url: http://h/\njson: [1, 2]\n"),
      ("url: http://h/\njson: {a: |True}\n", "url: http://h/\njson: {a: \"True\"}\n"),
    ])
  func help(_ text: String, _ wanted: String) async throws {
    let changes = try await results(of: text)
    #expect(changes.values.contains(wanted), "\(changes)")
  }

  @Test("A setting of a request moves to the defaults, from all requests that have the same")
  func defaults() async throws {
    let text = """
      requests:
        - url: http://h/a
          header|s:
            Accept: a/b
          expect: {status: 200}
        - url: http://h/b
          headers:
            Accept: a/b

      """
    let wanted = """
      defaults:
        headers:
          Accept: a/b
      requests:
        - url: http://h/a
          expect: {status: 200}
        - url: http://h/b

      """
    let found = try await results(of: text)["Move `headers` to the defaults"]
    #expect(found == wanted, "\(found ?? "")")
    let other = "requests:\n  - ur|l: http://h/a\n"
    #expect(try await results(of: other)["Move `url` to the defaults"] == nil)
  }

  @Test("A value is quoted")
  func quotes() async throws {
    let title = "Quote the value"
    #expect(
      try await results(of: "url: http://h/\njson: {a: 1|2, b: c}\n")[title]
        == "url: http://h/\njson: {a: '12', b: c}\n")
    #expect(try await results(of: "url: http://h/\njson: {a: 'x|y'}\n")[title] == nil)
    // The cursor moved, and nobody asked.
    #expect(try await results(of: "url: http://h/\njson: {a: 1|2, b: c}\n", triggerKind: 2).isEmpty)
    // A number is wanted.
    #expect(try await results(of: "url: http://h/\npoll: {attempts: 1|2, until: {status: 200}}\n")[title] == nil)
  }

  @Test("Each change that an error or a warning of the cases suggests removes it")
  func corpus() async throws {
    let cases = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "EndToEndTests/Cases")
    var count = 0
    for name in ["reading", "matching", "templates", "captures"] {
      let folder = cases.appending(path: name).path
      for file in try FileManager.default.subpathsOfDirectory(atPath: folder) where file.hasSuffix(".yaml") {
        let path = "\(folder)/\(file)"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
        let problems = await problems(of: text, path)
        for problem in problems {
          guard let edit = problem.edit else { continue }
          var utf8 = Array(text.utf8)
          utf8.replaceSubrange(edit.range.bytes, with: edit.text.utf8)
          let left = await self.problems(of: String(decoding: utf8, as: UTF8.self), path)
          let isLeft = left.contains { $0.message == problem.message && $0.range?.line == problem.range?.line }
          #expect(!isLeft, "\(problem.range?.location ?? ""): \(problem.message): \(edit.text)")
          count += 1
        }
      }
    }
    #expect(count > 90)
  }

  private func problems(of text: String, _ path: String) async -> [Values.Diagnostic] {
    var options = RunOptions()
    options.specs = [.text(text, name: path)]
    return await Runner(options).inspect().diagnostics.filter { $0.range?.source.name == path }
  }
}
