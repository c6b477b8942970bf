import Values

/// Selects the requests of a file by tag, name, line and an earlier failure, with those whose captures they need.
struct Selection {
  let options: PlanningOptions
  let lines: [Int]
  /// The requests that failed in an earlier run; nil selects the others, too.
  let failed: FailedRequests?
  /// The identity as a file that others run, whatever the command line selects.
  var id: SpecID?

  private var selectsAll: Bool {
    options.tags.isEmpty && options.excludedTags.isEmpty && options.namePattern == nil && lines.isEmpty
      && failed?.requests == nil
  }

  /// Selects requests. Setup and teardown run whatever is selected, but only if something is; selected by line or name
  /// they run alone, too.
  func select(
    _ requests: [PlannedRequest], of file: SpecFile, names: ReadableNames, into bag: inout DiagnosticBag
  ) -> [(request: PlannedRequest, isSelected: Bool)] {
    if let id, let name = id.request { return select(name, requests, names) }
    if selectsAll || id != nil { return requests.map { ($0, $0.stage == .requests) } }
    let wanted = SelectedLines(lines, requests, file)
    let failed = failed?.indices(in: requests, of: file, into: &bag)
    let matching = Set(
      requests.indices.filter { index in
        matches(requests[index], of: file) && (lines.isEmpty || wanted.select(index))
          && failed?.contains(index) != false
      })
    let chosen = matching.filter { requests[$0].stage == .requests }
    checkLines(wanted, file, runsRequests: !chosen.isEmpty, into: &bag)
    if !options.tags.isEmpty { checkTags(requests, into: &bag) }
    if chosen.isEmpty, !lines.isEmpty || options.namePattern != nil { return alone(matching, requests, names) }
    guard !chosen.isEmpty else { return [] }
    return running(chosen, after: failed == nil ? [] : before(chosen, requests, of: file), requests, names)
  }

  /// The requests before the last chosen one of each flow, which may make the state that it was written for.
  private func before(_ chosen: Set<Int>, _ requests: [PlannedRequest], of file: SpecFile) -> Set<Int> {
    let last = Dictionary(chosen.map { (requests[$0].flow, $0) }, uniquingKeysWith: max)
    return Set(
      requests.indices.filter { index in
        let request = requests[index]
        return request.stage == .requests && index < last[request.flow] ?? 0 && matches(request, of: file)
      })
  }

  /// One request with what it needs; setup and teardown run, too.
  private func select(
    _ name: String, _ requests: [PlannedRequest], _ names: ReadableNames
  ) -> [(request: PlannedRequest, isSelected: Bool)] {
    let chosen = Set(
      requests.indices.filter { requests[$0].stage == .requests && requests[$0].spec.name?.literal?.string == name })
    return running(chosen, requests, names)
  }

  /// The chosen requests with others that run before them, and those whose captures they read.
  private func running(
    _ chosen: Set<Int>, after others: Set<Int> = [], _ requests: [PlannedRequest], _ names: ReadableNames
  ) -> [(request: PlannedRequest, isSelected: Bool)] {
    let whole = withStreams(chosen.union(others), requests)
    let needed = withStreams(whole.union(names.suppliers(of: whole)), requests)
    let flows = Set(chosen.compactMap { requests[$0].flow })
    return requests.indices.compactMap { index in
      let request = requests[index]
      let runsAlways = request.stage != .requests && (request.flow.map(flows.contains) ?? true)
      guard runsAlways || needed.contains(index) else { return nil }
      return (request, chosen.contains(index))
    }
  }

  /// Selected requests of setup and teardown without the others, and those of the setup whose captures they read.
  private func alone(
    _ chosen: Set<Int>, _ requests: [PlannedRequest], _ names: ReadableNames
  ) -> [(request: PlannedRequest, isSelected: Bool)] {
    let whole = withStreams(chosen, requests)
    let suppliers = names.suppliers(of: whole).filter { requests[$0].stage == .setup }
    let needed = withStreams(whole.union(suppliers), requests)
    return needed.sorted().map { (requests[$0], chosen.contains($0)) }
  }

  /// Adds requests so that a stream and the requests during it run together.
  private func withStreams(_ chosen: Set<Int>, _ requests: [PlannedRequest]) -> Set<Int> {
    let streams = Set(chosen.map { requests[$0].parent ?? requests[$0].number })
    return chosen.union(
      requests.indices.filter { index in
        streams.contains(requests[index].number) || requests[index].parent.map(streams.contains) ?? false
      })
  }

  /// Reports lines that select nothing, which are probably errors.
  private func checkLines(
    _ wanted: SelectedLines, _ file: SpecFile, runsRequests: Bool, into bag: inout DiagnosticBag
  ) {
    for line in wanted.lines {
      let stages = wanted.stages(at: line)
      guard !stages.contains(.requests), stages.isEmpty || runsRequests else { continue }
      bag.warning(
        .unknownRequest,
        stages.first.map { "line \(line) of \(file.path) belongs to `\($0.rawValue)`, which runs with any request" }
          ?? "no request stands at line \(line) of \(file.path)", at: nil,
        help: wanted.nearestRequest(to: line).map { "the nearest request begins at line \($0)" })
    }
  }

  /// Warns of tags that differ from selected ones by a typo: their requests never run with these.
  private func checkTags(_ requests: [PlannedRequest], into bag: inout DiagnosticBag) {
    var seen = Set(options.tags)
    let selected = options.tags.filter { tag in requests.contains { $0.tags.contains(tag) } }
    for request in requests {
      for tag in request.tags where seen.insert(tag).inserted {
        guard let near = misspelt(tag, among: selected) else { continue }
        bag.warning(
          .unknownRequest, "the tag `\(jsonEscaped(tag))` is not selected by --tags \(jsonEscaped(near))",
          at: request.spec.range.firstLine, help: "did you mean the tag `\(jsonEscaped(near))`?")
      }
    }
  }

  private func matches(_ request: PlannedRequest, of file: SpecFile) -> Bool {
    if !options.tags.isEmpty, !request.tags.contains(where: options.tags.contains) { return false }
    if request.tags.contains(where: options.excludedTags.contains) { return false }
    guard let pattern = options.namePattern else { return true }
    if nameMatches(request.staticName, pattern: pattern) { return true }
    return request.flow.map { nameMatches(file.flows[$0].staticName, pattern: pattern) } ?? false
  }
}

/// Returns whether a name contains the pattern, regardless of case; with `*` for any text or `?` for any character it
/// must match the whole name.
func nameMatches(_ name: String, pattern: String) -> Bool {
  let name = Array(name.lowercased())
  let pattern = Array(pattern.lowercased())
  guard pattern.contains("*") || pattern.contains("?") else { return String(name).contains(String(pattern)) }
  var (position, next) = (0, 0)
  // The position of the last `*`, and the end of the text that it has matched so far.
  var star: (pattern: Int, name: Int)?
  while position < name.count {
    if next < pattern.count, pattern[next] == "*" {
      star = (next, position)
      next += 1
    } else if next < pattern.count, pattern[next] == "?" || pattern[next] == name[position] {
      position += 1
      next += 1
    } else if let last = star {
      star = (last.pattern, last.name + 1)
      position = last.name + 1
      next = last.pattern + 1
    } else {
      return false
    }
  }
  return pattern[next...].allSatisfy { $0 == "*" }
}
