import RequestSpecs
import SpecExecution
import Values

/// A file of specs, resolved as far as it is known before a run.
package struct LoadFile: Sendable {
  package struct Request: Sendable {
    package let step: RequestStep
    package let resolved: ResolvedRequest
    package let scope: FileScope
    /// The path of the file that it stands in.
    package let path: String
    /// The rows for which it runs, by their number in ``LoadFile/rows``.
    package let rows: Int?
    /// The step that uses its file, by its number in ``LoadFile/uses``.
    package let use: Int?
    /// Indicates whether it belongs to the flow, and not to the file around it.
    package var isOfFlow = false

    package init(
      step: RequestStep, resolved: ResolvedRequest, scope: FileScope, path: String, rows: Int?, use: Int?
    ) {
      self.step = step
      self.resolved = resolved
      self.scope = scope
      self.path = path
      self.rows = rows
      self.use = use
    }

    /// The lines in which it stands.
    var lines: ClosedRange<Int> { step.extent.start.line...max(step.extent.start.line, step.extent.end.line) }
  }

  /// A file that runs once before others.
  package struct Need: Sendable {
    /// The name that its captures are members of.
    package let name: String?
    package let path: String
    package let requests: [Request]

    package init(name: String?, path: String, requests: [Request]) {
      self.name = name
      self.path = path
      self.requests = requests
    }
  }

  package let path: String
  package let name: String?
  /// `x-weight`.
  package let weight: Int
  package let tags: [String]
  package var requests: [Request] = []
  package var needs: [Need] = []
  /// All rows of its requests.
  package var rows: [LoadRows] = []
  /// The captures that come out of the files that its steps use, by their names outside.
  package var uses: [[(name: String, capture: String)]] = []
  /// The rows for which its flow runs.
  package var rowsOfFlow: LoadRows?

  package init(path: String, name: String?, weight: Int, tags: [String]) {
    self.path = path
    self.name = name
    self.weight = weight
    self.tags = tags
  }
}

/// The rows of a step.
package struct LoadRows: Sendable {
  package let spec: RowsSpec
  package let values: [Value]
  /// Indicates whether columns of it are secrets.
  let areSecret: Bool

  package init(spec: RowsSpec, values: [Value]) {
    self.spec = spec
    self.values = values
    areSecret =
      !spec.secrets.isEmpty
      || values.contains { row in
        if case .mapping(let mapping) = row { mapping.keys.contains { isSecretName($0) } } else { false }
      }
  }
}

/// The files of an exported project, and what it lacks.
package struct LoadExport: Sendable {
  package var files: [(name: String, bytes: [UInt8])] = []
  /// The parts of specs that could not be exported, each with its place.
  package var remarks: [String] = []
  /// The number of exported requests.
  package var requests = 0
  /// The environment variables that it reads.
  package var environment: [String] = []
}
