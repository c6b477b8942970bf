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
    /// The requests that failed; nil if none did.
    package let failed: FailedRequests?
  }

  package private(set) var files: [File] = []

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
    read(files.items)
    for broken in root[member: "broken_files"]?.items ?? [] {
      guard let path = broken[member: "path"]?.string else { continue }
      self.files.append(File(path: path, duration: nil, failed: FailedRequests(nil)))
    }
  }

  private mutating func read(_ runs: [JSONNode]) {
    var order: [String] = []
    var durations: [String: [Double]] = [:]
    var failed: [String: FailedRequests] = [:]
    // A file that others need with values of its own runs with those that need it.
    let dependents = Set(
      runs.filter { EarlierReport.missedNeed($0, depth: 0) }.compactMap { $0[member: "path"]?.string })
    for path in dependents { failed[path] = FailedRequests(nil) }
    for run in runs {
      guard let path = run[member: "path"]?.string else { continue }
      if run[member: "variant"] != nil, !dependents.isEmpty { continue }
      if durations[path] == nil { order.append(path) }
      durations[path, default: []].append(run[member: "duration"].flatMap { Double($0.string) } ?? 0)
      let steps = EarlierReport.requests(of: run, depth: 0)
      let unmet = steps.filter { EarlierReport.hasFailed($0, depth: 0) }
      // A failure hides what was skipped after it.
      let unreached = unmet.isEmpty ? [] : steps.filter { $0[member: "with_rest"] != nil }
      for step in unmet + unreached {
        var found = failed[path] ?? FailedRequests()
        if step[member: "stage"]?.string == "requests" {
          found.insert(
            FailedRequests.Request(
              name: step[member: "name"]?.string ?? "", line: step[member: "line"].flatMap { Int($0.string) } ?? 0))
        } else {
          found.insertWholeFile()
        }
        failed[path] = found
      }
    }
    files = order.map { path in
      let all = durations[path] ?? []
      let average = all.reduce(0, +) / Double(max(1, all.count))
      return File(path: path, duration: .seconds(average.isFinite ? average : 0), failed: failed[path])
    }
  }

  /// The steps of a file that are requests or use other files, those of groups included.
  private static func requests(of parent: JSONNode, depth: Int) -> [JSONNode] {
    guard depth < JSONDocument.depthLimit else { return [] }
    return (parent[member: "steps"]?.items ?? []).flatMap { step in
      let group = step[member: "group"]?.string
      return group == nil || group == PlannedGroup.Kind.use.rawValue ? [step] : requests(of: step, depth: depth + 1)
    }
  }

  /// Returns whether steps were skipped since a file that they need had failed.
  private static func missedNeed(_ step: JSONNode, depth: Int) -> Bool {
    if let reason = step[member: "reason"]?.string, UnmetNeed.isReason(reason) { return true }
    guard depth < JSONDocument.depthLimit else { return false }
    return step[member: "steps"]?.items.contains { missedNeed($0, depth: depth + 1) } ?? false
  }

  /// Returns whether a step or one within it has failed.
  private static func hasFailed(_ step: JSONNode, depth: Int) -> Bool {
    if ["failed", "transport_error", "spec_error"].contains(step[member: "outcome"]?.string) { return true }
    // A document isn't nested more deeply.
    guard depth < JSONDocument.depthLimit else { return false }
    return step[member: "steps"]?.items.contains { hasFailed($0, depth: depth + 1) } ?? false
  }
}
