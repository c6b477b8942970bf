/// The runs of files in the order of the output, and the runs that each waits for.
package struct RunOrder: Sendable {
  package enum Run: Sendable, Hashable {
    case file(Int)
    /// The run of a file that others need, except its teardown.
    case need(Int)
    /// Its teardown, after the last file that needs it.
    case teardown(Int)
  }

  package enum Entry: Sendable, Hashable {
    /// A file of the arguments.
    case file(Int)
    /// A file of the arguments that others need.
    case need(Int)
  }

  /// The runs of the first repetition, of each further one, and of the last.
  private let parts: (first: [Run], middle: [Run], last: [Run])
  private let middleCount: Int
  /// The needs that each file, or each need, waits for.
  let needsOfFiles: [[Int]]
  let needsOfNeeds: [[Int]]
  let repeatCount: Int

  /// - Parameters:
  ///   - entries: the arguments.
  ///   - needsOfFiles: the needs of each file among the arguments.
  ///   - needsOfNeeds: the needs of each need, which come before it.
  ///   - haveTeardown: the needs with a teardown.
  package init(
    _ entries: [Entry], needsOfFiles: [[Int]] = [], needsOfNeeds: [[Int]] = [], haveTeardown: Set<Int> = [],
    repeatCount: Int = 1
  ) {
    self.needsOfFiles = needsOfFiles
    self.needsOfNeeds = needsOfNeeds
    self.repeatCount = repeatCount
    var first: [Run] = []
    var placed = Set(entries.compactMap { if case .need(let need) = $0 { need } else { nil } })
    func place(_ needs: [Int]) {
      for need in needs where placed.insert(need).inserted {
        place(needsOfNeeds[need])
        first.append(.need(need))
      }
    }
    for entry in entries {
      switch entry {
      case .file(let file):
        if !needsOfFiles.isEmpty { place(needsOfFiles[file]) }
        first.append(.file(file))
      case .need(let need):
        place(needsOfNeeds[need])
        first.append(.need(need))
      }
    }
    let middle = first.filter { if case .file = $0 { true } else { false } }
    var last = repeatCount == 1 ? first : middle
    Self.insertTeardowns(haveTeardown, needsOfFiles, needsOfNeeds, into: &last)
    parts = repeatCount == 1 ? ([], [], last) : (first, middle, last)
    middleCount = max(0, repeatCount - 2) * middle.count
  }

  /// A teardown follows the last run that depends on it; a need that reads another one is torn down before that.
  private static func insertTeardowns(
    _ needs: Set<Int>, _ needsOfFiles: [[Int]], _ needsOfNeeds: [[Int]], into runs: inout [Run]
  ) {
    if needs.isEmpty { return }
    var last = [Int?](repeating: nil, count: needsOfNeeds.count)
    func note(_ needs: [Int], at index: Int) {
      for need in needs where last[need] == nil {
        last[need] = index
        note(needsOfNeeds[need], at: index)
      }
    }
    for (index, run) in runs.enumerated().reversed() {
      switch run {
      case .file(let file): note(needsOfFiles[file], at: index)
      case .need(let need): note([need], at: index)
      case .teardown: break
      }
    }
    var followers: [Int: [Run]] = [:]
    for need in needs.sorted(by: >) { followers[last[need] ?? runs.count - 1, default: []].append(.teardown(need)) }
    var result: [Run] = followers[-1] ?? []
    for (index, run) in runs.enumerated() { result += [run] + (followers[index] ?? []) }
    runs = result
  }

  package var total: Int { parts.first.count + middleCount + parts.last.count }

  /// The run at a position, and its repetition, counted from 1.
  package func run(at position: Int) -> (run: Run, iteration: Int) {
    if position < parts.first.count { return (parts.first[position], 1) }
    let place = position - parts.first.count
    guard place < middleCount else { return (parts.last[place - middleCount], repeatCount) }
    return (parts.middle[place % parts.middle.count], place / parts.middle.count + 2)
  }

  /// The positions of the needs and of their teardowns.
  var positionsOfNeeds: (runs: [Int: Int], teardowns: [Int: Int]) {
    var positions: (runs: [Int: Int], teardowns: [Int: Int]) = ([:], [:])
    if needsOfNeeds.isEmpty { return positions }
    let lastStart = parts.first.count + middleCount
    let runs = parts.first.enumerated().map { ($0, $1) } + parts.last.enumerated().map { ($0 + lastStart, $1) }
    for (position, run) in runs {
      switch run {
      case .file: break
      case .need(let need): positions.runs[need] = position
      case .teardown(let need): positions.teardowns[need] = position
      }
    }
    return positions
  }
}
