import DemoServer
import Foundation
import ReqrunKit
import TestSupport
import Testing
import Values

@testable import AgentServer

@Suite("The limits of agents", .timeLimit(.minutes(10)))
struct SafetyTests {
  private func withAgent(
    _ files: [String: String], hosts: [String] = [], mayWrite: Bool = false,
    _ body: (Agent, TemporaryFolder) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(files)
    let agent = Agent(in: folder, hosts: hosts, mayWrite: mayWrite)
    try await body(agent, folder)
    #expect(await agent.end() == 0)
  }

  @Test("Nothing outside of the root is read, run, formatted or shown, by no path and no link")
  func root() async throws {
    let outside = try TemporaryFolder()
    defer { outside.remove() }
    try outside.write(["spec.yaml": "url:   http://h/private-name\n", "report.json": "{\"private-name\": 1}"])
    try await withAgent(["inside/a.yaml": "url: ${{ demo }}/get\n"]) { agent, folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/link.yaml", withDestinationPath: outside.path + "/spec.yaml")
      try FileManager.default.createSymbolicLink(atPath: folder.path + "/linked", withDestinationPath: outside.path)
      let name = outside.path.split(separator: "/").last ?? ""
      let paths = [
        outside.path, outside.path + "/spec.yaml", outside.path + "/spec.yaml:1", "../\(name)/spec.yaml",
        "inside/../../\(name)/spec.yaml", "link.yaml", "linked", "linked/spec.yaml", "linked/spec.yaml:1", "..", "/",
        "inside/../..",
      ]
      for tool in ["list", "check", "run", "format"] {
        for path in paths {
          let error = await agent.error(tool, ["files": [.string(path)]])
          #expect(error.contains("outside"), "\(tool) \(path): \(error)")
        }
        // Standard input is the protocol's.
        #expect(await agent.error(tool, ["files": ["-"]]).contains("there is no file"))
        #expect(await agent.error(tool).contains("link.yaml lies outside"), "links that are found")
      }
      for path in [outside.path + "/report.json", "../\(name)/report.json", "linked/report.json"] {
        #expect(await agent.error("show", ["report": .string(path)]).contains("below the root"))
      }
      #expect(!agent.received.contains("private-name"))
      #expect(outside.text("spec.yaml") == "url:   http://h/private-name\n")
      #expect(await agent.content("run", ["files": ["inside"]])["counts"]?["passed"] == 1)
    }
  }

  @Test(
    "A host is allowed by its name, with a port or without, and by that of its parent",
    arguments: [
      ("example.org", "https://example.org/", true), ("example.org", "http://EXAMPLE.org:81/", true),
      ("example.org", "https://a.example.org/", false), ("example.org", "https://example.org.evil.net/", false),
      ("example.org", "https://evil.net/?example.org", false), ("example.org:443", "https://example.org/", true),
      ("example.org:443", "http://example.org/", false), ("*.example.org", "https://a.b.example.org/", true),
      ("*.example.org", "https://example.org/", false), ("*.example.org", "https://evilexample.org/", false),
      ("[::1]:80", "http://[::1]/", true), ("127.0.0.1", "http://127.0.0.1:8080/", true),
      ("bücher.example", "http://xn--bcher-kva.example/", true),
    ])
  func hosts(allowed: String, url: String, isAllowed: Bool) throws {
    let host = try #require(AllowedHost(allowed))
    let target = try HTTPURL(parsing: url)
    #expect(host.allows(target) == isAllowed)
  }

