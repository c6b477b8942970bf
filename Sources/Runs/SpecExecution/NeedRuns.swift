import HTTPSemantics
import RequestSpecs
import Synchronization
import Templates
import Values

/// The needs of one file.
struct FileNeeds: Sendable {
  struct Need: Sendable {
    /// The index of the run.
    let run: Int
    /// The name that its captures are members of; nil if each has its own name.
    let name: String?
    /// The names that it captures.
    let captures: [String]
    let sharesCookies: Bool
  }

  var all: [Need] = []
  /// The runs that it waits for: its own needs, and those of the files that it uses.
  var awaited: [Int] = []
  /// The reason why the values of their variables are unknown.
  var problem: TemplateError?
}

/// The runs and files that the files of a run share through `use` and `needs`.
final class ReusedRuns: Sendable {
  let needs: NeedRuns
  /// The files that steps use.
  let files: [SpecID: PreparedFile]
  /// The secrets of the files that others need, once these have run.
  let secrets = SecretRegistry()

  /// Nil if no file uses or needs another.
  init?(_ needs: NeedRuns, _ files: [SpecID: PreparedFile]) {
    if needs.needsOfFiles.isEmpty, files.isEmpty { return nil }
    self.needs = needs
    self.files = files
  }
}

/// The runs of files that others need: one for each file and values of its variables.
package struct NeedRuns: Sendable {
  private struct Key: Hashable {
    let id: SpecID
    let arguments: Value
  }

  /// The end of planning before all runs are known.
  private struct Ending: Error {
    /// The need of an argument that has too many runs, and the last one below it; nil if the run ends.
    var places: (first: SourceRange, last: SourceRange)?

    var problem: TemplateError? {
      places.map { places in
        var problem = TemplateError(
          "with this need, more than \(NeedRuns.limit) runs of needed files come before the requests", at: places.first,
          help: "a file runs once for all that need it with the same values: give fewer different values in `with`")
        problem.notes = [Diagnostic.Note("this need is one too many", at: places.last)]
        return problem
      }
    }
  }

  /// The maximum number of runs.
  private static let limit = 100_000

  private(set) var runs: [NeedRun] = []
  /// The needs of each file among the arguments.
  private(set) var needsOfFiles: [FileNeeds] = []
  /// The needs of each file that steps use.
  private(set) var needsOfUsed: [SpecID: FileNeeds] = [:]
  /// The files of the arguments, and those among them that others need.
  private(set) var entries: [RunOrder.Entry] = []
  /// The reason why not all runs are known; nil if they are.
  private var ending: Ending?

  /// - Parameters:
  ///   - planned: the arguments.
  ///   - files: the same, prepared.
  ///   - used: the files that their steps use.
  ///   - standsIn: whether unknown values have placeholders.
  ///   - control: ends planning early.
  init(
    _ planned: [PlannedFile], _ files: [PreparedFile], _ used: [SpecID: PreparedFile], in environment: RunEnvironment,
    standsIn: Bool, _ control: RunControl, _ prepare: (PlannedFile) -> PreparedFile
  ) {
    guard planned.contains(where: { !$0.allNeeds.isEmpty }) else {
      entries = files.indices.map { .file($0) }
      return
    }
    var known: [Key: Int] = [:]
    var prepared: [SpecID: PreparedFile] = [:]
    for (plan, file) in zip(planned, files) { if let id = plan.id { prepared[id] = file } }

    var names = NeedNames()
    func run(
      of plan: PlannedFile, _ id: SpecID, _ arguments: Mapping, changing: Set<String> = [],
      for needer: (name: String?, path: String) = (nil, ""), at place: SourceRange
    ) throws(Ending) -> Int {
      let key = Key(id: id, arguments: .mapping(arguments))
      if let index = known[key] { return index }
      if control.phase > .stopping { throw Ending() }
      let file = prepared[id] ?? prepare(plan)
      prepared[id] = file
      let needs = try allNeeds(of: plan, file, arguments, changing)
      guard runs.count < NeedRuns.limit else { throw Ending(places: (place, place)) }
      let name = names.name(of: arguments, changing: changing, in: plan.path, needer: needer)
      runs.append(NeedRun(file, arguments, name, needs))
      known[key] = runs.count - 1
      return runs.count - 1
    }
    func allNeeds(
      of plan: PlannedFile, _ file: PreparedFile, _ arguments: Mapping = Mapping(), _ changing: Set<String> = []
    ) throws(Ending) -> FileNeeds {
      var own = try needs(of: plan, file, arguments, changing)
      for use in plan.usedFiles where !use.file.needs.isEmpty {
        if needsOfUsed[use.id] == nil {
          needsOfUsed[use.id] = try needs(of: use.file, used[use.id] ?? prepare(use.file))
        }
        guard let known = needsOfUsed[use.id] else { continue }
        own.awaited += known.awaited
        if own.problem == nil { own.problem = known.problem }
      }
      return own
    }
    func needs(
      of plan: PlannedFile, _ file: PreparedFile, _ arguments: Mapping = Mapping(), _ changing: Set<String> = []
    ) throws(Ending) -> FileNeeds {
      var needs = FileNeeds()
      if plan.needs.isEmpty { return needs }
      let scope = file.makeScope(environment, iteration: 0, arguments: arguments, standsIn: standsIn)
      var changing = ChangingArguments(of: plan, changing: changing)
      for need in plan.needs {
        let values: Mapping
        do throws(TemplateError) {
          values = try control.evaluating(.setup, at: need.range) { () throws(TemplateError) in
            try need.arguments.resolve(in: scope)
          }
        } catch {
          if control.phase > .stopping { throw Ending() }
          needs.problem = error
          continue
        }
        do throws(Ending) {
          let run = try run(
            of: need.file, need.id, values, changing: changing.names(of: need), for: (need.name, plan.path),
            at: need.range)
          needs.awaited.append(run)
          needs.all.append(
            FileNeeds.Need(
              run: run, name: need.name, captures: need.file.yieldedNames, sharesCookies: need.sharesCookies))
        } catch {
          throw Ending(places: error.places.map { (need.range, $0.last) })
        }
      }
      return needs
    }
    for (index, (plan, file)) in zip(planned, files).enumerated() {
      let start = runs.count
      do throws(Ending) {
        if let ending, !plan.allNeeds.isEmpty { throw ending }
        if let id = plan.id {
          let run = try run(of: plan, id, Mapping(), at: SourceRange(plan.source, 0..<0))
          needsOfFiles.append(FileNeeds())
          entries.append(.need(run))
        } else {
          needsOfFiles.append(try allNeeds(of: plan, file))
          entries.append(.file(index))
        }
      } catch {
        // What nobody waits for doesn't run.
        runs.removeSubrange(start...)
        known = known.filter { $0.value < start }
        needsOfUsed = needsOfUsed.filter { $0.value.awaited.allSatisfy { $0 < start } }
        ending = error
        needsOfFiles.append(FileNeeds(problem: error.problem))
        entries.append(.file(index))
      }
    }
  }

  /// The reason why files take more runs of needs than there may be; nil if they don't, or if the run ends.
  package static func excess(
    of files: [PlannedFile], in environment: RunEnvironment, _ control: RunControl
  ) -> Diagnostic? {
    guard files.reduce(0, { $0.addingClamped($1.maxNeedRuns) }) > limit else { return nil }
    func prepare(_ file: PlannedFile) -> PreparedFile {
      control.evaluationBudget(.setup).limit { PreparedFile(file, environment: environment, needs: []) }
    }
    let runs = NeedRuns(files, files.map(prepare), [:], in: environment, standsIn: true, control, prepare)
    return runs.ending?.problem?.diagnostic
  }

  /// Gives the scope and the session of a run what its needs captured.
  ///
  /// - Returns: the reason to skip the run, if a need has failed.
  func fulfil(_ needs: FileNeeds, in scope: FileScope, _ session: FileSession) -> String? {
    let failure = needs.awaited.lazy.compactMap { runs[$0].result?.failure }.first
    for need in needs.all {
      guard let result = runs[need.run].result else { continue }
      scope.registry.add(result.scope.registry)
      if need.sharesCookies { session.add(result.session) }
      let values = need.captures.compactMap { name in result.value(of: name, below: need.name).map { (name, $0) } }
      if let name = need.name {
        scope.capture(name, .mapping(Mapping(values)), share: nil)
      } else if !scope.standsIn {
        for (name, value) in values { scope.capture(name, value, share: nil) }
      }
    }
    return failure
  }
}

