import ReqrunKit

extension AgentTool {
  private static let files = Parameter(
    name: "files", kind: .array,
    documentation: "Spec files or directories, or FILE:LINE for the request in that line; by default all")
  private static let tags = Parameter(
    name: "tags", kind: .array, documentation: "Only requests that have one of these tags")
  private static let namePattern = Parameter(
    name: "name", kind: .string,
    documentation: "Only requests whose name matches the pattern: * is any text, ? any character")

  /// All tools.
  ///
  /// - Parameters:
  ///   - mayWrite: whether files may be written.
  ///   - hosts: the hosts that requests without a spec may reach.
  static func all(mayWrite: Bool, sendingTo hosts: [AllowedHost]) -> [AgentTool] {
    [
      AgentTool(
        name: "list", title: "List requests",
        documentation: "List the requests of specs with their places, URLs and tags. Sends nothing.",
        effect: .reads, parameters: [files, tags, namePattern]
      ) { (server, arguments, _) throws(ToolError) in await server.list(arguments) },
      AgentTool(
        name: "check", title: "Check specs",
        documentation: """
          Report errors and warnings in specs with their places, help, and edits where one change is likely right. \
          Sends nothing. Call it after you write or change a spec.
          """, effect: .reads, parameters: [files]
      ) { (server, arguments, _) throws(ToolError) in await server.check(arguments) },
      AgentTool(
        name: "run", title: "Run specs",
        documentation: """
          Send the requests of specs and check the responses. A selected request includes the earlier ones whose captures \
          it uses. The result has the counts, and for each failed request what was expected and received; `show` has more.
          """, effect: .sends, parameters: [files, tags, namePattern], outputSchema: RunRecord.schema
      ) { (server, arguments, progress) throws(ToolError) in await server.run(arguments, progress) },
      AgentTool(
        name: "show", title: "Show a request of a run",
        documentation: """
          Show what a request of the last run sent and received, and its failures; without a request, the result of the \
          run.
          """, effect: .reads,
        parameters: [
          Parameter(
            name: "request", kind: .string, documentation: "FILE:LINE as in results, or the name of the request"),
          Parameter(
            name: "report", kind: .string,
            documentation: "The path of a JSON report (of `reqrun --report json=PATH`), in place of the last run"),
        ]
      ) { (server, arguments, _) throws(ToolError) in try server.show(arguments) },
      AgentTool(
        name: "send", title: "Send a request",
        documentation: "Send one request that no spec has, and return the response. "
          + (hosts.isEmpty
            ? "Off: no host is allowed."
            : "Only to these hosts: \(hosts.map(\.description).joined(separator: ", ")).")
          + " The arguments are keys of the format, so that ${{ }} reads variables of the project, such as tokens.",
        effect: .sends,
        parameters: [
          Parameter(
            name: "url", kind: .string, documentation: "The URL; a path goes after the base_url of the project",
            isRequired: true),
          Parameter(name: "method", kind: .string, documentation: "The method, GET by default"),
          Parameter(name: "headers", kind: .object, documentation: "Headers by name"),
          Parameter(name: "query", kind: .object, documentation: "Parameters of the query by name"),
          Parameter(name: "json", kind: .any, documentation: "A body, sent as JSON"),
          Parameter(name: "body", kind: .string, documentation: "A body as text, in place of json"),
          Parameter(
            name: "expect", kind: .object,
            documentation: "What to check, as in a spec: {\"status\": 200, \"json\": {\"$.name\": \"Ann\"}}"),
        ]
      ) { (server, arguments, _) throws(ToolError) in try await server.send(arguments) },
      AgentTool(
        name: "format", title: "Format specs",
        documentation: mayWrite
          ? "Format spec files in place, in the one style; comments stay. Returns the files that changed."
          : "Return the spec files that are not formatted, with the formatted text where it is short. Changes nothing.",
        effect: mayWrite ? .writes : .reads, parameters: [files]
      ) { (server, arguments, _) throws(ToolError) in server.format(arguments) },
    ]
  }
}
