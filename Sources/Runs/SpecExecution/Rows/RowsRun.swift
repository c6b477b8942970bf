import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Templates
import Values

/// Runs a request, a group or a file that is used once for each row.
struct RowsRun: Sendable {
  enum Target: Sendable {
    case request(RequestStep)
    case group(GroupStep)
    case use(PlannedUseStep)
  }

  /// The result of one row.
  private struct RowResult: Sendable {
    let index: Int
    var counts = OutcomeCounts()
    /// The values of the captures that are kept; nil for a row that failed or was skipped.
    var captures: [Value?] = []
    /// The value that it yields for the next row.
    var next: Value?
    var session: FileSession?
    /// The files that it used, whose teardowns are still to come.
    var used: [UsedRun] = []
  }

  /// The number of rows that may run ahead of the first unfinished one, for each that runs at a time.
  private static let lead = 4

  /// The number of rows whose used files are torn down at the end; a row's at once where there are more.
  private static let keptTeardowns = 10_000

  let target: Target
  let rows: RowsSpec
  let steps: StepRun
  let outer: StepGroup
  let events: any FileEventSink
  let subject: Subject
  let id: StepID
  private let names: DeclaredNames
  private let kept: [String]

  init(_ target: Target, _ rows: RowsSpec, _ steps: StepRun, in outer: StepGroup, reportingTo events: any FileEventSink)
  {
    self.target = target
    self.rows = rows
    self.steps = steps
    self.outer = outer
    self.events = events
    id = steps.newStep()
    subject = Subject(target)
    switch target {
    case .request(let request):
      names = DeclaredNames(captures: Set(request.captureNames), path: outer.scope.path)
      kept = request.keptCaptures
    case .group:
      names = DeclaredNames(path: outer.scope.path)
      kept = []
    case .use(let step):
      names = DeclaredNames(captures: Set(step.request.captureNames), path: outer.scope.path)
      kept = step.keptCaptures
    }
  }

  var context: RunContext { steps.context }
  var stage: RequestStage { subject.stage }

  /// Runs all rows.
  ///
  /// - Returns: whether all were good.
  func run() async -> Bool {
    let start = ContinuousClock.now
    events.receive(
      .groupStarted(
        GroupStart(
          id: id, parent: outer.parent, kind: .rows, stage: stage, name: subject.name, line: subject.line,
          time: .now)))
    var counts = OutcomeCounts()
    do throws(TemplateError) {
      var (source, min, parallel, failsFast) = try context.control.evaluating(stage, at: rows.range.firstLine) {
        () throws(TemplateError) in
        (
          try RowSource(rows, in: outer.scope, counts: subject.readsRowCount),
          try rows.min?.resolve(in: outer.scope) ?? 1,
          try rows.parallel?.resolve(in: outer.scope) ?? 1, try rows.failFast?.resolve(in: outer.scope) ?? false
        )
      }
      if let onRows = context.onRows { onRows(id, rows, source.takeAll()) }
      await run(source, min: min, parallel, failsFast: failsFast, &counts)
    } catch {
      report(error, index: nil, &counts, into: events)
    }
    events.receive(
      .groupFinished(GroupReport(id: id, parent: outer.parent, counts: counts, duration: .now - start)))
    outer.add(counts)
    return counts.isGood
  }

  private func run(
    _ rowSource: RowSource, min: Int, _ parallel: Int, failsFast: Bool, _ counts: inout OutcomeCounts
  ) async {
    var source = rowSource
    var started = 0
    var isOver = false
    var reason: SkipReason?
    // The results of rows that ended before an earlier one.
    var waiting: [Int: RowResult] = [:]
    var first = 0
    var captures = kept.map { _ in [Value]() }
    let share = StorageBudget.Share(of: context.storage)
    var shortage: TemplateError?
    var error: TemplateError?
    func take(_ result: RowResult) {
      waiting[result.index] = result
      while let next = waiting.removeValue(forKey: first) {
        first += 1
        counts.add(next.counts)
        if let session = next.session { outer.session.merge(session) }
        for used in next.used { outer.add(used) }
        for (index, name) in kept.enumerated() {
          let value = index < next.captures.count ? next.captures[index] ?? .null : .null
          if shortage == nil { shortage = reserve(value, share, as: name) }
          if shortage == nil { captures[index].append(value) }
        }
        if failsFast, !next.counts.isGood { reason = reason ?? SkipReason("an earlier row failed") }
      }
    }
    /// The next row; nil after the last, and if no other may start.
    func nextRow() -> Value? {
      guard !isOver, reason == nil else { return nil }
      reason = steps.reasonToSkip(stage, in: outer)
      guard reason == nil else { return nil }
      do throws(TemplateError) {
        if let row = try source.row() { return row }
      } catch let problem {
        error = problem
      }
      isOver = true
      return nil
    }
    if parallel == 1 {
      while let row = nextRow() {
        let index = started
        started += 1
        let events = noting(row, source.place, events)
        let result = await self.row(row, index, of: source.count, in: outer.session, reportingTo: events)
        take(result)
        guard rows.next != nil, let failure = source.follow(result.next) else { continue }
        report(failure, index: started, &counts)
      }
      if let next = rows.next, source.missesNext, isOver, counts.isGood, counts.passed > 0,
        let failure = RowsFailure.missing(next)
      {
        report(failure, index: started, &counts)
      }
    } else {
      let output = RowOutput(events)
      await withTaskGroup(of: RowResult.self) { tasks in
        var running = 0
        while true {
          while running < parallel, started - first < parallel * RowsRun.lead, let row = nextRow() {
            let (index, count) = (started, source.count)
            let session = outer.session.session(for: .copied)
            let events = noting(row, source.place, output.events(of: index))
            tasks.addTask {
              let result = await self.row(row, index, of: count, in: session, reportingTo: events)
              output.end(index)
              return result
            }
            started += 1
            running += 1
          }
          guard running > 0, let result = await tasks.next() else { break }
          running -= 1
          take(result)
        }
      }
    }
    if let error {
      report(error, index: started, &counts, into: events)
      for index in captures.indices { captures[index].append(.null) }
    }
    if !kept.isEmpty, shortage == nil, let count = source.count, count > captures[0].count {
      shortage = reserve(count - captures[0].count, share, as: kept.joined(separator: ", "))
    }
    if let shortage { report(shortage, index: nil, &counts, into: events) }
    if let reason, started < source.count ?? .max, source.count != nil || hasMore(&source) {
      skipRest(from: started, reason, &counts)
    } else if isOver, error == nil, started < min {
      report(.few(started, min: min), index: nil, &counts)
    } else if started == 0, counts.requests == 0 {
      skip(newReport(nil), SkipReason("there are no rows", isWanted: true), &counts)
    }
    if context.isDryRun || shortage != nil { return }
    for (name, values) in zip(kept, captures) {
      let missing = max(0, (source.count ?? values.count) - values.count)
      outer.scope.capture(name, .list(values + [Value](repeating: .null, count: missing)), share: share)
    }
  }

