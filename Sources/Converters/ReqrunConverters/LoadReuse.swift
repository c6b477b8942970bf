import RequestSpecs

/// The files that the exported ones need.
struct LoadNeeds: Sendable {
  struct Need: Sendable {
    let name: String?
    let path: String
  }

  /// Those that are played, by the path of the file that needs them.
  private(set) var needs: [String: [Need]] = [:]
  /// The names that the others give.
  private(set) var unplayed: Set<String> = []
  private(set) var remarks: [String] = []

  init(_ plans: [PlannedFile]) {
    // A file that runs with several values isn't identified by its path.
    var values: [String: Set<SpecID>] = [:]
    var played: Set<String> = []
    for need in plans.flatMap(\.allNeeds) { values[need.file.path, default: []].insert(need.id) }
    for plan in plans {
      for need in plan.allNeeds {
        let names = need.name.map { [$0] } ?? need.file.requestSteps.flatMap(\.request.captureNames)
        let isOwn = plan.needs.contains { $0 === need }
        let isPlain = need.file.allNeeds.isEmpty && !need.file.requestSteps.contains { $0.request.spec.rows != nil }
        if isOwn, isPlain, !need.sharesCookies, values[need.file.path]?.count == 1 {
          needs[plan.path, default: []].append(Need(name: need.name, path: need.file.path))
          played.formUnion(names)
          let torn = need.file.requestSteps.contains { $0.request.stage == .teardown }
          if torn { remarks.append("\(plan.path): the teardown of \(need.file.path), which it needs, is not played") }
        } else {
          unplayed.formUnion(names)
          remarks.append("\(plan.path): \(need.file.path), which it needs, is not played")
        }
      }
    }
    unplayed.subtract(played)
  }
}

/// The names that come out of used files.
struct LoadNames: Sendable {
  typealias Outputs = [(name: String, capture: String)]

  /// The captures that come out of a used file, by the path of the file whose step uses it, and by its line.
  private(set) var outputs: [String: [Int: Outputs]] = [:]
  private(set) var remarks: [String] = []

  init(_ plans: [PlannedFile]) {
    for plan in plans.withReused { add(plan.steps, of: plan.path) }
    for need in plans.flatMap(\.allNeeds) { add(need.file.steps, of: need.file.path) }
  }

  private mutating func add(_ steps: [PlannedStep], of path: String) {
    for step in steps {
      switch step {
      case .request: break
      case .group(let group): add(group.steps, of: path)
      case .use(let step):
        outputs[path, default: [:]][step.request.line] = step.use.outputs
        if step.poll != nil { remarks.append("\(path):\(step.request.line): `poll` beside `use` is not played") }
      }
    }
  }
}
