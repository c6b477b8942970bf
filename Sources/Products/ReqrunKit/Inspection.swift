import Diagnostics
import RunPlanning
import RunReports
import SpecExecution
import Values

extension Reqrun {
  /// Reads and checks everything, and sends nothing.
  public func check() async -> RunResult {
    var session = PlanningSession(options: options)
    let plans = await session.plan(startsServer: false)
    showDiagnostics(session.bag)
    var result = RunResult()
    result.unreadableFiles = session.unreadableFiles
    if session.unreadableFiles == 0, session.nothingSelected?.isOfEmptyDirectory ?? false {
      result.selectedNothing = true
      show(session.nothingSelected)
    } else if session.unreadableFiles == 0 {
      guard !plans.isEmpty else {
        output(Array("no requests, and no errors: a file without `requests` is for `extends`\n".utf8))
        return result
      }
      let requests = plans.reduce(0) { $0 + $1.allSteps.count }
      output(Array("\(counted(plans.count, "file")) with \(counted(requests, "request")): no errors\n".utf8))
    }
    return result
  }

  /// Lists the requests that would run.
  public func list() async -> RunResult {
    var session = PlanningSession(options: options)
    let plans = await session.plan(startsServer: false)
    showDiagnostics(session.bag)
    var result = RunResult()
    result.unreadableFiles = session.unreadableFiles
    for plan in plans {
      for request in plan.allSteps.map(\.request) {
        output(Array((withoutWorkflowCommands(listLine(request, in: plan)) + "\n").utf8))
      }
    }
    result.selectedNothing = plans.allSatisfy { $0.selectedCount == 0 }
    if result.selectedNothing, session.unreadableFiles == 0 { show(session.nothingSelected) }
    return result
  }

  /// The tags and the names by which requests can be selected, each once.
  package func selectable() async -> (tags: [String], names: [String]) {
    var session = PlanningSession(options: options)
    _ = await session.plan(startsServer: false)
    guard let all = session.nothingSelected else { return ([], []) }
    return (all.tags.map { sanitizedForTerminal($0) }, all.names.map { sanitizedForTerminal($0) })
  }

  private func listLine(_ request: PlannedRequest, in plan: PlannedFile) -> String {
    let stage = request.stage == .requests ? "" : "[\(request.stage.rawValue)] "
    let tags = request.tags.isEmpty ? "" : "  #" + request.tags.joined(separator: " #")
    let address = request.spec.name == nil ? "" : "  " + request.staticAddress
    let text = [request.staticName, address].map { concealingSecrets(in: withoutUserinfo($0)) }.joined()
    return sanitizedForTerminal("\(plan.path):\(request.line): \(stage)\(text)\(tags)")
  }
}
