import DocumentQueries
import HTTPSemantics
import SpecExecution
import Values

/// The differences between two runs, from their JSON reports.
package struct ReportComparison: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    /// Requests that fail, and did not before.
    case failing
    case fixed
    case slower
    /// Responses of another structure, status or content type.
    case shape
    case new
    /// Requests that did not run again.
    case gone
  }

  struct Difference: Sendable {
    let request: ComparedRequest
    /// A remark in one line; empty for none.
    let remark: String
  }

  /// The differences of each kind, in the order of the newer run.
  private(set) var differences: [Kind: [Difference]] = [:]
  /// The number of requests that ran in both.
  private(set) var compared = 0
  /// The number of those that failed in both.
  private(set) var stillFailing = 0
  /// The number of responses that are too long to compare.
  private(set) var tooLong = 0
  let ratio: Double
  private var ignored: IgnoredParts

  /// A longer time only counts if it is this much longer: anything less is chance.
  static let minDelay = Duration.milliseconds(100)

  /// - Parameters:
  ///   - ratio: the ratio of times above which a request is slower.
  ///   - ignored: the parts of responses that are not compared.
  package init(
    of old: String, with new: String, ratio: Double, ignoring ignored: IgnoredParts = IgnoredParts()
  ) throws(Diagnostic) {
    self.ratio = ratio
    self.ignored = ignored
    let before = try ComparedRun(path: old, ignoring: &self.ignored)
    let after = try ComparedRun(path: new, ignoring: &self.ignored)
    let pairs = before.pairs(with: after)
    var matched: Set<Int> = []
    for (index, request) in after.requests.enumerated() {
      guard let other = pairs[index] else {
        add(.new, request, request.isFailure ? "it fails: \(request.message)" : "")
        if request.isFailure { add(.failing, request, request.message) }
        continue
      }
      matched.insert(other)
      compare(before.requests[other], request)
    }
    for (index, request) in before.requests.enumerated() where !matched.contains(index) {
      add(.gone, request, after.reasons[request.key].map { "skipped: \($0)" } ?? "")
    }
  }

  /// Warnings of ignored parts that no response has.
  package var warnings: [Diagnostic] {
    ignored.unused.map {
      .warning(.invalidOption, "no response has what --ignore \(sanitizedForTerminal($0)) leaves out", at: nil)
    }
  }

  /// Returns whether there are differences of one of these kinds.
  package func has(_ kinds: Set<Kind>) -> Bool { kinds.contains { differences[$0] != nil } }

  private mutating func add(_ kind: Kind, _ request: ComparedRequest, _ remark: String) {
    differences[kind, default: []].append(Difference(request: request, remark: remark))
  }

  private mutating func compare(_ old: ComparedRequest, _ new: ComparedRequest) {
    compared += 1
    switch (old.isFailure, new.isFailure) {
    case (false, true): return add(.failing, new, new.message)
    case (true, false): add(.fixed, new, "")
    case (true, true): return stillFailing += 1
    case (false, false):
      let (before, after) = (old.duration, new.duration)
      if after - before >= ReportComparison.minDelay, after / before > ratio {
        let factor = before > .zero ? " (\(tenths(after / before))x)" : ""
        add(.slower, new, "\(roundedDurationText(before)) → \(roundedDurationText(after))\(factor)")
      }
    }
    compareResponses(old, new)
  }

  private mutating func compareResponses(_ old: ComparedRequest, _ new: ComparedRequest) {
    guard let before = old.response, let after = new.response else { return }
    var lines: [String] = []
    if before.status != after.status, !ignored.ignoresStatus {
      lines.append("status \(before.status) → \(after.status)")
    }
    if before.type != after.type, !ignored.ignoresContentType {
      lines.append(
        "content type \(before.type.isEmpty ? "none" : before.type) → \(after.type.isEmpty ? "none" : after.type)")
    }
    if before.isCut || after.isCut {
      tooLong += 1
    } else if let one = before.shape, let two = after.shape {
      one.appendDifferences(from: two, at: "$", to: &lines)
    }
    // A response to another outcome has another form.
    guard !lines.isEmpty, !old.isFailure else { return }
    let more = lines.count > 8 ? ", and \(lines.count - 8) more" : ""
    add(.shape, new, lines.prefix(8).joined(separator: ", ") + more)
  }
}

