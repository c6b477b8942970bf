import ReqrunKit
import Values
import YAMLNodes

extension AgentServer {
  /// The largest response to a request of an agent, which is read into memory.
  private static let maxBody: Int64 = 64 << 20

  func send(_ arguments: Arguments) async throws(ToolError) -> ToolResult {
    guard !hosts.isEmpty else {
      throw ToolError(
        "no host is allowed", help: "who starts the server can allow some: `reqrun mcp --allow-send HOST`")
    }
    // What the project expects of its own requests isn't meant.
    var members: [String: JSONValue] = ["validate": "none", "openapi": "none", "expect": .null]
    members.merge(arguments.members) { $1 }
    let record = RunRecord()
    var options = options
    options.specs = [.text(YAMLWriter.text(of: JSONValue.object(members).node), name: path("send"))]
    // The agent chooses what it reads of the environment.
    options.isSecretVariable = { _ in true }
    options.transport = .custom(AllowedTransport(hosts: hosts))
    options.maxBody = AgentServer.maxBody
    options.reports = [.custom(record)]
    let result = await Runner(options).run()
    let entries = record.entries
    guard let entry = entries.last else { throw ToolError(result.diagnostics) }
    var content = entry.members
    content["place"] = nil
    // A token that it gets is a request within it.
    let failed = entries.dropLast().filter(\.isFailure)
    if !failed.isEmpty { content["within"] = .array(failed.map { .object($0.members) }) }
    content["exchanges"] = .array(entry.exchanges)
    return ToolResult(
      content: content.cut("within", "exchanges"), isError: result.transportErrors + result.specErrors > 0)
  }
}

extension JSONValue {
  /// The value in a spec.
  fileprivate var node: YAMLNode {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let lexeme): .number(lexeme)
    case .string(let text): .text(text)
    case .array(let items): .list(items.map(\.node))
    case .object(let members): .mapping(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.node) })
    }
  }
}

/// A host that agents may send to: a name, which is that alone, or `*.name` for its subdomains; with a port or without.
package struct AllowedHost: Sendable, CustomStringConvertible {
  package let description: String
  private let host: String
  /// Nil for any.
  private let port: Int?
  private let isParent: Bool

  /// Nil for what isn't a host.
  package init?(_ text: String) {
    isParent = text.hasPrefix("*.")
    guard let url = try? HTTPURL(parsing: "http://" + text.dropFirst(isParent ? 2 : 0)), url.userinfo == nil,
      url.path.isEmpty, url.query == nil, url.fragment == nil
    else { return nil }
    (description, host, port) = (text, url.host, url.port)
  }

  func allows(_ url: HTTPURL) -> Bool {
    (isParent ? url.host.hasSuffix(".\(host)") : url.host == host) && (port == nil || port == url.effectivePort)
  }
}

/// The network, as far as it is allowed: each request of a redirect or for a token passes here, too.
private struct AllowedTransport: Transport {
  let hosts: [AllowedHost]
  private let network = NetworkTransport()

  init(hosts: [AllowedHost]) { self.hosts = hosts }

  func response(to request: TransportRequest) async throws -> TransportResponse {
    guard let url = try? HTTPURL(parsing: request.url), hosts.contains(where: { $0.allows(url) }) else {
      let host = (try? HTTPURL(parsing: request.url))?.hostAndPort ?? request.url
      throw TransportFailure(
        .connection, "\(host) is not allowed, only \(hosts.map(\.description).joined(separator: ", ")) (--allow-send)")
    }
    return try await network.response(to: request)
  }
}
