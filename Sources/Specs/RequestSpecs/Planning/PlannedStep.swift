import JSONSchemas
import Templates
import Values

/// A step of a plan: a request, or a group of steps with a scope of its own.
package enum PlannedStep: Sendable {
  case request(PlannedRequestStep)
  // Indirect, so that a plan of requests alone has no room for groups.
  indirect case group(PlannedGroup)
  indirect case use(PlannedUseStep)

  /// The requests in it, in the order in which they end.
  package var requests: [PlannedRequestStep] {
    switch self {
    case .request(let request): request.all
    case .group(let group): group.steps.flatMap(\.requests)
    case .use(let step): step.use.file.requestSteps
    }
  }

  package var stage: RequestStage {
    switch self {
    case .request(let step): step.request.stage
    case .group(let group): group.stage
    case .use(let step): step.request.stage
    }
  }

  /// The names that it captures in the scope around it.
  package var captureNames: [String] {
    switch self {
    case .request(let step): step.all.flatMap(\.request.captureNames)
    case .group: []
    case .use(let step): step.request.captureNames
    }
  }

  /// The names among them that are URLs.
  package var urlCaptureNames: [String] {
    switch self {
    case .request(let step):
      step.all.flatMap { $0.request.settings.capture.entries }.filter { $0.value?.yieldsURL == true }.map(\.key.text)
    case .group: []
    case .use(let step): step.use.urlCaptureNames
    }
  }

  /// The files that it uses directly.
  var uses: [PlannedUse] {
    switch self {
    case .request: []
    case .group(let group): group.steps.flatMap(\.uses)
    case .use(let step): [step.use]
    }
  }

  /// The number of requests that it sends, as far as the numbers of rows are known before the run.
  fileprivate var sentCount: Int {
    switch self {
    case .request(let step): step.all.count.repeated(for: step.request.spec.rows)
    case .group(let group): group.steps.sentCount.repeated(for: group.rows)
    case .use(let step): step.use.file.steps.sentCount.repeated(for: step.request.spec.rows)
    }
  }

  fileprivate init(_ step: PlannedRequestStep) {
    if let use = step.request.use {
      self = .use(PlannedUseStep(request: step.request, use: use, keptCaptures: step.keptCaptures))
    } else {
      self = .request(step)
    }
  }
}

extension Int {
  /// The number for all rows.
  func repeated(for rows: RowsSpec?) -> Int { multiplied(by: rows?.knownCount ?? 1) ?? .max }
}

extension [PlannedStep] {
  /// The number of requests that they send, as far as the numbers of rows are known before the run.
  var sentCount: Int { reduce(0) { $0.addingClamped($1.sentCount) } }

  /// The files that the steps use, and those that they use, each once.
  var usedFiles: [PlannedUse] {
    var seen: Set<SpecID> = []
    var result: [PlannedUse] = []
    for use in flatMap(\.uses) where !seen.contains(use.id) {
      for file in use.file.usedFiles + [use] where seen.insert(file.id).inserted { result.append(file) }
    }
    return result
  }
}

/// A step that runs another file.
package struct PlannedUseStep: Sendable {
  /// The step's own name and conditions.
  package let request: PlannedRequest
  package let use: PlannedUse
  /// The captures of its rows that become lists.
  package let keptCaptures: [String]

  /// Nil for a file that runs once.
  package var poll: PollSpec? { request.settings.repetitionBox?.content.poll.value }
}

/// A schema, and the assertion that names it.
package typealias AssertedSchema = (assertion: Assertion, schema: CompiledSchema)