  private func hasMore(_ source: inout RowSource) -> Bool {
    do throws(TemplateError) { return try source.row() != nil } catch { return true }
  }

  /// Reserves memory for a value that outlives its row.
  private func reserve(_ value: Value, _ share: StorageBudget.Share, as name: String) -> TemplateError? {
    let allowance = 1 << 30
    let left = (try? value.remainder(of: allowance, levels: 512).get()) ?? 0
    return reserve(bytes: allowance - left + MemoryLayout<Value>.stride, share, as: name)
  }

  /// Reserves memory for the nulls of rows that did not run.
  private func reserve(_ count: Int, _ share: StorageBudget.Share, as names: String) -> TemplateError? {
    let size = MemoryLayout<Value>.stride * max(1, kept.count)
    return reserve(bytes: count.multiplied(by: size) ?? .max, share, as: names)
  }

  private func reserve(bytes: Int, _ share: StorageBudget.Share, as name: String) -> TemplateError? {
    do throws(MemoryShortage) {
      try share.takeMemory(bytes)
      return nil
    } catch {
      return TemplateError(
        "the values that the rows capture as `\(name)` take more memory than there is", at: rows.range.firstLine,
        help: "capture less, or raise --max-memory")
    }
  }

  // MARK: one row

  private func row(
    _ row: Value, _ index: Int, of count: Int?, in session: FileSession, reportingTo events: any FileEventSink
  ) async -> RowResult {
    let name = self.name(of: row, index, count)
    let scope = FileScope(
      inside: outer.scope, names: names, seed: seed(of: index),
      row: name)
    setRow(row, index, count, in: scope)
    var result = RowResult(index: index)
    switch target {
    case .request(let request):
      let group = StepGroup(
        parent: id, reported: id, scope: scope, session: session, supplier: outer.supplier, isLive: outer.isLive,
        tearsDown: outer.tearsDown, label: name)
      await steps.run(once: request, in: group, nil, reportingTo: events)
      result.counts = group.counts
      if !kept.isEmpty { result.captures = kept.map { result.counts.isGood ? scope.captured($0) : nil } }
      if rows.next != nil, !context.isDryRun { result.next = scope.captured(RowsSpec.nextCapture) }
      if session !== outer.session { result.session = session }
    case .group(let step):
      let group = StepGroup(
        parent: id, reported: id, scope: scope, session: outer.session, supplier: outer.supplier, isLive: outer.isLive,
        label: name)
      await steps.run(once: step, in: group, reportingTo: events)
      result.counts = group.counts
    case .use(let step):
      let group = StepGroup(
        parent: id, reported: id, scope: scope, session: session, supplier: outer.supplier, isLive: outer.isLive,
        tearsDown: outer.tearsDown, label: name)
      await steps.run(once: step, in: group, reportingTo: events)
      if (count ?? index + 1) > RowsRun.keptTeardowns {
        await steps.tearDown([], in: group, reportingTo: events)
      } else {
        result.used = group.takeUsed()
      }
      result.counts = group.counts
      if !kept.isEmpty { result.captures = kept.map { result.counts.isGood ? scope.captured($0) : nil } }
      if session !== outer.session { result.session = session }
    }
    return result
  }

  private func seed(of index: Int) -> RandomSeed {
    let all =
      switch target {
      case .request(let request): outer.scope.seed.part(.step, request.number)
      case .group(let group): outer.scope.seed.part(.rows, group.planned.number)
      case .use(let step): outer.scope.seed.part(.step, step.request.number)
      }
    return all.part(.row, index)
  }

  private func setRow(_ row: Value, _ index: Int, _ count: Int?, in scope: FileScope) {
    scope.capture("row", row, share: nil)
    scope.capture("row_index", .integer(index), share: nil)
    if let count { scope.capture("row_count", .integer(count), share: nil) }
  }

  func name(of row: Value, _ index: Int, _ count: Int?) -> String {
    guard let name = rows.name else { return String(index) }
    let scope = FileScope(inside: outer.scope, names: names, seed: seed(of: index))
    setRow(row, index, count, in: scope)
    let resolved = try? context.control.evaluating(stage, at: name.range) { () throws(TemplateError) in
      try name.resolve(in: scope)
    }
    return resolved.map { scope.registry.shown($0) } ?? String(index)
  }
}
