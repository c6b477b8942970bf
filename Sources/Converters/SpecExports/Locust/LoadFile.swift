import RequestSpecs
import SpecExecution
import Values

/// A file of specs, or one of its flows, as Locust's users play it.
package struct LoadFile: Sendable {
  package struct Request: Sendable {
    let step: RequestStep
    let resolved: ResolvedRequest
    let scope: FileScope
    /// The path of the file that it stands in.
    let path: String
    /// The rows for which it runs.
    let rows: LoadRows?
    /// The step that uses its file.
    let use: Use?
    /// Indicates whether it belongs to the flow, and not to the file around it.
    let isOfFlow: Bool

    package init(
      step: RequestStep, resolved: ResolvedRequest, scope: FileScope, path: String, rows: LoadRows?, use: Use?,
      isOfFlow: Bool
    ) {
      (self.step, self.resolved, self.scope, self.path) = (step, resolved, scope, path)
      (self.rows, self.use, self.isOfFlow) = (rows, use, isOfFlow)
    }

    package var stage: RequestStage { step.stage }

    /// The lines in which it stands.
    var lines: ClosedRange<Int> { step.extent.start.line...max(step.extent.start.line, step.extent.end.line) }

    /// Returns whether two requests are played together: for the same rows, or in the same used file.
    func isPlayed(with other: Request) -> Bool {
      (rows != nil || use != nil) && rows?.group == other.rows?.group && use?.group == other.use?.group
    }
  }

  /// A run of a used file, and its captures by their names outside.
  package struct Use: Sendable {
    let group: StepID
    let outputs: [(name: String, capture: String)]

    package init(group: StepID, outputs: [(name: String, capture: String)]) {
      (self.group, self.outputs) = (group, outputs)
    }
  }

  /// A file that runs once before others.
  package struct Need: Sendable {
    /// The name that its captures are members of.
    let name: String?
    let path: String
    let requests: [Request]

    package init(name: String?, path: String, requests: [Request]) {
      (self.name, self.path, self.requests) = (name, path, requests)
    }
  }

  let path: String
  let name: String?
  /// `x-weight`.
  let weight: Int
  let tags: [String]
  let requests: [Request]
  let needs: [Need]
  /// The rows for which its flow runs.
  let rowsOfFlow: LoadRows?

  package init(
    path: String, name: String?, weight: Int, tags: [String], requests: [Request], needs: [Need],
    rowsOfFlow: LoadRows?
  ) {
    (self.path, self.name, self.weight, self.tags) = (path, name, weight, tags)
    (self.requests, self.needs, self.rowsOfFlow) = (requests, needs, rowsOfFlow)
  }
}

/// All rows of a step.
package struct LoadRows: Sendable {
  let group: StepID
  let spec: RowsSpec
  let values: [Value]

  package init(group: StepID, spec: RowsSpec, values: [Value]) {
    (self.group, self.spec, self.values) = (group, spec, values)
  }

  /// Indicates whether columns of it are secrets.
  var areSecret: Bool {
    !spec.secrets.isEmpty
      || values.contains { row in
        if case .mapping(let mapping) = row { mapping.keys.contains { isSecretName($0) } } else { false }
      }
  }
}
