import Diagnostics
import HTTPMessages
import JSONSchemas
import RequestSpecs
import RunPlanning
import Snapshots
import Templates
import Values

/// A step of a file, with everything that is known of it before it runs.
///
/// A class, since all runs of the file share it.
final class Step: Sendable {
  let number: Int
  let stage: RequestStage
  private let request: PlannedRequest
  let transport: TransportDecision
  /// Its first line.
  let range: SourceRange
  /// All of it.
  let extent: SourceRange
  let line: Int
  let name: Field<Text>?
  /// The name as far as the file tells it, without secrets.
  let staticName: String
  let assertions: [Assertion]
  let interest: BodyInterest
  let wantsCertificates: Bool
  /// The namespaces of the prefixes in its XPaths.
  let namespaces: [(prefix: String, uri: String)]
  /// The contract of its response; nil for a request outside of it.
  let contract: FileContract?
  /// Indicates whether everything that is sent is in the file, and depends neither on the run nor on responses.
  let isLiteral: Bool
  /// The assertion that compares the body with a stored one.
  let snapshot: (assertion: Assertion, spec: SnapshotSpec)?
  /// The schema that `expect.schema` names.
  let schema: CompiledSchema?
  /// Nil where templates make it.
  let snapshotName: SnapshotName?
  /// The steps that run while this one is under way.
  let children: [Step]

  var settings: RequestSettings { request.settings }
  var impliedMethod: HTTPMethod? { request.impliedMethod }

  /// - Parameter readsBody: whether the body is read whatever the settings say.
  init(_ planned: PlannedStep, needs: ReportNeeds, contract: FileContract? = nil, readsBody: Bool = false) {
    children = planned.children.map { Step($0, needs: needs, contract: contract) }
    number = planned.request.number
    stage = planned.request.stage
    request = planned.request
    transport = planned.transport
    range = planned.request.spec.range.firstLine
    extent = planned.request.spec.range
    line = planned.request.line
    name = planned.request.spec.name
    staticName = concealingSecrets(in: withoutUserinfo(planned.request.staticName))
    assertions = request.settings.expect.assertions
    snapshotName = planned.snapshotName
    schema = planned.schema
    snapshot =
      assertions.lazy.compactMap { assertion in
        if case .snapshot(let spec) = assertion.check { (assertion, spec) } else { nil }
      }.first
    namespaces = request.settings.namespaces.entries.compactMap { entry in
      entry.value.map { (entry.key.text, $0.value) }
    }
    if case .outside? = request.settings.contract.value { self.contract = nil } else { self.contract = contract }
    var interest = BodyInterest(planned.request, assertions, needs)
    if readsBody || self.contract != nil { interest.keepsBytes = true }
    self.interest = interest
    wantsCertificates = request.settings.subjects.contains { subject, _ in
      if case .certificate = subject { true } else { false }
    }
    // A cache directory is made when it is looked at.
    // Files may be made by the requests before.
    let readsFiles = request.settings.body.value?.readsFiles ?? false
    isLiteral = request.sendsLiterals && !readsFiles && request.settings.session.cacheDirectory.value == nil
  }

  /// Indicates whether one transport sends it and all steps within it.
  func runs(by kind: TransportKind) -> Bool { transport.kind == kind && children.allSatisfy { $0.runs(by: kind) } }

  /// Finds the first of it and the steps within it that captures a name.
  func supplier(of name: String) -> (step: Step, capture: SourceRange?)? {
    for child in children {
      if let found = child.supplier(of: name) { return found }
    }
    for entry in settings.capture.entries where entry.key.text == name && entry.value != nil {
      return (self, entry.value?.range)
    }
    return nil
  }
}
