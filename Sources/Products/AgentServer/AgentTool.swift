import ReqrunKit
import Values

/// A tool that agents call.
struct AgentTool: Sendable {
  typealias Progress = @Sendable (RunProgress) -> Void

  struct Parameter: Sendable {
    enum Kind: String {
      case string, array, object
      case any = ""
    }

    let name: String
    let kind: Kind
    let documentation: String
    var isRequired = false

    fileprivate var schema: JSONValue {
      var members: [String: JSONValue] = ["description": .string(documentation)]
      if kind != .any { members["type"] = .string(kind.rawValue) }
      if kind == .array { members["items"] = ["type": "string"] }
      return .object(members)
    }

    fileprivate func accepts(_ value: JSONValue) -> Bool {
      switch (kind, value) {
      case (.any, _), (.string, .string), (.object, .object): true
      case (.array, .array(let items)): items.allSatisfy { $0.stringValue != nil }
      default: false
      }
    }
  }

  /// The effect of a tool, by which clients decide when to ask a person.
  enum Effect {
    /// Reads files alone.
    case reads
    /// Changes files, to the same effect each time.
    case writes
    /// Sends requests.
    case sends

    fileprivate var annotations: [String: JSONValue] {
      switch self {
      case .reads: ["readOnlyHint": true, "openWorldHint": false]
      case .writes:
        ["readOnlyHint": false, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false]
      case .sends: ["readOnlyHint": false, "destructiveHint": true, "openWorldHint": true]
      }
    }
  }

  let name: String
  let title: String
  let documentation: String
  let effect: Effect
  let parameters: [Parameter]
  var outputSchema: JSONValue?
  let call: @Sendable (AgentServer, Arguments, Progress?) async throws(ToolError) -> ToolResult

  /// The tool as clients list it.
  var json: JSONValue {
    var annotations = effect.annotations
    annotations["title"] = .string(title)
    var members: [String: JSONValue] = [
      "name": .string(name), "title": .string(title), "description": .string(documentation),
      "inputSchema": [
        "type": "object", "additionalProperties": false,
        "properties": .object(Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.schema) })),
        "required": .array(parameters.filter(\.isRequired).map { .string($0.name) }),
      ],
      "annotations": .object(annotations),
    ]
    members["outputSchema"] = outputSchema
    return .object(members)
  }

  /// The result of a call. Agents can correct what is wrong with one, so that is a result, too.
  func result(_ arguments: JSONValue, from server: AgentServer, _ progress: Progress?) async -> JSONValue {
    do throws(ToolError) {
      let result = try await call(server, try checked(arguments), progress)
      return [
        "content": [["type": "text", "text": .string(result.content.description)]],
        "structuredContent": result.content, "isError": .bool(result.isError),
      ]
    } catch {
      return ["content": [["type": "text", "text": .string(error.text)]], "isError": true]
    }
  }

  private func checked(_ arguments: JSONValue) throws(ToolError) -> Arguments {
    guard case .object(let members) = arguments else { throw ToolError("the arguments are not an object") }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let parameter = parameters.first(where: { $0.name == name }) else {
        let nearest = nearestWord(to: name, among: parameters.map(\.name))
        throw ToolError(
          "`\(self.name)` has no argument `\(name)`",
          help: nearest.map { "did you mean `\($0)`?" }
            ?? "it takes " + parameters.map { "`\($0.name)`" }.joined(separator: ", "))
      }
      guard parameter.accepts(value) else {
        let kind = parameter.kind == .array ? "list of texts" : parameter.kind == .string ? "text" : "object"
        throw ToolError("`\(name)` is not \(kind == "object" ? "an" : "a") \(kind)", help: parameter.documentation)
      }
    }
    for parameter in parameters where parameter.isRequired && members[parameter.name] == nil {
      throw ToolError("`\(name)` needs `\(parameter.name)`", help: parameter.documentation)
    }
    return Arguments(members: members)
  }
}

/// The arguments of a call, which fit the parameters of the tool.
struct Arguments: Sendable {
  let members: [String: JSONValue]

  func text(_ name: String) -> String? { members[name]?.stringValue }

  func texts(_ name: String) -> [String] {
    if case .array(let items)? = members[name] { items.compactMap(\.stringValue) } else { [] }
  }
}

/// The result of a call, as structure; clients that don't read that get it as text.
struct ToolResult: Sendable {
  let content: JSONValue
  var isError = false
}

/// The reason why a call has no result.
struct ToolError: Error {
  let text: String

  init(_ message: String, help: String? = nil) {
    text = "error: \(message)\n" + (help.map { "  = help: \($0)\n" } ?? "")
  }

  /// - Parameter diagnostics: errors with files and options.
  init(_ diagnostics: [ReqrunKit.Diagnostic]) { text = diagnostics.drawn() }
}
