import Values

/// The requests of a file that failed in an earlier run, or were not reached.
package struct FailedRequests: Sendable {
  package struct Request: Sendable, Hashable {
    package let name: String
    package let line: Int

    package init(name: String, line: Int) {
      self.name = name
      self.line = line
    }
  }

  /// Nil stands for the whole file: it was invalid, or its setup or teardown failed.
  package private(set) var requests: [Request]?
  private var known: Set<Request>

  package init(_ requests: [Request]? = []) {
    self.requests = requests
    known = Set(requests ?? [])
  }

  package mutating func insert(_ request: Request) {
    if known.insert(request).inserted { requests?.append(request) }
  }

  package mutating func insertWholeFile() { requests = nil }

  package mutating func formUnion(_ other: FailedRequests) {
    guard let more = other.requests else { return insertWholeFile() }
    for request in more { insert(request) }
  }

  /// The indices of the planned requests, found by name, or by line if the name depends on templates, or all of the flow
  /// in that line; nil stands for all, also where one is gone, which
  /// is reported.
  func indices(in all: [PlannedRequest], of file: SpecFile, into bag: inout DiagnosticBag) -> Set<Int>? {
    guard let requests else { return nil }
    let unchanged = Dictionary(all.indices.map { (Request(name: all[$0].staticName, line: all[$0].line), $0) }) {
      first, _ in first
    }
    let named = Dictionary(grouping: all.indices) { all[$0].staticName }
    let unnamed = all.indices.filter { all[$0].parent == nil && all[$0].spec.name?.literal == nil }
    let there = firstInLine(unnamed.map { ($0, all[$0].spec.range) })
    let flows = firstInLine(file.flows.enumerated().map { ($0, $1.range) })
    let ofFlows = Dictionary(grouping: all.indices) { all[$0].flow }
    var result: Set<Int> = []
    for request in requests {
      let nearest =
        unchanged[request]
        ?? named[request.name]?.min { abs(all[$0].line - request.line) < abs(all[$1].line - request.line) }
      if let index = nearest ?? there[request.line] {
        result.insert(index)
      } else if let flow = flows[request.line] {
        result.formUnion(ofFlows[flow] ?? [])
      } else {
        bag.warning(
          .unknownRequest,
          "the request \"\(request.name)\" in line \(request.line) of \(file.path), which did not pass, is gone: all others run",
          at: nil)
        return nil
      }
    }
    return result
  }

  /// The first of the ranges in each line, by its index.
  private func firstInLine(_ ranges: [(index: Int, range: SourceRange)]) -> [Int: Int] {
    var result: [Int: Int] = [:]
    for (index, range) in ranges {
      for line in range.start.line...max(range.start.line, range.end.line) where result[line] == nil {
        result[line] = index
      }
    }
    return result
  }
}
