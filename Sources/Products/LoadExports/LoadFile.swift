import RequestResolution
import RequestSpecs

/// A file of specs, resolved as far as it is known before a run.
package struct LoadFile: Sendable {
  package struct Request: Sendable {
    package let step: RequestStep
    package let resolved: ResolvedRequest

    package init(step: RequestStep, resolved: ResolvedRequest) {
      self.step = step
      self.resolved = resolved
    }
  }

  package let path: String
  package let name: String?
  /// `x-weight`.
  package let weight: Int
  package let tags: [String]
  package var requests: [Request] = []

  package init(path: String, name: String?, weight: Int, tags: [String]) {
    self.path = path
    self.name = name
    self.weight = weight
    self.tags = tags
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
