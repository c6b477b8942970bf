import RequestSpecs
import SpecExports

/// The names that come out of used files.
struct UseOutputs: Sendable {
  typealias Outputs = [(name: String, capture: String)]

  /// The captures that come out of a used file, by the path of the file whose step uses it, and by its line.
  private var outputs: [String: [Int: Outputs]] = [:]
  private(set) var remarks: [ExportRemark] = []

  init(_ plans: [PlannedFile]) {
    var remarks = ExportRemarks()
    for plan in plans.withReused { add(plan.steps, of: plan.path, &remarks) }
    for need in plans.flatMap(\.allNeeds) { add(need.file.steps, of: need.file.path, &remarks) }
    self.remarks = remarks.all
  }

  private mutating func add(_ steps: [PlannedStep], of path: String, _ remarks: inout ExportRemarks) {
    for step in steps {
      switch step {
      case .request: break
      case .group(let group): add(group.steps, of: path, &remarks)
      case .use(let step):
        let line = step.request.line
        outputs[path, default: [:]][line] = step.use.outputs
        if step.poll != nil {
          remarks.add(
            ExportRemark(place: "\(path):\(line)", reason: "`poll` beside `use`", detail: step.use.file.path))
        }
      }
    }
  }

  /// The captures that the file of a step gives to the one that uses it.
  func outputs(at place: CollectedPlace) -> Outputs {
    place.use.flatMap { outputs[place.file]?[$0.line] } ?? []
  }
}
