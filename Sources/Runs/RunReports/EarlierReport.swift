import Diagnostics
import JSONQueries
import OperatingSystem
import RunEvents
import RunPlanning
import Values

/// The JSON report of an earlier run, as far as later runs read it.
package struct EarlierReport: Sendable {
  package struct File: Sendable {
    package let path: String
    /// The average duration of its runs; nil if it did not run.
    package let duration: Duration?
    /// The requests that are not known to have passed; nil if all are.
    package let failed: FailedRequests?
  }

  package private(set) var files: [File] = []
  /// Indicates whether it has all files of its run, those that could not be read, too.
  package let isComplete: Bool

  package init(path: String) throws(Diagnostic) {
    let bytes: [UInt8]
    switch readFile(path, limit: JSONDocument.sizeLimit) {
    case .failure(let problem): throw .error("the report \(path) cannot be read: \(problem.reason)", at: nil)
    case .success(let read): bytes = read
    }
    let help = "`--report json=\(path)` writes one"
    let root: JSONNode
    do throws(JSONParseError) {
      root = try JSONDocument(parsing: bytes).root
    } catch {
      throw .error("\(path) is no JSON report: \(error.message)", at: nil, help: help)
    }
    guard let version = root[member: "version"], let files = root[member: "files"], files.kind == .list else {
      throw .error("\(path) is no JSON report: it has no `version` and `files`", at: nil, help: help)
    }
    guard version.string == String(JSONReport.version) else {
      throw .error(
        "\(path) is a report of version \(version.string), and this reqrun reads version \(JSONReport.version)",
        at: nil, help: help)
    }
    let broken = root[member: "broken_files"]?.items ?? []
    isComplete = (root[member: "unreadable_files"].flatMap { Int($0.string) } ?? 0) <= broken.count
    read(files.items)
    for broken in broken {
      guard let path = broken[member: "path"]?.string else { continue }
      self.files.append(File(path: path, duration: nil, failed: FailedRequests(nil)))
    }
  }

  private mutating func read(_ runs: [JSONNode]) {
    var order: [String] = []
    var durations: [String: [Double]] = [:]
    var failed: [String: FailedRequests] = [:]
    let reasons = runs.reduce(into: Set<String>()) { EarlierReport.collectReasons(of: $1, depth: 0, into: &$0) }
    for run in runs {
      guard let path = run[member: "path"]?.string else { continue }
      // A file with values of its own runs with those that need it.
      let isNeed = run[member: "variant"] != nil
      if isNeed, UnmetNeed.allCases.contains(where: { reasons.contains($0.reason(path: path)) }) { continue }
      if durations[path] == nil { order.append(path) }
      durations[path, default: []].append(EarlierReport.seconds(run[member: "duration"]))
      var isSetupUnreached = false
      for step in EarlierReport.requests(of: run, depth: 0) {
        let hasFailed = EarlierReport.has(step, depth: 0, hasFailed)
        guard hasFailed || !isNeed && EarlierReport.has(step, depth: 0, isUnreached) else { continue }
        var found = failed[path] ?? FailedRequests()
        if step[member: "stage"]?.string == "requests" {
          found.insert(
            FailedRequests.Request(
              name: step[member: "name"]?.string ?? "", line: step[member: "line"].flatMap { Int($0.string) } ?? 0))
        } else if hasFailed {
          found.insertWholeFile()
        } else {
          isSetupUnreached = true
        }
        failed[path] = found
      }
      // It runs with any request.
      if isSetupUnreached, failed[path]?.requests?.isEmpty == true { failed[path]?.insertWholeFile() }
    }
    files = order.map { path in
      let all = durations[path] ?? []
      let average = all.reduce(0, +) / Double(max(1, all.count))
      return File(path: path, duration: .seconds(average), failed: failed[path])
    }
  }

  /// The seconds of a duration; 0 for what can't be one.
  private static func seconds(_ node: JSONNode?) -> Double {
    guard let node, node.kind == .number, let seconds = Double(node.string), (0...1e9).contains(seconds) else {
      return 0
    }
    return seconds
  }

  /// The steps of a file that are requests or use other files, those of flows included; rows are a step together.
  private static func requests(of parent: JSONNode, depth: Int) -> [JSONNode] {
    guard depth < JSONDocument.depthLimit else { return [] }
    return (parent[member: "steps"]?.items ?? []).flatMap { step in
      switch step[member: "group"].flatMap({ PlannedGroup.Kind(rawValue: $0.string) }) {
      case .flow: requests(of: step, depth: depth + 1)
      case .rows where step[member: "steps"]?.items.first?[member: "group"]?.string == PlannedGroup.Kind.flow.rawValue:
        requests(of: step, depth: depth + 1)
      case .rows, .rounds, .use, nil: [step]
      }
    }
  }

  /// Collects the reasons why steps were skipped since a file that they need had failed.
  private static func collectReasons(of step: JSONNode, depth: Int, into reasons: inout Set<String>) {
    if let reason = step[member: "reason"]?.string, UnmetNeed.isReason(reason) { reasons.insert(reason) }
    // A document isn't nested more deeply.
    guard depth < JSONDocument.depthLimit else { return }
    for inner in step[member: "steps"]?.items ?? [] { collectReasons(of: inner, depth: depth + 1, into: &reasons) }
  }

  /// Returns whether something holds for a step or one within it.
  private static func has(_ step: JSONNode, depth: Int, _ predicate: (JSONNode) -> Bool) -> Bool {
    if predicate(step) { return true }
    guard depth < JSONDocument.depthLimit else { return false }
    return step[member: "steps"]?.items.contains { has($0, depth: depth + 1, predicate) } ?? false
  }
}

private func hasFailed(_ step: JSONNode) -> Bool {
  ["failed", "transport_error", "spec_error"].contains(step[member: "outcome"]?.string)
}

/// Returns whether a step was not sent, although the spec wants it.
private func isUnreached(_ step: JSONNode) -> Bool {
  step[member: "unreached"] != nil || step[member: "outcome"]?.string == "not_sent"
}
