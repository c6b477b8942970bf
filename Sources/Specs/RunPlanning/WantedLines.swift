import RequestSpecs

/// The lines that arguments such as `FILE:LINE` name, and the requests of the file that stand on them.
struct WantedLines {
  /// Each once, in ascending order.
  let lines: [Int]
  /// For each line the requests that it is part of: a stream's own requests stand within it.
  private var requests: [Int: [Int]] = [:]
  /// The lines of `setup:`, `requests:` and `teardown:` that stand for all below them: those that no request is on.
  private var sections: [Int: RequestStage] = [:]
  private var selected: Set<Int> = []
  private var selectedStages: Set<RequestStage> = []
  private let stages: [RequestStage]
  /// The first lines of `requests`, in ascending order.
  private var beginnings: [Int] = []

  init(_ wanted: [Int], _ all: [MergedRequest], _ file: SpecFile) {
    lines = Set(wanted).sorted()
    stages = lines.isEmpty ? [] : all.map(\.stage)
    if lines.isEmpty { return }
    for (index, request) in all.enumerated() {
      let (first, last) = (request.spec.range.start.line, request.spec.range.end.line)
      if request.stage == .requests { beginnings.append(first) }
      var place = lines.firstIndex(notBefore: first)
      while place < lines.count, lines[place] <= max(first, last) {
        requests[lines[place], default: []].append(index)
        selected.insert(index)
        place += 1
      }
    }
    beginnings.sort()
    for key in file.ownKeys {
      let line = key.range.start.line
      guard let stage = RequestStage(rawValue: key.value), requests[line] == nil, stages.contains(stage) else {
        continue
      }
      let place = lines.firstIndex(notBefore: line)
      guard place < lines.count, lines[place] == line, sections[line] == nil else { continue }
      sections[line] = stage
      selectedStages.insert(stage)
    }
  }

  func select(_ index: Int) -> Bool { selected.contains(index) || selectedStages.contains(stages[index]) }

  /// To what a line belongs.
  func stages(at line: Int) -> [RequestStage] {
    sections[line].map { [$0] } ?? requests[line]?.map { stages[$0] } ?? []
  }

  /// The line on which it begins.
  func nearestRequest(to line: Int) -> Int? {
    let place = beginnings.firstIndex(notBefore: line)
    let around = [place - 1, place].filter(beginnings.indices.contains).map { beginnings[$0] }
    return around.min { abs($0 - line) < abs($1 - line) }
  }
}

extension [Int] {
  /// The place of the first number, of those in ascending order, that is not less; that behind the last where none is.
  fileprivate func firstIndex(notBefore wanted: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