/// A number with one decimal.
private func tenths(_ number: Double) -> String {
  guard number.isFinite, number < 1e9 else { return "more than a billion " }
  let tenths = Int((number * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}

/// A request of a run.
struct ComparedRequest: Sendable {
  struct Response: Sendable, Hashable {
    let status: Int
    /// The media type; empty without one.
    let type: String
    /// The structure of a JSON body; nil for any other.
    let shape: ResponseShape?
    /// Indicates whether the report has only the beginning of the body.
    let isCut: Bool
  }

  /// The identity in all runs: the file, the groups around it, the name, and a number if others have the same.
  let key: [String]
  /// The name after those of the groups around it.
  let name: String
  /// The path of its file.
  let path: String
  let line: Int
  var isFailure: Bool
  var message: String
  /// The durations of its runs.
  var durations: [Duration]
  var response: Response?

  /// The median.
  var duration: Duration { durations.sorted()[durations.count / 2] }
}

/// The requests of a run: repetitions of a file count as one.
final class ComparedRun {
  private(set) var requests: [ComparedRequest] = []
  private var indices: [[String]: Int] = [:]
  /// The reasons for which others were skipped.
  private(set) var reasons: [[String]: String] = [:]
  private var shapes: Set<ComparedRequest.Response> = []

  init(path: String, ignoring ignored: inout IgnoredParts) throws(Diagnostic) {
    let report = try ReportReader(path: path)
    for (position, file) in report.files.enumerated() {
      let sink = RecordingSink(ComparedFileRun(ignored: ignored))
      try report.replay(file, at: position, needs: .hops, into: sink)
      ignored = sink.recorder.ignored
      for step in sink.recorder.steps { add(step) }
    }
  }

  private func add(_ step: ComparedFileRun.Step) {
    if let reason = step.skipReason {
      reasons[step.request.key] = reason
      return
    }
    var request = step.request
    // Most responses have one of a few shapes.
    request.response = request.response.map { shapes.insert($0).memberAfterInsert }
    guard let index = indices[request.key] else {
      indices[request.key] = requests.count
      return requests.append(request)
    }
    requests[index].durations += request.durations
    if request.isFailure, !requests[index].isFailure {
      requests[index].isFailure = true
      requests[index].message = request.message
    }
  }

  /// The index of the same request here for each of a newer run: by its name, or else by its line.
  func pairs(with newer: ComparedRun) -> [Int: Int] {
    var pairs: [Int: Int] = [:]
    var taken: Set<Int> = []
    for (index, request) in newer.requests.enumerated() {
      guard let other = indices[request.key] else { continue }
      pairs[index] = other
      taken.insert(other)
    }
    // A name with an identifier in it is another one in each run.
    var byLine: [[String]: [Int]] = [:]
    for (index, request) in requests.enumerated().reversed() where !taken.contains(index) {
      byLine[request.place, default: []].append(index)
    }
    for (index, request) in newer.requests.enumerated() where pairs[index] == nil {
      if let other = byLine[request.place]?.popLast() { pairs[index] = other }
    }
    return pairs
  }
}

extension ComparedRequest {
  /// The file and the line, with the file's run.
  fileprivate var place: [String] { [key[0], key[1], path, String(line)] }
}

/// Collects the steps of a file's run.
private struct ComparedFileRun: FileRecorder {
  struct Step {
    var request: ComparedRequest
    var skipReason: String?
  }

  var ignored: IgnoredParts
  var counts: [[String]: Int] = [:]
  var responses: [StepID: ComparedRequest.Response] = [:]
  var steps: [Step] = []

  mutating func receive(_ event: FileEvent, in groups: OpenGroups) {
    switch event {
    case .hopFinished(let hop):
      if !hop.isPart, let response = hop.response { responses[hop.step] = response.compared(&ignored) }
    case .stepFinished(let report): add(report, in: groups)
    default: break
    }
  }

  private mutating func add(_ report: StepReport, in groups: OpenGroups) {
    let plain =
      [groups.path, groups.file?.variant ?? "", report.stage.rawValue] + groups.names(around: report)
      + [withoutServer(report.name)]
    counts[plain, default: 0] += 1
    let number = counts[plain, default: 1]
    var request = ComparedRequest(
      key: plain + (number > 1 ? [String(number)] : []), name: groups.name(of: report),
      path: report.path ?? groups.path, line: report.line, isFailure: report.outcome.isFailure,
      message: report.message ?? "failed", durations: [report.duration])
    request.response = responses.removeValue(forKey: report.id)
    let skipReason = report.outcome == .notSent ? "not sent" : report.outcome.skipReason
    steps.append(Step(request: request, skipReason: skipReason))
  }

  /// A name that is a method and a URL, without the server, which may be another one.
  private func withoutServer(_ name: String) -> String {
    guard let start = name.firstRange(of: "://") else { return name }
    let words = name[..<start.lowerBound].split(separator: " ")
    guard words.count == 2, words[1] == "http" || words[1] == "https" else { return name }
    return "\(words[0]) \(name[start.upperBound...].drop { $0 != "/" })"
  }
}

extension ReceivedResponse {
  fileprivate func compared(_ ignored: inout IgnoredParts) -> ComparedRequest.Response {
    let type = mediaType(of: headers.value(of: "Content-Type") ?? "")
    var shape: ResponseShape?
    let excerpt = body?.excerpt()
    if case .text(let text)? = excerpt?.content, excerpt?.isCut == false, type.hasSuffix("json") {
      shape = (try? JSONDocument(parsing: text)).flatMap { document in
        let left = ignored.positions(in: document)
        return left.contains(document.root.position) ? nil : ResponseShape(of: document.root, without: left)
      }
    }
    return ComparedRequest.Response(
      status: status, type: type, shape: shape, isCut: type.hasSuffix("json") && excerpt?.isCut == true)
  }
}
