import CommandLineOptions
import JSONRPC
import OperatingSystem
import ReqrunKit
import Synchronization
import Values

/// A server of the Model Context Protocol for coding agents, on standard input and output.
package final class AgentServer: Sendable {
  /// The versions of the protocol, the newest first.
  private static let versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

  /// The options of all that agents read and run: the environment, the root, and whether files may be written.
  let options: RunOptions
  /// The hosts that `send` may reach.
  let hosts: [AllowedHost]
  /// The last run, for `show`.
  let lastRun = Mutex<RunRecord?>(nil)
  private let tools: [AgentTool]
  private let connection: MessageConnection
  /// The calls of tools in progress, by the identifiers of their requests.
  private let calls = Mutex<[JSONValue: Task<Void, Never>]>([:])

  /// Serves until the client ends, and returns the exit code.
  ///
  /// - Parameters:
  ///   - read: the next bytes of the client; none at the end.
  ///   - write: takes the server's bytes.
  package static func run(
    _ options: RunOptions, sendingTo hosts: [AllowedHost], read: @escaping @Sendable () -> [UInt8],
    write: @escaping @Sendable ([UInt8]) -> Void
  ) async -> Int32 {
    let server = AgentServer(options, hosts, MessageConnection(.lines, write: write))
    let (messages, arrival) = AsyncStream.makeStream(of: Message.self)
    let isStarted = startThread {
      server.connection.receive(from: read) { arrival.yield($0) }
      arrival.finish()
    }
    guard isStarted else { return 3 }
    for await message in messages { server.handle(message) }
    // Teardowns still run.
    let calls = server.calls.withLock { $0.values.map { $0 } }
    for call in calls { call.cancel() }
    for call in calls { await call.value }
    return 0
  }

  private init(_ options: RunOptions, _ hosts: [AllowedHost], _ connection: MessageConnection) {
    var options = options
    options.root = options.root ?? "."
    options.collectsRequests = false
    options.isSecretVariable = { isSecretName($0) }
    (self.options, self.hosts, self.connection) = (options, hosts, connection)
    tools = AgentTool.all(mayWrite: options.allowWrite, sendingTo: hosts)
  }

  private func handle(_ message: Message) {
    guard let id = message.id else {
      if message.method == "notifications/cancelled", let id = message.params["requestId"] {
        calls.withLock { $0[id] }?.cancel()
      }
      return
    }
    do throws(ResponseError) {
      if message.method == "tools/call" {
        try call(message.params, id)
      } else {
        connection.respond(id, .success(try result(of: message)))
      }
    } catch {
      connection.respond(id, .failure(error))
    }
  }

  private func result(of message: Message) throws(ResponseError) -> JSONValue {
    switch message.method {
    case "initialize": return initialize(message.params)
    case "ping": return [:]
    case "tools/list": return ["tools": .array(tools.map(\.json))]
    case "resources/list": return ["resources": .array(AgentServer.pages.map { $0.resource })]
    case "resources/templates/list": return ["resourceTemplates": []]
    case "resources/read":
      let uri = message.params["uri"]?.stringValue ?? ""
      guard let page = AgentServer.pages.first(where: { $0.uri == uri }) else { throw .noResource(uri) }
      return ["contents": [["uri": .string(uri), "mimeType": "text/markdown", "text": .string(page.markdown)]]]
    default: throw .unknown(message.method)
    }
  }

  private func initialize(_ params: JSONValue) -> JSONValue {
    let wanted = params["protocolVersion"]?.stringValue
    let version = AgentServer.versions.first { $0 == wanted } ?? AgentServer.versions[0]
    return [
      "protocolVersion": .string(version),
      "capabilities": ["tools": [:], "resources": [:]],
      "serverInfo": ["name": "reqrun", "version": .string(Runner.version)],
      "instructions": """
      reqrun sends the HTTP requests that YAML files (specs) describe, and checks the responses. `list` finds requests, \
      `check` reports errors in specs without sending anything, `run` sends requests and reports what failed, `show` has \
      what was sent and received. Before you write a spec, read reqrun://docs/Tour and reqrun://docs/Format, and \
      `check` it afterwards. Secrets are *** in all results.
      """,
    ]
  }

  // MARK: Tools

  private func call(_ params: JSONValue, _ id: JSONValue) throws(ResponseError) {
    let name = params["name"]?.stringValue ?? ""
    guard let tool = tools.first(where: { $0.name == name }) else { throw .invalid("there is no tool \(name)") }
    let progress = progress(params["_meta"]?["progressToken"])
    calls.withLock { calls in
      calls[id] = Task { [self] in
        let result = await tool.result(params["arguments"] ?? [:], from: self, progress)
        // Nobody waits for the result of a call that was cancelled.
        if !Task.isCancelled { connection.respond(id, .success(result)) }
        self.calls.withLock { _ = $0.removeValue(forKey: id) }
      }
    }
  }

  /// Sends the progress of a run, if its client wants that.
  private func progress(_ token: JSONValue?) -> AgentTool.Progress? {
    guard let token else { return nil }
    let last = Mutex((requests: 0, time: ContinuousClock.now - .seconds(1)))
    return { [connection] progress in
      let isNew = last.withLock { last in
        guard progress.requests > last.requests, last.time.duration(to: .now) > .milliseconds(100) else { return false }
        last = (progress.requests, .now)
        return true
      }
      guard isNew else { return }
      connection.notify(
        "notifications/progress",
        [
          "progressToken": token, "progress": .number(String(progress.requests)),
          "message": .string("\(progress.requests) requests, \(progress.failures) failed"),
        ])
    }
  }
}

// MARK: Resources

extension AgentServer {
  /// The pages of the documentation.
  private static let pages = HelpPage.groups.flatMap(\.pages)
}

extension HelpPage {
  fileprivate var uri: String { "reqrun://docs/\(name)" }

  fileprivate var resource: JSONValue {
    ["uri": .string(uri), "name": .string(name), "title": .string(title), "mimeType": "text/markdown"]
  }

  /// The text, with links to the other resources.
  fileprivate var markdown: String {
    (HelpPage.text(of: name) ?? "").replacing("<doc:", with: "<reqrun://docs/")
  }
}
