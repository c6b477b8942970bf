import ReqrunKit

extension AgentServer {
  func run(_ arguments: Arguments, _ progress: AgentTool.Progress?) async -> ToolResult {
    var runner = runner(arguments)
    let record = RunRecord()
    runner.options.reports = [.custom(record)]
    runner.options.onProgress = progress
    _ = await runner.run()
    lastRun.withLock { $0 = record }
    return record.toolResult
  }

  func show(_ arguments: Arguments) throws(ToolError) -> ToolResult {
    let record = try record(arguments.text("report"))
    guard let request = arguments.text("request") else { return record.toolResult }
    let found = entries(request, in: record.entries)
    guard let entry = found.first(where: \.isFailure) ?? found.first else {
      let names = record.entries.prefix(20).map { "\($0.path):\($0.line) \($0.name)" }
      throw ToolError(
        "no request of the run is \(request)", help: names.isEmpty ? nil : "it has " + names.joined(separator: ", "))
    }
    var members = entry.members
    members["exchanges"] = .array(entry.exchanges)
    if found.count > 1 { members["of"] = .string("\(found.count) with that name or place, the first that failed") }
    return ToolResult(content: members.cut("exchanges"))
  }

  /// The requests at a place, or with a name.
  private func entries(_ request: String, in all: [RunRecord.Entry]) -> [RunRecord.Entry] {
    let named = all.filter { $0.name == request }
    guard named.isEmpty, let colon = request.lastIndex(of: ":"), let line = Int(request[request.index(after: colon)...])
    else { return named }
    let path = path(String(request[..<colon]))
    let ofFile = all.filter { $0.path == path && $0.line <= line }
    let nearest = ofFile.map(\.line).max()
    return ofFile.filter { $0.line == nearest }
  }

  private func record(_ report: String?) throws(ToolError) -> RunRecord {
    guard let report else {
      guard let record = lastRun.withLock({ $0 }) else {
        throw ToolError("nothing has run yet", help: "call `run` first, or name a `report`")
      }
      return record
    }
    let path = path(report)
    guard (try? options.rootAccess?.locate(path, beside: "")) != nil else {
      throw ToolError("there is no report \(report) below the root")
    }
    let record = RunRecord()
    var options = RunOptions()
    options.reports = [.custom(record)]
    let result = Runner(options).show(report: path)
    guard result.unwrittenReports == 0 else { throw ToolError(result.diagnostics) }
    record.receive(.runFinished(result))
    return record
  }
}
