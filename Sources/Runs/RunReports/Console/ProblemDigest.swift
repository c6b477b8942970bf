import SpecExecution
import Synchronization
import Values

/// The problems of a run in the order of its output; those that are alike in many files are one entry.
///
/// It retains only what is shown, however much fails.
final class ProblemDigest<Detail: Sendable>: Sendable {
  /// Problems that are shown together: nearly always a single one.
  struct Entry: Sendable {
    /// The first of them.
    let problem: Problem
    /// The number of others.
    var alike = 0
    /// The places of some others.
    var places: [String] = []
  }

  struct Problem: Sendable {
    /// The path of its file; empty if no file is the cause.
    let path: String
    /// The line, counted from 1: that of the request, if it is one's problem; nil for a file as a whole.
    let line: Int?
    /// The name of the request after those of the groups around it; nil if it isn't a request's problem.
    let name: String?
    let message: String
    let detail: Detail
    fileprivate let order: ProblemOrder
    fileprivate let kind: Int

    var place: String { line.map { "\(path):\($0)" } ?? path }
  }

  private struct Kind {
    var count = 0
    /// The number of times that it occurred in another file, or in the same line again.
    var spread = 0
    var retained = 0
  }

  private struct State {
    /// The first problems in order, as many as the entries could consist of.
    var problems: [Problem] = []
    var kinds: [Int: Kind] = [:]
    var count = 0
  }

  /// The spread up to which problems are listed one by one.
  private static var greatestListed: Int { 3 }
  private static var kindLimit: Int { 10_000 }
  private static var placeLimit: Int { 5 }

  private let limit: Int
  fileprivate let message: @Sendable (StepReport) -> String?
  private let detail: @Sendable (StepReport) -> Detail
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: the maximum number of entries.
  ///   - message: returns a request's problem in one line; nil if it has none.
  ///   - detail: makes the further data of a request's problem that is retained.
  init(
    limit: Int, message: @escaping @Sendable (StepReport) -> String?,
    detail: @escaping @Sendable (StepReport) -> Detail
  ) {
    self.limit = limit
    self.message = message
    self.detail = detail
  }

  /// Returns a sink for the events of one file's run.
  func sink() -> any FileEventSink { RecordingSink(ProblemRecorder(digest: self)) }

  /// The entries, and the number of problems that they don't include.
  func entries() -> (entries: [Entry], rest: Int) {
    let state = state.withLock { $0 }
    var entries: [Entry] = []
    var folded: [Int: Int] = [:]
    var rest = state.count
    for problem in state.problems {
      let kind = state.kinds[problem.kind] ?? Kind()
      if let index = folded[problem.kind] {
        let entry = entries[index]
        if entry.places.count < Self.placeLimit, problem.place != entry.problem.place,
          !entry.places.contains(problem.place)
        {
          entries[index].places.append(problem.place)
        }
      } else if entries.count < limit {
        let isFolded = kind.spread > Self.greatestListed
        if isFolded { folded[problem.kind] = entries.count }
        entries.append(Entry(problem: problem, alike: isFolded ? kind.count - 1 : 0))
        rest -= isFolded ? kind.count : 1
      }
    }
    return (entries, rest)
  }

  /// Adds a problem that isn't a request's.
  ///
  /// - Parameters:
  ///   - subject: the text that problems of one kind share.
  ///   - isFirst: whether it precedes those of requests; otherwise it follows them.
  func add(
    _ message: String, alikeIn subject: String, in path: String, line: Int?, isFirst: Bool,
    detail: @autoclosure () -> Detail
  ) {
    state.withLock { state in
      add(ProblemOrder(file: isFirst ? -1 : .max, number: state.count), subject.hashValue, spread: 1, &state) {
        order, kind in
        Problem(path: path, line: line, name: nil, message: message, detail: detail(), order: order, kind: kind)
      }
    }
  }

  /// - Parameters:
  ///   - name: the request's name after those of the groups around it.
  ///   - number: the number of problems of its file so far.
  ///   - spread: 0 if it differs from the others of its kind only by its line, else 1.
  fileprivate func add(
    _ report: StepReport, _ name: @autoclosure () -> String, of path: String, _ message: String, number: Int,
    spread: Int
  ) {
    state.withLock { state in
      add(ProblemOrder(file: report.id.file, number: number), message.hashValue, spread: spread, &state) {
        order, kind in
        Problem(
          path: report.path ?? path, line: report.line, name: name(), message: message, detail: detail(report),
          order: order, kind: kind)
      }
    }
  }

  private func add(
    _ order: ProblemOrder, _ key: Int, spread: Int, _ state: inout State, _ make: (ProblemOrder, Int) -> Problem
  ) {
    state.count += 1
    guard var kind = state.kinds[key] ?? (state.kinds.count < Self.kindLimit ? Kind() : nil) else { return }
    kind.count += 1
    kind.spread += spread
    state.kinds[key] = kind
    if kind.retained == limit || state.problems.count == limit * limit {
      guard let last = state.problems.last, order < last.order else { return }
      // The last one, of its kind if that has enough, makes room.
      let ofKind = kind.retained == limit ? state.problems.lastIndex { $0.kind == key } : nil
      let index = ofKind ?? state.problems.count - 1
      let displaced = state.problems[index]
      guard order < displaced.order else { return }
      state.problems.remove(at: index)
      state.kinds[displaced.kind]?.retained -= 1
    }
    let index = state.problems.lastIndex { $0.order < order }.map { $0 + 1 } ?? 0
    state.problems.insert(make(order, key), at: index)
    state.kinds[key]?.retained += 1
  }
}

extension ProblemDigest {
  /// A digest of failed requests.
  convenience init(ofFailures limit: Int, detail: @escaping @Sendable (StepReport) -> Detail) {
    self.init(limit: limit, message: { $0.outcome.isFailure ? $0.message ?? "failed" : nil }, detail: detail)
  }

  /// Adds the files that did not run, after all requests.
  func add(_ files: [BrokenFile], detail: (BrokenFile) -> Detail) {
    for file in files {
      guard let first = file.errors.first else { continue }
      let more = file.errors.count - 1
      add(
        "did not run: \(first.message)" + (more > 0 ? " (and \(more) more)" : ""), alikeIn: first.message,
        in: file.path, line: first.range?.start.line, isFirst: false, detail: detail(file))
    }
  }
}

/// The position of a problem in the output.
private struct ProblemOrder: Comparable {
  let file: Int
  let number: Int

  static func < (left: ProblemOrder, right: ProblemOrder) -> Bool {
    left.file == right.file ? left.number < right.number : left.file < right.file
  }
}

/// Adds the problems of the requests of one file's run to a digest.
private struct ProblemRecorder<Detail: Sendable>: FileRecorder {
  let digest: ProblemDigest<Detail>
  var count = 0
  /// The kinds that occurred, and those of each line.
  var kinds: Set<[Int]> = []

  private static var kindLimit: Int { 1000 }

  mutating func receive(_ event: FileEvent, in groups: OpenGroups) {
    guard case .stepFinished(let report) = event, let message = digest.message(report) else { return }
    let kind = message.hashValue
    var spread = 1
    if kinds.count < Self.kindLimit {
      let isNewInFile = kinds.insert([kind]).inserted
      let isNewInLine = kinds.insert([kind, report.line]).inserted
      spread = isNewInFile || !isNewInLine ? 1 : 0
    }
    count += 1
    digest.add(report, groups.name(of: report), of: groups.path, message, number: count, spread: spread)
  }
}
