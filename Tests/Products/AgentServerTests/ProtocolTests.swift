import ReqrunKit
import TestSupport
import Testing

@Suite("The protocol of agents", .timeLimit(.minutes(10)))
struct ProtocolTests {
  private func withAgent(_ body: (Agent) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let agent = Agent(in: folder)
    try await body(agent)
    #expect(await agent.end() == 0)
  }

  @Test(
    "The version of the client is taken if it is known, else the newest",
    arguments: [
      ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
      ("2025-11-25", "2025-11-25"), ("2199-01-01", "2025-11-25"),
    ])
  func versions(wanted: String, given: String) async throws {
    try await withAgent { agent in
      let client: JSONValue = ["name": "test", "version": "1"]
      let result = await agent.request(
        "initialize", ["protocolVersion": .string(wanted), "capabilities": [:], "clientInfo": client])["result"]
      #expect(result?["protocolVersion"]?.stringValue == given)
      #expect(result?["serverInfo"] == ["name": "reqrun", "version": .string(Runner.version)])
      #expect(result?["capabilities"] == ["tools": [:], "resources": [:]])
      agent.notify("notifications/initialized", [:])
      #expect(await agent.request("ping", [:])["result"] == [:])
    }
  }

  @Test("What isn't a request of the protocol is an error of JSON-RPC, and the next request is answered")
  func errors() async throws {
    try await withAgent { agent in
      #expect(await agent.request("prompts/list", [:])["error"]?["code"]?.intValue == -32601)
      #expect(await agent.request("tools/call", ["name": "rum"])["error"]?["code"]?.intValue == -32602)
      let noPage = await agent.request("resources/read", ["uri": "reqrun://docs/../x"])
      #expect(noPage["error"]?["code"]?.intValue == -32002)
      agent.send(Array("{a}\n".utf8))
      #expect(await agent.next { $0["id"] == .null }["error"]?["code"]?.intValue == -32700)
      agent.send(["id": 90, "jsonrpc": "2.0"])
      #expect(await agent.next { $0["id"] == 90 }["error"]?["code"]?.intValue == -32600)
      agent.send([["jsonrpc": "2.0", "id": 91, "method": "ping"], ["jsonrpc": "2.0", "id": 92, "method": "ping"]])
      for id in [91, 92] { #expect(await agent.next { $0["id"]?.intValue == id }["result"] == [:]) }
    }
  }

  @Test("Tools have schemas of their arguments, and say what they do to files and servers")
  func tools() async throws {
    try await withAgent { agent in
      let tools = await agent.request("tools/list", [:])["result"]?["tools"]?.items ?? []
      #expect(tools.compactMap { $0["name"]?.stringValue } == ["list", "check", "run", "show", "send", "format"])
      let readers = tools.filter { $0["annotations"]?["readOnlyHint"] == true }
      #expect(readers.compactMap { $0["name"]?.stringValue } == ["list", "check", "show", "format"])
      let senders = tools.filter { $0["annotations"]?["openWorldHint"] == true }
      #expect(senders.compactMap { $0["name"]?.stringValue } == ["run", "send"])
      for tool in tools {
        #expect(tool["inputSchema"]?["type"] == "object")
        #expect(tool["description"]?.stringValue?.hasSuffix(".") == true)
      }
      // Each word of them is in the context of the agent.
      #expect(JSONValue.array(tools).description.utf8.count < 7_000)
    }
  }

  @Test("Wrong arguments are results that an agent can correct")
  func arguments() async throws {
    try await withAgent { agent in
      #expect(await agent.error("run", ["fils": []]).contains("did you mean `files`?"))
      #expect(await agent.error("run", ["files": "a.yaml"]).contains("`files` is not a list of texts"))
      #expect(await agent.error("run", ["tags": [1]]).contains("`tags` is not a list of texts"))
      #expect(await agent.error("send", [:]).contains("`send` needs `url`"))
      #expect(await agent.error("send", ["url": "/", "headers": "A: b"]).contains("`headers` is not an object"))
      #expect(await agent.error("list", []).contains("not an object"))
      #expect(await agent.error("show").contains("nothing has run yet"))
    }
  }

  @Test("The pages of the documentation are resources, whose links are resources")
  func pages() async throws {
    try await withAgent { agent in
      let pages = await agent.request("resources/list", [:])["result"]?["resources"]?.items ?? []
      let uris = Set(pages.compactMap { $0["uri"]?.stringValue })
      #expect(uris.isSuperset(of: ["reqrun://docs/Tour", "reqrun://docs/Format", "reqrun://docs/Agents"]))
      for uri in uris {
        let text = await agent.request("resources/read", ["uri": .string(uri)])["result"]?["contents"]?[0]?["text"]
        let markdown = try #require(text?.stringValue)
        #expect(markdown.hasPrefix("# ") && !markdown.contains("<doc:"))
        for link in markdown.split(separator: "<reqrun://docs/").dropFirst() {
          #expect(uris.contains("reqrun://docs/\(link.prefix { $0.isLetter })"), "\(uri): \(link.prefix(30))")
        }
      }
    }
  }
}
