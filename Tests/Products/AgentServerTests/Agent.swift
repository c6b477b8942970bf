import DemoServer
import JSONRPCClient
import ReqrunKit
import TestSupport
import Testing

@testable import AgentServer

typealias Agent = JSONRPCClient

extension JSONRPCClient {
  /// An agent that uses the specs of a folder.
  ///
  /// - Parameters:
  ///   - hosts: the hosts of `--allow-send`.
  ///   - mayWrite: `--allow-write`.
  convenience init(
    in folder: TemporaryFolder, hosts: [String] = [], mayWrite: Bool = false,
    _ change: (inout RunOptions) -> Void = { _ in }
  ) {
    var options = RunOptions()
    options.root = folder.path
    options.allowWrite = mayWrite
    options.demo = true
    change(&options)
    let (given, allowed) = (options, hosts.compactMap { AllowedHost($0) })
    self.init(.lines) { read, write in await AgentServer.run(given, sendingTo: allowed, read: read, write: write) }
  }

  /// The result of a tool.
  func call(_ tool: String, _ arguments: JSONValue = [:]) async -> JSONValue {
    let response = await request("tools/call", ["name": .string(tool), "arguments": arguments])
    return response["result"] ?? response
  }

  /// The structure of a tool's result, which isn't an error.
  func content(_ tool: String, _ arguments: JSONValue = [:]) async -> JSONValue {
    let result = await call(tool, arguments)
    #expect(result["isError"] == false, "\(result)")
    return result["structuredContent"] ?? .null
  }

  /// The text of a tool's result, which is an error.
  func error(_ tool: String, _ arguments: JSONValue = [:]) async -> String {
    let result = await call(tool, arguments)
    #expect(result["isError"] == true, "\(result)")
    return result.text
  }
}

extension JSONValue: ExpressibleByStringInterpolation {
  /// The text of a tool's result.
  var text: String { self["content"]?[0]?["text"]?.stringValue ?? "" }

  var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }
}
