import JSONSchemas
import Snapshots

/// A step of a plan: a request, and the steps that run while it is in progress.
package struct PlannedStep: Sendable {
  package let request: PlannedRequest
  package let transport: TransportDecision
  /// Indicates whether it was selected itself, not just included for its captures.
  package let isSelected: Bool
  /// The compiled schema that `expect.schema` names.
  package let schema: CompiledSchema?
  /// The snapshot's name; nil if it depends on templates.
  package let snapshotName: SnapshotName?
  package fileprivate(set) var children: [PlannedStep] = []

  init(
    _ request: PlannedRequest, _ transport: TransportDecision, isSelected: Bool = true, schema: CompiledSchema? = nil,
    snapshotName: SnapshotName? = nil
  ) {
    self.request = request
    self.transport = transport
    self.isSelected = isSelected
    self.schema = schema
    self.snapshotName = snapshotName
  }

  /// The steps within it, followed by itself: they are done before it is.
  var all: [PlannedStep] { children.isEmpty ? [self] : children.flatMap(\.all) + [self] }
}

extension [PlannedStep] {
  /// Moves steps that belong to others, and precede them, into those.
  var nested: [PlannedStep] {
    guard contains(where: { $0.request.parent != nil }) else { return self }
    var children: [Int: [PlannedStep]] = [:]
    var result: [PlannedStep] = []
    for var step in self {
      step.children = children.removeValue(forKey: step.request.number) ?? []
      if let parent = step.request.parent { children[parent, default: []].append(step) } else { result.append(step) }
    }
    return result
  }
}