/// The end of a need's run.
struct NeedResult: Sendable {
  /// The reason to skip the files that need it; nil if it passed.
  let failure: String?
  let scope: FileScope
  let session: FileSession

  /// - Parameter name: the name of the need, if it has one.
  fileprivate func value(of capture: String, below name: String?) -> Value? {
    if scope.standsIn {
      let path = "\(name.map { "\($0)." } ?? "")\(capture)"
      return .text(scope.environment.openValues?.capture(path, isURL: false) ?? Text("<\(path)>"))
    }
    guard case .value(let value)? = try? scope.lookup(capture) else { return nil }
    return value
  }
}

/// A run of a file that others need.
final class NeedRun: Sendable {
  private struct State {
    var run: FileRun?
    var result: NeedResult?
  }

  let file: PreparedFile
  let arguments: Mapping
  /// The name by the values of its variables; nil without any.
  let variant: String?
  let needs: FileNeeds
  private let state = Mutex(State())

  init(_ file: PreparedFile, _ arguments: Mapping, _ variant: String?, _ needs: FileNeeds) {
    self.file = file
    self.arguments = arguments
    self.variant = variant
    self.needs = needs
  }

  /// Nil before its end.
  var result: NeedResult? { state.withLock { $0.result } }

  /// Runs its setup and requests, and after a failure its teardown.
  func run(_ run: FileRun) async -> OutcomeCounts {
    let counts = await run.runForOthers()
    state.withLock { state in
      state.run = run
      state.result = run.result
    }
    return counts
  }

  /// Runs its teardown, if that was not done.
  func tearDown(at position: Int, _ context: RunContext, into events: any FileEventSink) async -> OutcomeCounts {
    guard let run = state.withLock({ $0.run }), run.result.failure == nil else {
      events.receive(.leftOut)
      return OutcomeCounts()
    }
    return await FileRun(teardownOf: run, at: position, context, into: events).tearDown()
  }
}
