import HTTPSemantics
import RequestSpecs
import Values

/// A part of a file's or a group's steps, with all that is known before it runs.
enum StepSection: Sendable {
  /// Requests that run one after another.
  case requests([RequestStep])
  case group(GroupStep)
  case use(PlannedUseStep)

  /// Returns whether one transport sends all its requests.
  func runs(by kind: TransportKind) -> Bool {
    switch self {
    case .requests(let steps): steps.allSatisfy { $0.runs(by: kind) }
    case .group(let group): group.sections.allSatisfy { $0.runs(by: kind) }
    // Its file is asked itself.
    case .use: true
    }
  }

  /// The step that captures a name, the first if there are several; groups around it don't see the captures of those
  /// inside.
  func supplier(of name: String) -> (step: RequestStep, capture: SourceRange?)? {
    guard case .requests(let steps) = self else { return nil }
    return steps.lazy.compactMap { $0.supplier(of: name) }.first
  }
}

/// Steps with a scope of their own, with all that is known before they run.
final class GroupStep: Sendable {
  let planned: PlannedGroup
  let names: DeclaredNames
  /// Setup and requests.
  let steps: [StepSection]
  let teardown: [StepSection]
  /// Indicates whether a step in it reads the number of its rows.
  let readsRowCount: Bool

  init(_ planned: PlannedGroup, of file: PlannedFile, _ make: ([PlannedStep]) -> [StepSection]) {
    self.planned = planned
    readsRowCount = planned.rows != nil && planned.readsRowCount
    names = DeclaredNames(
      planned, of: file, captures: Set(planned.steps.flatMap(\.captureNames)),
      urlCaptures: Set(planned.steps.flatMap(\.urlCaptureNames)))
    steps = make(planned.steps.filter { $0.stage != .teardown })
    teardown = make(planned.steps.filter { $0.stage == .teardown })
  }

  var sections: [StepSection] { steps + teardown }

  func supplier(of name: String) -> (step: RequestStep, capture: SourceRange?)? {
    sections.lazy.compactMap { $0.supplier(of: name) }.first
  }
}