/// A request, and the requests that are sent while it is in progress.
///
/// A class, since a plan and its parts pass it on.
package final class PlannedRequestStep: Sendable {
  package let request: PlannedRequest
  package let transport: TransportDecision
  /// Indicates whether it was selected itself, not just included for its captures.
  package let isSelected: Bool
  /// The compiled schemas that `expect.schema` names.
  package let schemas: [AssertedSchema]
  /// The snapshot's name; nil if it depends on templates.
  package let snapshotName: SnapshotName?
  /// The captures of its rows that become lists.
  package let keptCaptures: [String]
  /// `--var` and `--env-file`, with the types of the request's own variables that they replace.
  package let overrides: [String: Value]
  package let children: [PlannedRequestStep]

  init(
    _ request: PlannedRequest, _ transport: TransportDecision, isSelected: Bool = true, schemas: [AssertedSchema] = [],
    snapshotName: SnapshotName? = nil, keptCaptures: [String] = [], overrides: [String: Value] = [:],
    children: [PlannedRequestStep] = []
  ) {
    self.children = children
    self.overrides = overrides
    self.keptCaptures = keptCaptures
    self.request = request
    self.transport = transport
    self.isSelected = isSelected
    self.schemas = schemas
    self.snapshotName = snapshotName
  }

  fileprivate func with(children: [PlannedRequestStep]) -> PlannedRequestStep {
    PlannedRequestStep(
      request, transport, isSelected: isSelected, schemas: schemas, snapshotName: snapshotName,
      keptCaptures: keptCaptures, overrides: overrides, children: children)
  }

  /// The requests within it, followed by itself: they are done before it is.
  package var all: [PlannedRequestStep] { children.isEmpty ? [self] : children.flatMap(\.all) + [self] }
}

/// Steps with a scope of their own inside that of the file or group around them.
package struct PlannedGroup: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case flow
    /// The runs of a request, or of a flow, one for each row.
    case rows
    /// The steps of another file.
    case use
    /// The runs of a file that is used, one for each round of its poll.
    case rounds
  }

  /// The cookies with which a group begins.
  package enum Cookies: Sendable, Hashable {
    /// A copy of those around it.
    case copied
    case none
    /// The same jar as around it.
    case shared
  }

  package let kind: Kind
  /// The number in its file, which identifies it whatever is selected.
  package let number: Int
  package let stage: RequestStage
  package let name: Field<Text>?
  /// The name as far as it is literal.
  package let staticName: String
  /// The place of the group, from its first to its last line.
  package let range: SourceRange
  /// The rows for which it runs; nil runs it once.
  package let rows: RowsSpec?
  package let when: Field<Bool>?
  package let skip: Field<SkipRule>?
  package let scope: PlannedScope
  /// `--var` and `--env-file`, with the types of the variables that they replace.
  package let overrides: [String: Value]
  package let cookies: Cookies
  /// Setup, requests and teardown in order; unselected ones are left out.
  package let steps: [PlannedStep]

  package var line: Int { range.start.line }

  /// Indicates whether a step in it reads the number of rows.
  package var readsRowCount: Bool {
    let own = scope.variables.templates + (name?.templates ?? []) + (when?.templates ?? []) + (skip?.templates ?? [])
    return own.readRowCount || (rows?.rowTemplates.readRowCount ?? false)
      || steps.flatMap(\.requests).contains { $0.request.readsRowCount }
  }
}

extension PlannedRequest {
  /// Indicates whether it reads the number of rows.
  package var readsRowCount: Bool { templates.readRowCount }

  /// Indicates whether what it sends depends on the row.
  package var readsRow: Bool {
    sendingTemplates.contains { $0.references.contains { $0.name == "row" } }
  }
}

extension [Template] {
  fileprivate var readRowCount: Bool { contains { $0.references.contains { $0.name == "row_count" } } }
}

extension [PlannedRequestStep] {
  /// Moves requests that belong to others, and precede them, into those.
  var nested: [PlannedRequestStep] {
    guard contains(where: { $0.request.parent != nil }) else { return self }
    var children: [Int: [PlannedRequestStep]] = [:]
    var result: [PlannedRequestStep] = []
    for step in self {
      let step = children.removeValue(forKey: step.request.number).map { step.with(children: $0) } ?? step
      if let parent = step.request.parent { children[parent, default: []].append(step) } else { result.append(step) }
    }
    return result
  }

  /// The steps of a file: requests, with those of each flow in a group of their own.
  ///
  /// - Parameter group: the group of a flow, by the flow's index.
  func grouped(_ group: (Int, [PlannedStep]) -> PlannedGroup) -> [PlannedStep] {
    guard contains(where: { $0.request.flow != nil }) else { return map { PlannedStep($0) } }
    var result: [PlannedStep] = []
    var rest = self[...]
    while let first = rest.first {
      let piece = rest.prefix { $0.request.flow == first.request.flow }
      rest = rest.dropFirst(piece.count)
      let steps = piece.map { PlannedStep($0) }
      if let flow = first.request.flow { result.append(.group(group(flow, steps))) } else { result += steps }
    }
    return result
  }
}
