import DocumentQueries
import OperatingSystem
import ReqrunKit
import Values

extension AgentServer {
  /// The path of a file as agents name it: relative to the root.
  func path(_ given: String) -> String {
    guard let root = options.root, root != ".", !given.hasPrefix("/") else { return given }
    return "\(root)/\(given)"
  }

  /// A runner of the specs that a call names.
  func runner(_ arguments: Arguments) -> Runner {
    var options = options
    let files = arguments.texts("files")
    options.specs = files.isEmpty ? [.path(options.root ?? ".")] : files.map { .path(path($0)) }
    options.tags = arguments.texts("tags")
    options.name = arguments.text("name")
    return Runner(options)
  }

  func list(_ arguments: Arguments) async -> ToolResult {
    result(await runner(arguments).list(), listsRequests: true)
  }

  func check(_ arguments: Arguments) async -> ToolResult {
    let runner = runner(arguments)
    var listing = await runner.check()
    await runner.findEdits(for: &listing)
    return result(listing, listsRequests: false)
  }

  private func result(_ listing: SpecListing, listsRequests: Bool) -> ToolResult {
    let data = listing.data(as: .json, listsRequests: listsRequests)
    guard case .object(let members)? = (try? JSONDocument(parsing: data)).map({ JSONValue($0.root.value) }) else {
      return ToolResult(content: [:], isError: true)
    }
    // Errors in specs are the result of a check; what is wrong with the arguments is an error of the call.
    let isError = listing.diagnostics.contains { $0.severity == .error && $0.path == nil }
    return ToolResult(content: members.cut("diagnostics", "requests"), isError: isError)
  }

  func format(_ arguments: Arguments) -> ToolResult {
    let result = runner(arguments).format(onlyChecks: !options.allowWrite)
    var room = JSONValue.longestText
    let files = result.changedFiles.map { path -> JSONValue in
      var file: [String: JSONValue] = ["file": .string(path)]
      if !options.allowWrite, let text = formattedText(path, upTo: room) {
        file["text"] = .string(text)
        room -= text.utf8.count
      }
      return .object(file)
    }
    let content: [String: JSONValue] = [
      "written": .bool(options.allowWrite), "files": .array(files),
      "diagnostics": .array(result.diagnostics.map(\.json)),
    ]
    return ToolResult(
      content: content.cut("diagnostics", "files", cutsTexts: false),
      isError: result.unreadableFiles + result.unwrittenFiles > 0)
  }

  /// The formatted text of a file; nil if it is longer, or contains secrets.
  private func formattedText(_ path: String, upTo limit: Int) -> String? {
    guard case .success(let bytes) = readFile(path, limit: 2 * JSONValue.longestText),
      let formatted = formattedSpec(bytes, name: path), formatted.count <= limit,
      SourceText(name: path, utf8: formatted).secretRanges(within: 0..<formatted.count).isEmpty
    else { return nil }
    return String(decoding: formatted, as: UTF8.self)
  }
}

extension ReqrunKit.Diagnostic {
  /// The problem for agents.
  var json: JSONValue {
    // With the names of the command's options.
    let problem = internalForm
    var members: [String: JSONValue] = ["severity": .string(severity.rawValue), "message": .string(problem.message)]
    members["place"] = location.map { .string($0.description) }
    members["help"] = problem.help.map { .string($0) }
    return .object(members)
  }
}
