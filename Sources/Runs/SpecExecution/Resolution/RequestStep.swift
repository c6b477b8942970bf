import HTTPSemantics
import JSONSchemas
import RequestSpecs
import Templates
import Values

/// A request of a file, with all that is known before it runs.
///
/// A class, since all runs of the file share it.
package final class RequestStep: Sendable {
  package let number: Int
  package let stage: RequestStage
  private let request: PlannedRequest
  package var mocks: [MockSpec] { request.spec.mocks }
  package let settings: RequestSettings
  package let transport: TransportDecision
  /// The place of its first line.
  package let range: SourceRange
  /// The place of all of it.
  package let extent: SourceRange
  package let line: Int
  package let name: Field<Text>?
  /// The name as far as it is known from the file, without secrets.
  package let staticName: String
  package let assertions: [Assertion]
  /// The assertions that have a condition.
  package let assertionGroups: [AssertionGroup]
  package let interest: BodyInterest
  /// The namespaces of the prefixes in its XPaths.
  package let namespaces: [(prefix: String, uri: String)]
  /// The contract of its response; nil for a request outside of it.
  package let contract: FileContract?
  /// Indicates whether everything sent is literal in the file, independent of runs and responses.
  package let isLiteral: Bool
  /// Its own variables; nil if it has none.
  package let names: DeclaredNames?
  /// Nil for a request that is sent once.
  package let retry: RetryRule?
  /// Nil for a request that waits for nothing.
  package let poll: PollSpec?
  /// Indicates whether it may be sent more than once.
  package let isRepeated: Bool
  /// Indicates whether an assertion on the status replaces the automatic validation.
  package let expectsStatus: Bool
  /// Indicates whether an assertion on the content type replaces its comparison with `Accept`.
  package let expectsContentType: Bool
  /// The assertion that compares the body with a stored one.
  package let snapshot: (assertion: Assertion, spec: SnapshotSpec)?
  /// The schemas that `expect.schema` names.
  private let schemas: [AssertedSchema]
  /// The snapshot's name; nil if it depends on templates.
  package let snapshotName: SnapshotName?
  /// The rows for which it runs; nil runs it once.
  package let rows: RowsSpec?
  /// The captures of its rows that become lists.
  package let keptCaptures: [String]
  package let readsRowCount: Bool
  /// Indicates whether the rows of `next` only replace its URL: then a relative one is a URL, too.
  package let rowsAreURLs: Bool
  /// The steps that run while this one is in progress.
  package let children: [RequestStep]

  /// Its tags, those of its file and flow included.
  package var tags: [String] { request.tags }

  /// The names that it captures.
  package var captureNames: [String] { request.captureNames }

  package var impliedMethod: HTTPMethod? { request.impliedMethod }

  /// - Parameters:
  ///   - file: the file of the request; nil for one outside any file.
  ///   - readsBody: whether the body is read whatever the settings are.
  package init(
    _ planned: PlannedRequestStep, of file: PlannedFile? = nil, needs: ReportNeeds, contract: FileContract? = nil,
    readsBody: Bool = false
  ) {
    children = planned.children.map { RequestStep($0, of: file, needs: needs, contract: contract) }
    names = planned.request.spec.variables.entries.isEmpty ? nil : file.map { DeclaredNames(planned, of: $0) }
    rows = planned.request.spec.rows
    keptCaptures = planned.keptCaptures
    readsRowCount = rows != nil && planned.request.readsRowCount
    rowsAreURLs = rows?.next != nil && !planned.request.readsRow
    number = planned.request.number
    stage = planned.request.stage
    request = planned.request
    settings = request.settings
    transport = planned.transport
    range = planned.request.spec.range.firstLine
    extent = planned.request.spec.range
    line = planned.request.line
    name = planned.request.spec.name
    staticName = concealingSecrets(in: withoutUserinfo(planned.request.staticName))
    assertions = settings.expect.assertions
    assertionGroups = settings.expect.groups
    snapshotName = planned.snapshotName
    schemas = planned.schemas
    snapshot =
      assertions.lazy.compactMap { assertion in
        if case .snapshot(let spec) = assertion.check { (assertion, spec) } else { nil }
      }.first
    namespaces = settings.namespaces.entries.compactMap { entry in
      entry.value.map { (entry.key.text, $0.value) }
    }
    if case .outside? = settings.contract.value { self.contract = nil } else { self.contract = contract }
    var interest = BodyInterest(settings, needs)
    if readsBody || self.contract != nil { interest.keepsBytes = true }
    self.interest = interest
    retry = RetryRule(planned.request)
    let poll = settings.repetitionBox?.content.poll.value
    self.poll = poll
    let hasToken: Bool = if case .oauth2? = settings.auth.value { true } else { false }
    isRepeated = hasToken || retry != nil || poll != nil
    expectsContentType = settings.expect.expectsContentType
    expectsStatus = settings.expect.expectsStatus || poll?.until?.expectsStatus ?? false
    // A cache directory is created when it is checked. Files may be made by earlier requests.
    let readsFiles = settings.body.value?.readsFiles ?? false
    // The boundary of its parts is random.
    let isMultipart: Bool = if case .multipart? = settings.body.value { true } else { false }
    isLiteral =
      rows == nil && poll == nil && names == nil && request.sendsLiterals && !readsFiles && !isMultipart
      && settings.session.cacheDirectory.value == nil
  }

  /// The schema that an assertion names.
  package func schema(of assertion: Assertion) -> CompiledSchema? {
    schemas.first { $0.assertion === assertion }?.schema
  }

  /// Returns whether one transport sends it and all steps within it.
  package func runs(by kind: TransportKind) -> Bool {
    transport.kind == kind && children.allSatisfy { $0.runs(by: kind) }
  }

  /// Finds the first step that captures a name: this one, or one within it.
  package func supplier(of name: String) -> (step: RequestStep, capture: SourceRange?)? {
    for child in children {
      if let found = child.supplier(of: name) { return found }
    }
    for entry in settings.capture.entries where entry.key.text == name && entry.value != nil {
      return (self, entry.value?.range)
    }
    return nil
  }
}

extension StepReport {
  package init(of request: RequestStep, id: StepID, parent: StepID?) {
    self.init(id: id, parent: parent, name: request.staticName, line: request.line, transport: request.transport)
    stage = request.stage
    place = request.range
  }
}
