import ReqrunKit
import TestSupport
import Testing

@Suite("The tools of agents", .timeLimit(.minutes(10)))
struct ToolTests {
  private static let files = [
    "api.yaml": """
    requests:
      - name: fine
        tags: [smoke]
        url: ${{ demo }}/anything
        method: POST
        json: {who: Ann}
        expect: {status: 200}
      - name: wrong
        url: ${{ demo }}/anything?x=1
        expect:
          json: {$.method: PUT}

    """,
    "deep/more.yaml": "url: ${{ demo }}/status/503\nname: sick\nexpect: {status: 200}\n",
  ]

  private func withAgent(
    _ files: [String: String] = files, mayWrite: Bool = false, _ body: (Agent, TemporaryFolder) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(files)
    let agent = Agent(in: folder, mayWrite: mayWrite)
    try await body(agent, folder)
    #expect(await agent.end() == 0)
  }

  @Test("Requests are listed with lines and tags, and selected as by the command")
  func lists() async throws {
    try await withAgent { agent, folder in
      let all = await agent.content("list")
      #expect(all["requests"]?.items.compactMap { $0["name"]?.stringValue } == ["fine", "wrong", "sick"])
      #expect(all["requests"]?[0]?["line"] == 2)
      #expect(all["requests"]?[0]?["tags"] == ["smoke"])
      for arguments: JSONValue in [["tags": ["smoke"]], ["files": ["api.yaml:4"]], ["name": "fi*"]] {
        let some = await agent.content("list", arguments)
        #expect(some["requests"]?.items.compactMap { $0["name"]?.stringValue } == ["fine"], "\(arguments)")
      }
      let place = all["requests"]?[2]?["file"]?.stringValue ?? ""
      #expect(place == folder.path + "/deep/more.yaml")
      #expect(await agent.content("list", ["files": [.string(place)]])["request_count"] == 1)
      #expect(await agent.error("list", ["files": ["none.yaml"]]).contains("there is no file or directory"))
    }
  }

  @Test("A check has the errors of specs with their places, as one of the command does")
  func checks() async throws {
    try await withAgent(["a.yaml": "url: http://h/\nexpect: {stauts: 200}\n"]) { agent, _ in
      let result = await agent.content("check")
      #expect(result["diagnostics"]?[0]?["place"]?["start"]?["line"] == 2)
      #expect(result["diagnostics"]?[0]?["edits"]?[0]?["text"] == "status")
    }
  }

  @Test("A run has counts and what failed; a request of it is shown by its line or its name")
  func runs() async throws {
    try await withAgent { agent, folder in
      let result = await agent.content("run")
      #expect(result["exit_code"] == 1)
      #expect(result["counts"] == ["passed": 1, "failed": 2, "transport_errors": 0, "spec_errors": 0, "skipped": 0])
      let wrong = try #require(result["failures"]?.items.first { $0["name"] == "wrong" })
      #expect(wrong["place"]?.stringValue == folder.path + "/api.yaml:8")
      #expect(wrong["failures"]?[0]?["place"]?.stringValue?.hasPrefix(folder.path + "/api.yaml:11:") == true)
      #expect(wrong["failures"]?[0]?["assertion"]?.stringValue == "json $.method equals \"PUT\"")
      #expect(wrong["failures"]?[0]?["actual"]?.stringValue == "\"GET\"")
      #expect(wrong["exchange"]?["response"]?["status"] == 200)
      #expect(wrong["exchange"]?["response"]?["body"]?.stringValue?.contains("/anything?x=1") == true)
      let fine = await agent.content("show", ["request": "fine"])
      #expect(fine["exchanges"]?[0]?["request"]?["body"]?.stringValue == "{\"who\":\"Ann\"}")
      #expect(fine["exchanges"]?[0]?["request"]?["headers"]?.items.contains("Content-Type: application/json") == true)
      for line in [8, 11] {
        #expect(await agent.content("show", ["request": .string("api.yaml:\(line)")])["name"] == "wrong")
      }
      #expect(await agent.call("show")["structuredContent"] == result)
      #expect(await agent.error("show", ["request": "other"]).contains("api.yaml:8 wrong"))
      #expect(await agent.content("run", ["files": ["api.yaml:2"]])["counts"]?["passed"] == 1)
      #expect(await agent.error("run", ["tags": ["none"]]).contains("no request"))
    }
  }

