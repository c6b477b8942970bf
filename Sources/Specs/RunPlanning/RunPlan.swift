import Diagnostics
import HTTPMessages
import RequestSpecs
import Values

/// Options of the command line for planning.
package struct PlanningOptions: Sendable {
  /// `--var`: name, value, and whether the value is text, which is converted to the declared variable's type.
  package var variables: [CommandVariable] = []
  /// `--env-file`, in order; the last of a name wins.
  package var environmentFile: [CommandVariable] = []
  /// `--secret`.
  package var secrets: [(name: String, value: String)] = []
  package var tags: [String] = []
  package var excludedTags: [String] = []
  package var namePattern: String?
  package var transport: TransportChoice = .auto
  /// The command line's connection settings, above all layers.
  package var connection: ConnectionSettings?
  /// The sources of the places in `connection`.
  package var sources: [SourceText] = []
  /// Names that the run itself sets, such as `demo`.
  package var runNames: [String] = []

  package init() {}
}

/// A variable from the command line or a dotenv file.
package struct CommandVariable: Sendable {
  package let name: String
  package let value: Value
  /// Indicates whether the value is plain text, to be converted to the type of the variable that it replaces.
  package let isText: Bool
  /// The place in a dotenv file, as `file:line`; nil for the command line.
  package let place: String?

  package init(name: String, value: Value, isText: Bool, place: String? = nil) {
    self.place = place
    self.name = name
    self.value = value
    self.isText = isText
  }
}

/// A spec with all files that were loaded for it.
package struct LoadedSpec: Sendable {
  package let file: SpecFile
  /// The files it extends, lowest first, each once.
  package let bases: [SpecFile]
  package let project: ProjectFile?
  /// `FILE:LINE` arguments; empty selects all.
  package var lines: [Int]
  /// Indicates whether all files that the file extends could be read.
  package let isComplete: Bool

  package init(file: SpecFile, bases: [SpecFile], project: ProjectFile?, lines: [Int], isComplete: Bool = true) {
    self.file = file
    self.bases = bases
    self.project = project
    self.lines = lines
    self.isComplete = isComplete
  }
}

/// A spec, merged, validated and selected: ready to run.
package struct PlannedFile: Sendable {
  package let path: String
  package let source: SourceText
  /// The sources of the other layers.
  package let layerSources: [SourceText]
  package let name: String?
  /// The scope around the file's own, whose variables are evaluated once per run.
  package let sharedScope: PlannedScope?
  /// The file's own scope, including those of the files that it extends.
  package let scope: PlannedScope
  /// `--var` and `--env-file`, with the types of the variables that they replace.
  package let overrides: [String: Value]
  /// `--secret`.
  package let commandSecrets: [String: String]
  package let contract: PlannedContract?
  /// Setup, requests and teardown in order; unselected ones are left out.
  package let steps: [PlannedStep]
  /// The requests that aren't selected, by the names that only they would capture.
  package let unselectedSuppliers: [String: PlannedRequest]
  package let snapshots: SnapshotNames

  /// All steps, including those within others, which come before the step that holds them.
  package var allSteps: [PlannedStep] {
    steps.allSatisfy { $0.children.isEmpty } ? steps : steps.flatMap { $0.all }
  }

  package var selectedCount: Int { allSteps.count { $0.isSelected } }
}

/// The transport of a request, with the reason.
package struct TransportDecision: Sendable, Hashable {
  package let kind: TransportKind
  package let reason: String
  /// Indicates whether it is the default for most files, or was explicitly chosen: nobody is surprised by it.
  package let isUsual: Bool

  package init(kind: TransportKind, reason: String, isUsual: Bool = true) {
    self.kind = kind
    self.reason = reason
    self.isUsual = isUsual
  }
}
