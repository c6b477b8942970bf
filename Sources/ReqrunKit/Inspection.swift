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
    if session.unreadableFiles == 0 {
      let requests = plans.reduce(0) { $0 + $1.requests.count }
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
      for request in plan.requests {
        output(Array((withoutWorkflowCommands(listLine(request, in: plan)) + "\n").utf8))
      }
    }
    result.selectedNothing = plans.allSatisfy { $0.selectedCount == 0 }
    return result
  }

  private func listLine(_ request: PlannedRequest, in plan: PlannedFile) -> String {
    let stage = request.stage == .requests ? "" : "[\(request.stage.rawValue)] "
    let tags = request.tags.isEmpty ? "" : "  #" + request.tags.joined(separator: " #")
    let name = concealingSecrets(in: withoutUserinfo(request.staticName))
    return sanitizedForTerminal("\(plan.path):\(request.line): \(stage)\(name)\(tags)")
  }
}