  @Test("A JSON report is shown like the last run")
  func reports() async throws {
    try await withAgent { agent, folder in
      var options = RunOptions()
      options.demo = true
      options.reports = [.json(path: folder.path + "/report.json")]
      _ = await Runner(specs: [.path(folder.path)], options: options).run()
      #expect(await agent.content("show", ["report": "report.json"])["counts"]?["failed"] == 2)
      let shown = await agent.content("show", ["report": "report.json", "request": "wrong"])
      #expect(shown["exchanges"]?[0]?["response"]?["body"]?.stringValue?.contains("/anything?x=1") == true)
      #expect(await agent.error("show", ["report": "api.yaml"]).contains("report"))
    }
  }

  @Test("Unformatted files are returned with their text, unless that has secrets; with leave to write they are written")
  func formats() async throws {
    let files = [
      "a.yaml": "url:   http://h/\n",
      "b.yaml": "url:   http://h/\nauth: {basic: {username: a, password: pw-771}}\n",
    ]
    try await withAgent(files) { agent, folder in
      let result = await agent.content("format")
      #expect(result["files"]?[0]?["text"] == "url: http://h/\n")
      #expect(result["files"]?.items.count == 2)
      #expect(result["files"]?[1]?["text"] == nil)
      #expect(folder.text("a.yaml") == files["a.yaml"])
      #expect(!agent.received.contains("pw-771"))
    }
    // A text is whole, or absent.
    let spec = "url:   http://h/\(String(repeating: "x", count: 3_000))\n"
    let long = Dictionary(uniqueKeysWithValues: (0..<9).map { ("f\($0).yaml", spec) })
    try await withAgent(long) { agent, _ in
      let files = await agent.content("format")["files"]?.items ?? []
      #expect(files.count == 9)
      let texts = files.compactMap { $0["text"]?.stringValue }
      #expect(texts.count == 2 && texts.allSatisfy { $0.hasSuffix("x\n") && $0.utf8.count > 3_000 })
    }
    try await withAgent(files, mayWrite: true) { agent, folder in
      #expect(await agent.content("format", ["files": ["a.yaml"]])["written"] == true)
      #expect(folder.text("a.yaml") == "url: http://h/\n")
      #expect(folder.text("b.yaml") == files["b.yaml"])
    }
  }

  @Test("A result has at most 20 KB, and says what is missing")
  func sizes() async throws {
    let rows = (0..<300).map { "{n: \($0)}" }.joined(separator: ", ")
    let many = """
      requests:
        - name: row ${{ row.n }}
          each: [\(rows)]
          url: ${{ demo }}/anything?n=${{ row.n }}&pad=\(String(repeating: "é", count: 400))
          expect: {json: {$.method: PUT}}

      """
    try await withAgent(["many.yaml": many, "big.yaml": "url: ${{ demo }}/bytes/900000\nname: big\n"]) { agent, _ in
      let result = await agent.call("run")
      #expect((5_000...20_500).contains(result.text.utf8.count), "\(result.text.utf8.count)")
      let content = result["structuredContent"]
      let shown = content?["failures"]?.items.count ?? 0
      #expect(content?["omitted"]?.intValue == 300 - shown)
      #expect(content?["note"]?.stringValue?.contains("cut to 20 KB") == true)
      for arguments: JSONValue in [["request": "big"], ["request": "row 7"]] {
        let text = await agent.call("show", arguments).text
        #expect((300...20_500).contains(text.utf8.count), "\(text.utf8.count)")
      }
    }
  }

  @Test("A run reports its progress, and ends when it is cancelled; other requests are answered meanwhile")
  func cancelling() async throws {
    let slow = String(repeating: "  - url: ${{ demo }}/delay/10\n", count: 9)
    let files = ["slow.yaml": "requests:\n  - url: ${{ demo }}/get\n\(slow)"]
    try await withAgent(files) { agent, _ in
      let run: JSONValue = ["name": "run", "arguments": [:], "_meta": ["progressToken": "p"]]
      let id = agent.start("tools/call", run)
      let progress = await agent.next { $0["method"] == "notifications/progress" }["params"]
      #expect(progress?["progressToken"] == "p" && progress?["progress"] == 1)
      #expect(await agent.request("ping", [:])["result"] == [:])
      agent.notify("notifications/cancelled", ["requestId": id])
      var shown = await agent.call("show")
      while shown.text.contains("nothing has run yet") {
        try await Task.sleep(for: .milliseconds(20))
        shown = await agent.call("show")
      }
      let passed = try #require(shown["structuredContent"]?["counts"]?["passed"]?.intValue)
      #expect((1...8).contains(passed))
      #expect(!agent.received.contains("\"id\":\(id),"))
    }
  }
}