  @Test("What isn't a host is none", arguments: ["", "*", "*.", "http://a", "a/b", "u@a", "a?b", "a:x"])
  func noHosts(text: String) { #expect(AllowedHost(text) == nil) }

  @Test("A request of an agent goes to allowed hosts alone, also by redirects and for tokens")
  func sending() async throws {
    let demo = try DemoAPI.start()
    defer { demo.stop() }
    let address = demo.address
    let other = address.replacing("127.0.0.1", with: "localhost")
    let files = ["reqrun.yaml": "variables: {base: \"\(address)\"}\n"]
    try await withAgent(files) { agent, _ in
      #expect(await agent.error("send", ["url": .string(address)]).contains("--allow-send"))
    }
    try await withAgent(files, hosts: ["127.0.0.1"]) { agent, _ in
      let sent = await agent.content(
        "send",
        [
          "url": "${{ base }}/anything", "method": "PUT", "headers": ["X-A": "b"], "query": ["q": 1],
          "json": ["a": [1, .null]], "expect": ["json": ["$.method": "PUT"]],
        ])
      #expect(sent["outcome"] == "passed", "\(sent)")
      let body = sent["exchanges"]?[0]?["response"]?["body"]?.stringValue ?? ""
      #expect(body.contains("?q=1") && body.contains("X-A"))
      #expect(sent["exchanges"]?[0]?["request"]?["body"]?.stringValue == "{\"a\":[1,null]}")
      let failed = await agent.content("send", ["url": .string(address), "expect": ["status": 201]])
      #expect(failed["outcome"] == "failed" && failed["failures"]?[0]?["actual"] == "200")
      #expect(await agent.content("send", ["url": "\(address)/status/500"])["status"] == 500)
      let near = "\(address)/redirect-to?url=\(address)/get"
      #expect(await agent.content("send", ["url": .string(near)])["exchanges"]?.items.count == 2)
      for url in [other, "\(address)/redirect-to?url=\(other)/get"] {
        let error = await agent.error("send", ["url": .string(url)])
        #expect(error.contains("localhost:") && error.contains("is not allowed, only 127.0.0.1"), "\(error)")
      }
      let path = try #require(ProcessInfo.processInfo.environment["PATH"])
      #expect(await agent.content("send", ["url": "${{ base }}/anything", "json": "${{ env.PATH }}"])["status"] == 200)
      #expect(!agent.received.contains(path))
      #expect(await agent.error("send", ["url": "${{ nope }}"]).contains("there is no variable `nope`"))
      #expect(await agent.error("send", ["url": .string(address), "download": "x"]).contains("no argument `download`"))
    }
    // The project's own credentials serve the agent, which never sees them.
    let grant = "grant_type: client_credentials, client_id: reqrun, client_secret: reqrun-secret"
    let project = "defaults: {auth: {oauth2: {\(grant), token_url: \"\(other)/oauth2/token\"}}}\n"
    try await withAgent(["reqrun.yaml": project], hosts: ["127.0.0.1"]) { agent, _ in
      let error = await agent.error("send", ["url": "\(address)/oauth2/resource"])
      #expect(error.contains("localhost:") && error.contains("is not allowed"), "\(error)")
    }
    try await withAgent(["reqrun.yaml": project], hosts: ["127.0.0.1", "localhost"]) { agent, _ in
      #expect(await agent.content("send", ["url": "\(address)/oauth2/resource"])["status"] == 200)
      #expect(!agent.received.contains("reqrun-secret"))
    }
  }

  private static let writers = [
    "cache.yaml": """
    requests:
      - {url: "${{ demo }}/cache/60", session: {cache: protocol, cache_directory: cached}}
    """,
    "token.yaml": """
    url: ${{ demo }}/oauth2/resource
    auth:
      oauth2:
        grant_type: client_credentials
        token_url: ${{ demo }}/oauth2/token
        client_id: reqrun
        client_secret: reqrun-secret
        token_cache: tokens.json
    """,
    "snapshot.yaml": "url: ${{ demo }}/json\nexpect: {snapshot: true}\n",
  ]

  @Test("A run writes nothing unless it may: no cached responses, tokens and snapshots")
  func writing() async throws {
    func names(in folder: TemporaryFolder) throws -> Set<String> {
      Set(try FileManager.default.subpathsOfDirectory(atPath: folder.path))
    }
    try await withAgent(SafetyTests.writers) { agent, folder in
      let before = try names(in: folder)
      let result = await agent.call("run")
      #expect(result["structuredContent"]?["counts"]?["passed"] == 3, "\(result)")
      let after = try names(in: folder)
      #expect(after == before)
    }
    try await withAgent(SafetyTests.writers, mayWrite: true) { agent, folder in
      let result = await agent.call("run")
      #expect(result["structuredContent"]?["counts"]?["passed"] == 3, "\(result)")
      let after = try names(in: folder)
      #expect(after.isSuperset(of: ["cached", "tokens.json"]))
    }
  }

  @Test(
    "A spec that writes a file is refused before anything is sent, unless it may",
    arguments: [
      "url: ${{ demo }}/get\ndownload: {to: out.json}\n", "url: ${{ demo }}/get\ndownload: {to: made/}\n",
      "url: ${{ demo }}/zip\ndownload: {to: a.zip, unzip: tree}\n",
      "url: ${{ demo }}/hls/low/playlist.m3u8\nhls: {to: stream}\n",
    ])
  func downloads(spec: String) async throws {
    try await withAgent(["a.yaml": spec]) { agent, folder in
      let error = await agent.error("run")
      #expect(error.contains("cannot be written") && error.contains("--allow-write"), "\(error)")
      let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      #expect(left == ["a.yaml"])
    }
  }

  @Test("200 secrets of variables, environments, files and responses are in no message")
  func secrets() async throws {
    let secrets = (0..<200).map { "s\($0)-\(String(($0 + 7) * 7_919_993, radix: 36))-é\"q" }
    func lines(_ range: Range<Int>) -> String {
      range.map { "  v\($0): '\(secrets[$0])'\n" }.joined()
    }
    let all = (0..<200).map { "${{ v\($0) }}" }
    let project = """
      variables: {token: plain}
      secrets:
      \(lines(0..<50))
      environments:
        staging:
          secrets:
      \(lines(50..<100).replacing("  v", with: "      v"))
      """
    let dotenv = (100..<150).map { "v\($0)='\(secrets[$0])'\n" }.joined()
    let spec = """
      defaults: {continue_on_failure: true}
      secrets:
      \(lines(150..<200))\((100..<150).map { "  v\($0): \"${{ given\($0) }}\"\n" }.joined())
      requests:
        - name: echo ${{ v1 }}
          url: ${{ demo }}/anything/${{ v60 }}?q=${{ v2 }}
          method: POST
          headers: {Authorization: "Bearer ${{ v3 }}", X-Other: "${{ v199 | base64 }}"}
          json: [\(all.map { "\"\($0)\"" }.joined(separator: ", "))]
          expect: {json: {$.json: [], $.method: "${{ v120 }}"}, body: {contains: "${{ v180 }}x"}}
          capture: {seen: $.json}
        - {name: again, url: "${{ demo }}/anything", json: "${{ seen }}", method: POST, expect: {status: 201}}
        - {url: "http://${{ v4 | base64url }}.invalid/${{ v5 }}"}

      """
    let files = [
      "reqrun.yaml": project, "a.yaml": spec, ".env": dotenv.replacing("v1", with: "given1"),
      "broken.yaml": """
      secrets: {pass: '\(secrets[9])', pass: '\(secrets[10])'}
      url: http://u:\(secrets[11])@h/
      x: 1

      """,
    ]
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(files)
    let agent = Agent(in: folder, hosts: ["127.0.0.1"]) { options in
      options.environment = "staging"
      options.envFiles = [folder.path + "/.env"]
    }
    for tool in ["list", "check", "run", "format"] { _ = await agent.call(tool) }
    let run = await agent.call("run", ["files": ["a.yaml"]])
    #expect(run["structuredContent"]?["counts"]?["failed"] == 2, "\(run)")
    for request in ["a.yaml:300", "again"] { _ = await agent.call("show", ["request": .string(request)]) }
    _ = await agent.call("show")
    let values: JSONValue = ["${{ v60 }}", "${{ v8 }}"]
    _ = await agent.call(
      "send", ["url": "${{ demo }}/anything/${{ v7 }}", "json": values, "expect": ["status": 201]])
    #expect(await agent.end() == 0)
    let received = agent.received
    #expect(received.contains("***"))
    for (number, secret) in secrets.enumerated() {
      let forms = [secret, secret.replacing("\"", with: "\\\""), String(secret.prefix { $0 != "é" })]
      #expect(!forms.contains { received.contains($0) }, "secret \(number)")
    }
  }
}
