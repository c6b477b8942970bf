import Values

/// The lines that arguments such as `FILE:LINE` name, and the requests of the file on them.
struct SelectedLines {
  /// The lines, each once, in ascending order.
  let lines: [Int]
  /// The requests on each line: a stream's own requests are within it.
  private var requests: [Int: [Int]] = [:]
  /// The lines of `setup:`, `requests:` and `teardown:` that select all below them: those without a request.
  private var sections: [Int: RequestStage] = [:]
  private var selected: Set<Int> = []
  private var selectedStages: Set<RequestStage> = []
  private let stages: [RequestStage]
  /// The requests that belong to flows.
  private let inFlows: [Bool]
  /// The first lines of `requests`, in ascending order.
  private var beginnings: [Int] = []

  init(_ wanted: [Int], _ all: [PlannedRequest], _ file: SpecFile) {
    lines = Set(wanted).sorted()
    stages = lines.isEmpty ? [] : all.map(\.stage)
    inFlows = lines.isEmpty ? [] : all.map { $0.flow != nil }
    if lines.isEmpty { return }
    for (index, request) in all.enumerated() {
      let (first, last) = (request.spec.range.start.line, request.spec.range.end.line)
      if request.stage == .requests { beginnings.append(first) }
      var place = lines.partitioningIndex { $0 >= first }
      while place < lines.count, lines[place] <= max(first, last) {
        requests[lines[place], default: []].append(index)
        selected.insert(index)
        place += 1
      }
    }
    beginnings.sort()
    selectFlows(of: file, all)
    for key in file.ownKeys {
      let line = key.range.start.line
      guard let stage = RequestStage(rawValue: key.value == "flows" ? "requests" : key.value), requests[line] == nil,
        stages.contains(stage)
      else { continue }
      let place = lines.partitioningIndex { $0 >= line }
      guard place < lines.count, lines[place] == line, sections[line] == nil else { continue }
      sections[line] = stage
      selectedStages.insert(stage)
    }
  }

  /// Lines of a flow without a request select all its requests.
  private mutating func selectFlows(of file: SpecFile, _ all: [PlannedRequest]) {
    for (number, flow) in file.flows.enumerated() {
      var place = lines.partitioningIndex { $0 >= flow.range.start.line }
      while place < lines.count, lines[place] <= flow.range.end.line {
        if requests[lines[place]] == nil {
          let own = all.indices.filter { all[$0].flow == number && all[$0].stage == .requests }
          requests[lines[place]] = own
          selected.formUnion(own)
        }
        place += 1
      }
    }
  }

  func select(_ index: Int) -> Bool {
    if selected.contains(index) { return true }
    return selectedStages.contains(stages[index]) && (stages[index] == .requests || !inFlows[index])
  }

  /// The stages that a line belongs to.
  func stages(at line: Int) -> [RequestStage] {
    sections[line].map { [$0] } ?? requests[line]?.map { stages[$0] } ?? []
  }

  /// The first line of the nearest request.
  func nearestRequest(to line: Int) -> Int? {
    let place = beginnings.partitioningIndex { $0 >= line }
    let around = [place - 1, place].filter(beginnings.indices.contains).map { beginnings[$0] }
    return around.min { abs($0 - line) < abs($1 - line) }
  }
}
