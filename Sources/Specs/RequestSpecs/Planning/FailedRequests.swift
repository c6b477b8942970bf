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

  package init(_ requests: [Request]? = []) { self.requests = requests }

  package mutating func insert(_ request: Request) {
    if requests?.contains(request) == false { requests?.append(request) }
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
    var result: Set<Int> = []
    for request in requests {
      let named = all.indices.filter { all[$0].staticName == request.name }
      let nearest = named.min { abs(all[$0].line - request.line) < abs(all[$1].line - request.line) }
      let there = all.indices.first { index in
        let range = all[index].spec.range
        return all[index].parent == nil && all[index].spec.name?.literal == nil
          && (range.start.line...max(range.start.line, range.end.line)).contains(request.line)
      }
      let flow = file.flows.firstIndex { flow in
        (flow.range.start.line...max(flow.range.start.line, flow.range.end.line)).contains(request.line)
      }
      if let index = nearest ?? there {
        result.insert(index)
      } else if let flow {
        result.formUnion(all.indices.filter { all[$0].flow == flow })
      } else {
        bag.warning(
          "the request \"\(request.name)\" in line \(request.line) of \(file.path), which did not pass, is gone: all others run",
          at: nil)
        return nil
      }
    }
    return result
  }
}
