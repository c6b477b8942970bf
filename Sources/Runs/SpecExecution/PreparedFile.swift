import Diagnostics
import HTTPMessages
import JSONSchemas
import OperatingSystem
import RequestSpecs
import RunPlanning
import Snapshots
import Templates
import Values

/// What all runs of a file have in common, worked out once.
struct PreparedFile: Sendable {
  let path: String
  let name: String?
  let requests: [PreparedRequest]
  let names: DeclaredNames
  /// The requests that are not selected, by the names that only they capture.
  let unselectedSuppliers: [String: MergedRequest]
  /// The scope around the file's own.
  let outerScope: FileScope?
  /// The secrets that are known before anything runs.
  let secrets: SecretRegistry

  init(
    _ file: PlannedFile, environment: RunEnvironment, needs: ReportNeeds, contract: FileContract? = nil
  ) {
    path = file.path
    name = file.name
    let nested = Dictionary(
      grouping: file.requests.filter { $0.request.parent != nil }.map {
        ($0.request.parent, PreparedRequest($0, needs, contract, file))
      }, by: \.0)
    requests = mapPieces(of: file.requests, least: 64) { piece in
      piece.filter { $0.request.parent == nil }.map {
        PreparedRequest($0, needs, contract, file, during: nested[$0.number]?.map(\.1) ?? [])
      }
    }.flatMap { $0 }
    var names = DeclaredNames(
      file.scope, of: file, captures: Set(file.requests.flatMap(\.captureNames)),
      unselectedCaptures: Set(file.unselectedSuppliers.keys))
    for request in file.requests {
      for entry in request.settings.capture.entries where entry.value?.yieldsURL == true {
        names.urlCaptures.insert(entry.key.text)
      }
    }
    self.names = names
    unselectedSuppliers = file.unselectedSuppliers
    outerScope = environment.sharedScope(of: file)
    secrets = outerScope.map { SecretRegistry(copying: $0.registry) } ?? SecretRegistry()
    for secret in file.commandSecrets.values { secrets.add(secret) }
    for secret in file.scope.secrets {
      if let value = environment.environmentVariable(secret.name) { secrets.add(value) }
      if let value = secret.value?.literal { secrets.add(value.tainted) }
    }
    environment.registerProxies(in: secrets)
    for request in file.requests { request.request.registerLiteralSecrets(in: secrets) }
  }

  /// Whether one transport sends all its requests.
  func runs(by kind: TransportKind) -> Bool {
    requests.allSatisfy { $0.transport.kind == kind && $0.during.allSatisfy { $0.transport.kind == kind } }
  }

  /// The request that captures a name, the first if there are several.
  func supplier(of name: String) -> (request: PreparedRequest, capture: SourceRange?)? {
    for request in requests.lazy.flatMap({ $0.during + [$0] }) {
      for entry in request.settings.capture.entries where entry.key.text == name && entry.value != nil {
        return (request, entry.value?.range)
      }
    }
    return nil
  }
}

/// A request of the plan, with what can be told of it before it is sent.
///
/// A class, for all runs of the file look at it.
final class PreparedRequest: Sendable {
  let number: Int
  let stage: RequestStage
  private let merged: MergedRequest
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
  /// What the prefixes of its XPaths stand for.
  let namespaces: [(prefix: String, uri: String)]
  /// What its response is checked against; nil for a request outside of it.
  let contract: FileContract?
  /// Whether all that is sent stands in the file, and neither runs nor responses have a say in it.
  let isLiteral: Bool
  /// The assertion that compares the body with a stored one.
  let snapshot: (assertion: Assertion, spec: SnapshotSpec)?
  /// What `expect.schema` names.
  let schema: CompiledSchema?
  /// Nil where templates make it.
  let snapshotName: SnapshotName?
  /// Sent while this one is under way.
  let during: [PreparedRequest]

  var settings: RequestSettings { merged.settings }
  var impliedMethod: HTTPMethod? { merged.impliedMethod }

  fileprivate convenience init(
    _ planned: PlannedRequest, _ needs: ReportNeeds, _ contract: FileContract?, _ file: PlannedFile,
    during: [PreparedRequest] = []
  ) {
    self.init(
      planned, needs: needs, contract: contract, snapshotName: file.snapshots.known[planned.number], during: during)
  }

  /// - Parameter readsBody: whether the body is read whatever the settings say.
  init(
    _ planned: PlannedRequest, needs: ReportNeeds, contract: FileContract? = nil, snapshotName: SnapshotName? = nil,
    readsBody: Bool = false, during: [PreparedRequest] = []
  ) {
    self.during = during
    number = planned.number
    stage = planned.stage
    merged = planned.request
    transport = planned.transport
    range = planned.spec.range.firstLine
    extent = planned.spec.range
    line = planned.line
    name = planned.spec.name
    staticName = concealingSecrets(in: withoutUserinfo(planned.staticName))
    assertions = merged.settings.expect.assertions
    self.snapshotName = snapshotName
    schema = planned.schema
    snapshot =
      assertions.lazy.compactMap { assertion in
        if case .snapshot(let spec) = assertion.check { (assertion, spec) } else { nil }
      }.first
    namespaces = merged.settings.namespaces.entries.compactMap { entry in
      entry.value.map { (entry.key.text, $0.value) }
    }
    if case .outside? = merged.settings.contract.value { self.contract = nil } else { self.contract = contract }
    var interest = BodyInterest(merged, assertions, needs)
    if readsBody || self.contract != nil { interest.keepsBytes = true }
    self.interest = interest
    wantsCertificates = merged.settings.subjects.contains { subject, _ in
      if case .certificate = subject { true } else { false }
    }
    // A cache directory is made when it is looked at.
    // Files may be made by the requests before.
    let readsFiles = merged.settings.body.value?.readsFiles ?? false
    isLiteral = merged.sendsLiterals && !readsFiles && merged.settings.session.cacheDirectory.value == nil
  }
}

/// The names that a file's templates can read, and where their values come from.
struct DeclaredNames: Sendable {
  let variables: [String: ValueTemplate]
  let secrets: [String: SecretDeclaration]
  let overrides: [String: Value]
  let commandSecrets: [String: String]
  let captures: Set<String>
  /// Those of ``captures`` that are URLs.
  var urlCaptures: Set<String> = []
  /// Captures of requests that are not selected: they have no value in this run.
  let unselectedCaptures: Set<String>
  /// Of the file, for paths in it.
  let path: String

  init(_ scope: PlannedScope, of file: PlannedFile, captures: Set<String> = [], unselectedCaptures: Set<String> = []) {
    variables = Dictionary(
      scope.variables.entries.compactMap { entry in entry.value.map { (entry.key.text, $0) } },
      uniquingKeysWith: { $1 })
    secrets = Dictionary(scope.secrets.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    overrides = file.overrides
    commandSecrets = file.commandSecrets
    self.captures = captures
    self.unselectedCaptures = unselectedCaptures
    path = scope.path
  }

  /// None, for what belongs to no file.
  init(path: String) {
    (variables, secrets, overrides, commandSecrets, captures, unselectedCaptures) = ([:], [:], [:], [:], [], [])
    self.path = path
  }

  func declares(_ name: String) -> Bool { variables[name] != nil || secrets[name] != nil }
}
