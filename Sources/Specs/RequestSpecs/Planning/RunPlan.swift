import HTTPSemantics
import OperatingSystem
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
  /// Collects the names that templates read; nil collects none.
  package var recorder: NameRecorder?

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

/// A spec that others run, or one request of it.
package struct SpecID: Sendable, Hashable {
  /// The canonical path.
  package let path: String
  /// The name of the request; nil for the whole file.
  package let request: String?

  package init(path: String, request: String? = nil) {
    self.path = path
    self.request = request
  }
}

/// A file that a spec needs, as it was found.
package struct LoadedNeed: Sendable {
  package let spec: NeedSpec
  package let id: SpecID

  package init(spec: NeedSpec, id: SpecID) {
    self.spec = spec
    self.id = id
  }
}

/// A spec with all files that were loaded for it.
package struct LoadedSpec: Sendable {
  package var file: SpecFile
  /// The files it extends, lowest first, each once.
  package let bases: [SpecFile]
  package let project: ProjectFile?
  /// The environments of the project; nil if it has none.
  package let environments: ProjectEnvironments?
  /// `FILE:LINE` arguments; empty selects all.
  package var lines: [Int]
  /// The requests that failed in an earlier run, if only these run.
  package let failed: FailedRequests?
  /// The files that it needs.
  package var needs: [LoadedNeed] = []
  /// The files that its steps use.
  package var uses: [ObjectIdentifier: SpecID] = [:]
  /// The identity as a file that others run; nil for an argument, of which the command line selects a part.
  package var id: SpecID?
  /// Indicates whether all files that the file extends, uses or needs could be read.
  package var isComplete: Bool

  package init(
    file: SpecFile, bases: [SpecFile], project: ProjectFile?, environments: ProjectEnvironments? = nil, lines: [Int],
    failed: FailedRequests? = nil,
    isComplete: Bool = true
  ) {
    self.file = file
    self.bases = bases
    self.project = project
    self.environments = environments
    self.lines = lines
    self.failed = failed
    self.isComplete = isComplete
  }
}

/// A file that another one needs.
package final class PlannedNeed: Sendable {
  /// The name that its captures are members of; nil if each has its own name.
  package let name: String?
  package let file: PlannedFile
  package let id: SpecID
  /// The values of its variables.
  package let arguments: KeyedSettings<ValueTemplate>
  package let sharesCookies: Bool
  /// The place that names the file.
  package let range: SourceRange

  init(_ need: LoadedNeed, _ file: PlannedFile) {
    name = need.spec.name?.value
    self.file = file
    id = need.id
    arguments = need.spec.file.arguments
    sharesCookies = need.spec.file.sharesCookies ?? false
    range = need.spec.file.path.range
  }

  /// The names that the file that needs it reads.
  package var suppliedNames: [String] { name.map { [$0] } ?? file.yieldedNames }

  /// The names that a dry run shows in place of values: with those of members, as `admin.token`.
  package var placeholders: [String] {
    suppliedNames + (name.map { name in file.yieldedNames.map { "\(name).\($0)" } } ?? [])
  }
}

/// A spec, merged, validated and selected: ready to run.
package struct PlannedFile: Sendable {
  /// The identity as a file that others run; nil for an argument, of which the command line selects a part.
  package let id: SpecID?
  package let path: String
  package let source: SourceText
  /// The sources of the other layers.
  package let layerSources: [SourceText]
  package let name: String?
  /// The scope around the file's own, whose variables are evaluated once per run.
  package let sharedScope: PlannedScope?
  /// The file's own scope, including those of the files that it extends.
  package let scope: PlannedScope
  /// The names with a value that nothing in it reads.
  let unreadNames: Set<String>
  /// `--var` and `--env-file`, with the types of the variables that they replace.
  package let overrides: [String: Value]
  /// `--secret`.
  package let commandSecrets: [String: String]
  package let contracts: FileContracts<PlannedContract>
  /// Indicates whether a request that is selected reads the project's mock.
  package let readsMock: Bool
  /// Setup, requests or flows, and teardown in order; unselected ones are left out.
  package let steps: [PlannedStep]
  /// All requests, including those within others, which come before the one that holds them.
  package let requestSteps: [PlannedRequestStep]
  /// The files that its steps use, and those that they use, each once.
  package let usedFiles: [PlannedUse]
  /// The requests that aren't selected, by the names that only they would capture.
  package let unselectedSuppliers: [String: PlannedRequest]
  package let snapshots: SnapshotNames
  /// The files that run before it.
  package let needs: [PlannedNeed]
  /// The number of the runs of others that come before it, if each has other values.
  package let maxNeedRuns: Int

  package var selectedCount: Int { requestSteps.count { $0.isSelected } }

  /// The names that its setup and requests capture, for files that run it, each once.
  package var yieldedNames: [String] {
    var seen: Set<String> = []
    return steps.filter { $0.stage != .teardown }.flatMap(\.captureNames).filter { seen.insert($0).inserted }
  }

  /// The number of its requests, with those of the files that it uses.
  var requestCount: Int { requestSteps.count }

  /// Its own needs, and those of the files that it uses.
  package var allNeeds: [PlannedNeed] { needs + usedFiles.flatMap(\.file.needs) }

  /// Indicates whether something of it runs after all that need it.
  package var hasTeardown: Bool {
    steps.contains { $0.stage == .teardown } || usedFiles.contains { $0.file.steps.contains { $0.stage == .teardown } }
  }
}

extension [PlannedFile] {
  /// The files, with the whole plan of each that others need as it is: it runs once, whatever is selected of it.
  package var withWholeNeeds: [PlannedFile] {
    var whole: [SpecID: PlannedFile] = [:]
    for need in withNeeded.flatMap(\.allNeeds) where need.arguments.isEmpty { whole[need.id] = need.file }
    if whole.isEmpty { return self }
    return map { file in canonicalPath(file.path).flatMap { whole[SpecID(path: $0)] } ?? file }
  }

  /// The files with all that they need, each once, and before the first that needs it.
  package var withNeeded: [PlannedFile] {
    guard contains(where: { !$0.allNeeds.isEmpty }) else { return self }
    var seen: Set<SpecID> = []
    var result: [PlannedFile] = []
    let own = Set(compactMap(\.id))
    func add(_ file: PlannedFile) {
      if let id = file.id, !seen.insert(id).inserted { return }
      // One that is an argument itself keeps its place.
      for need in file.allNeeds where !own.contains(need.id) { add(need.file) }
      result.append(file)
    }
    for file in self { add(file) }
    return result
  }

  /// The files with all that they need and use, each once.
  package var withReused: [PlannedFile] {
    let all = withNeeded
    guard all.contains(where: { !$0.usedFiles.isEmpty }) else { return all }
    var seen: Set<SpecID> = []
    return all.flatMap { file in
      file.usedFiles.filter { seen.insert($0.id).inserted }.map(\.file) + [file]
    }
  }
}

/// The transport of a request, with the reason.
package struct TransportDecision: Sendable, Hashable {
  package var kind: TransportKind
  package var reason: String
  /// Indicates whether it is the default for most files, or was explicitly chosen: nobody is surprised by it.
  package var isUsual: Bool

  package init(kind: TransportKind, reason: String, isUsual: Bool = true) {
    self.kind = kind
    self.reason = reason
    self.isUsual = isUsual
  }
}
